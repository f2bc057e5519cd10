import { useApolloClient, useQuery } from '@apollo/client/react';
import { Alert, Button, Group, Progress, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useDisclosure } from '@mantine/hooks';
import { useNavigate } from '@tanstack/react-router';
import { ConfirmDialog } from '@/shared/forms/confirm-dialog';
import { useFormMutation } from '@/shared/forms/form-mutation';
import { FormProblem } from '@/shared/forms/form-problem';
import { UnsavedGuard } from '@/shared/forms/unsaved-guard';
import { useAction } from '@/shared/forms/use-action';
import { QueryView } from '@/shared/layout/query-view';
import { Section } from '@/shared/layout/section';
import { notifySuccess } from '@/shared/notify';
import { useProjectId } from '@/shared/project/use-project';
import { useProjectRole } from '@/shared/project/use-role';
import {
  DeleteProjectDocument,
  ProjectSettingsDocument,
  type ProjectSettingsQuery,
  RenameProjectDocument,
  SetStopwordsDocument,
} from './project.generated';

type Project = NonNullable<ProjectSettingsQuery['project']>;

/** The name, storage and stopwords of the project, and its deletion. */
export function GeneralSection() {
  const query = useQuery(ProjectSettingsDocument, { variables: { projectId: useProjectId() } });
  const { isOwner } = useProjectRole();
  return (
    <QueryView query={query}>
      {({ project }) => (
        <Stack maw={720} gap="lg">
          <NameSection key={`name ${project.id}`} project={project} />
          <StorageSection project={project} />
          <StopwordsSection key={`words ${project.id}`} project={project} />
          {isOwner && <DeleteSection project={project} />}
        </Stack>
      )}
    </QueryView>
  );
}

function NameSection({ project: { id, name } }: { project: Project }) {
  const { isAdmin } = useProjectRole();
  const form = useForm({ initialValues: { name } });
  const { submit, isBusy, problem } = useFormMutation(RenameProjectDocument, {
    form,
    refetchQueries: ['ProjectChoices'],
    onDone: (_, { input }) => {
      form.resetDirty({ name: input.name ?? '' });
      notifySuccess('The project is renamed.');
    },
  });
  return (
    <Section title="Project">
      <form onSubmit={form.onSubmit(values => submit({ id, input: { name: values.name.trim() } }))}>
        <Group align="flex-end" gap="sm" wrap="wrap">
          <TextInput
            label="Name"
            required
            withAsterisk={false}
            maxLength={255}
            readOnly={!isAdmin}
            style={{ flex: '1 1 14rem' }}
            {...form.getInputProps('name')}
          />
          {isAdmin && (
            <Button type="submit" loading={isBusy} disabled={!form.isDirty()}>
              Rename
            </Button>
          )}
        </Group>
        {problem !== null && (
          <Alert color="red" role="alert" mt="sm">
            {problem}
          </Alert>
        )}
        <Text fz="xs" c="dimmed" mt="xs">
          Project id {id}, which REST and GraphQL requests name.
        </Text>
      </form>
    </Section>
  );
}

/** For example "1.5 MB". A unit is 1,024 of the smaller one. */
const formatBytes = (value: number): string => {
  const units = ['bytes', 'KB', 'MB', 'GB', 'TB'];
  const power = value < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log(value) / Math.log(1024)));
  const amount = value / 1024 ** power;
  return `${amount.toLocaleString('en', { maximumFractionDigits: amount < 10 && power > 0 ? 1 : 0 })} ${units[power]}`;
};

function StorageSection({ project: { storage } }: { project: Project }) {
  const { usedBytes, limitBytes } = storage;
  const usedPercent = limitBytes ? (usedBytes / limitBytes) * 100 : 0;
  return (
    <Section title="Storage" description="Uploaded documents and files of runs. An administrator sets the limit.">
      <Text fz="sm" mb={limitBytes ? 6 : 0} className="tabular">
        {formatBytes(usedBytes)} {limitBytes ? `of ${formatBytes(limitBytes)} used` : 'used, no limit'}
      </Text>
      {limitBytes ? (
        <Progress value={usedPercent} color={usedPercent > 90 ? 'red' : undefined} aria-label="Used storage" />
      ) : null}
    </Section>
  );
}

function StopwordsSection({ project: { id, stopwords } }: { project: Project }) {
  const { isEditor } = useProjectRole();
  const initial = stopwords.join('\n');
  const form = useForm({ initialValues: { stopwords: initial } });
  const { submit, isBusy, problem } = useFormMutation(SetStopwordsDocument, {
    form,
    onDone: ({ projectStopwordsSet }) => {
      const kept = (projectStopwordsSet?.project?.stopwords ?? []).join('\n');
      form.setValues({ stopwords: kept });
      form.resetDirty({ stopwords: kept });
      notifySuccess('The stopwords are saved.');
    },
  });
  const words = form.values.stopwords.split('\n').filter(word => word.trim() !== '');
  return (
    <Section title="Stopwords" description="Keyword runs ignore these words. One word in each line.">
      <form onSubmit={form.onSubmit(() => submit({ id, stopwords: words }))}>
        <UnsavedGuard isDirty={() => form.isDirty()} subject="the stopwords" />
        <Stack gap="sm">
          <Textarea
            aria-label="Stopwords"
            autosize
            minRows={3}
            maxRows={14}
            readOnly={!isEditor}
            placeholder={'and\nthe'}
            {...form.getInputProps('stopwords')}
          />
          <FormProblem problem={problem} />
          <Group justify="space-between">
            <Text fz="xs" c="dimmed">
              {words.length.toLocaleString('en')} of at most 10,000 words
            </Text>
            {isEditor && (
              <Button type="submit" loading={isBusy} disabled={!form.isDirty()}>
                Save stopwords
              </Button>
            )}
          </Group>
        </Stack>
      </form>
    </Section>
  );
}

function DeleteSection({ project: { id, name } }: { project: Project }) {
  const [isOpen, dialog] = useDisclosure(false);
  const client = useApolloClient();
  const navigate = useNavigate();
  const remove = useAction(DeleteProjectDocument, { failure: 'Not deleted', success: `“${name}” is deleted.` });
  return (
    <>
      <Section
        title="Delete project"
        description="Deletes its workflows, runs, scenarios, documents and keys for all members."
        actions={
          <Button color="red" variant="light" onClick={dialog.open}>
            Delete project
          </Button>
        }
      />
      <ConfirmDialog
        isOpen={isOpen}
        onClose={dialog.close}
        title={`Delete “${name}”?`}
        confirmLabel="Delete project"
        onConfirm={async () => {
          await remove.runOrThrow({ id });
          await navigate({ to: '/projects' });
          await client.refetchQueries({ include: ['ProjectChoices'] });
        }}
      >
        Everything in the project is deleted. This cannot be undone.
      </ConfirmDialog>
    </>
  );
}
