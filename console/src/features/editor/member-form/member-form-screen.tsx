import { useMutation, useQuery } from '@apollo/client/react';
import { Button, Code, Paper, Stack, Text } from '@mantine/core';
import { useParams } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { problemOf, refusalText } from '@/api/errors';
import { PageHeader } from '@/shared/layout/page-header';
import { QueryView } from '@/shared/layout/query-view';
import { inputFieldsOf } from '@/shared/run-form/input-fields';
import { RunForm } from '../run/run-form';
import {
  MemberFormViewDocument,
  type MemberFormViewQuery,
  SubmitMemberFormDocument,
  type SubmitMemberFormMutation,
} from './member-form.generated';

type Form = NonNullable<MemberFormViewQuery['memberForm']>;
type Answer = NonNullable<NonNullable<SubmitMemberFormMutation['memberFormSubmit']>['answer']>;

/** A form that members of the project submit. */
export function MemberFormScreen() {
  const { triggerId } = useParams({ strict: false }) as { triggerId: string };
  const id = Number(triggerId);
  const query = useQuery(MemberFormViewDocument, { variables: { id }, fetchPolicy: 'network-only' });
  return (
    <QueryView query={query}>
      {({ memberForm }) =>
        memberForm ? <MemberForm key={id} id={id} form={memberForm} /> : <PageHeader title="Form" />
      }
    </QueryView>
  );
}

function MemberForm({ id, form: { title, description, submitLabel, fields } }: { id: number; form: Form }) {
  const [answer, setAnswer] = useState<Answer | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  // Sending a submission again, for example after a lost answer, does not start a second run.
  const [submissionId, setSubmissionId] = useState(() => crypto.randomUUID() as string);
  const [submit, { loading }] = useMutation(SubmitMemberFormDocument);
  const inputFields = useMemo(
    () => inputFieldsOf({ nodes: [{ id: 'trigger', type: 'trigger-node', data: { input_fields: fields } }] }),
    [fields],
  );
  const send = async (input: Record<string, unknown>) => {
    setProblem(null);
    try {
      const { data } = await submit({ variables: { id, submission: { submissionId, input } } });
      const payload = data?.memberFormSubmit;
      const errors = payload?.errors ?? [];
      if (errors.length > 0) setProblem(refusalText(errors));
      else setAnswer(payload?.answer ?? null);
    } catch (error) {
      setProblem(problemOf(error).message);
    }
  };
  const again = () => {
    setAnswer(null);
    setSubmissionId(crypto.randomUUID());
  };
  return (
    <>
      <PageHeader title={title} description={description || undefined} />
      <Paper p="lg" maw="40rem">
        {answer ? (
          <Submitted answer={answer} onAgain={again} />
        ) : (
          <RunForm
            isPage
            hasEnvironments={false}
            // A trigger may have the id of a workflow: the sign keeps their remembered values apart.
            workflowId={-id}
            fields={inputFields}
            isBusy={loading}
            problem={problem}
            submitLabel={submitLabel}
            showsRequests={false}
            onRun={input => void send(input)}
          />
        )}
      </Paper>
    </>
  );
}

function Submitted({ answer: { thanks, result, hasFailed }, onAgain }: { answer: Answer; onAgain: () => void }) {
  return (
    <Stack gap="md" align="flex-start">
      <Text role="status" style={{ whiteSpace: 'pre-line' }}>
        {thanks}
      </Text>
      {hasFailed && <Text>The run failed, so there is no result.</Text>}
      {result !== null && (
        <Code block w="100%" style={{ whiteSpace: 'pre-wrap' }}>
          {typeof result === 'string' ? result : JSON.stringify(result, null, 2)}
        </Code>
      )}
      <Button variant="default" onClick={onAgain}>
        Submit another
      </Button>
    </Stack>
  );
}
