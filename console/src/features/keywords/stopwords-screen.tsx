import { useQuery } from '@apollo/client/react';
import { Button, Group, Paper, Stack, TagsInput, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useFormMutation } from '@/shared/forms/form-mutation';
import { FormProblem } from '@/shared/forms/form-problem';
import { UnsavedGuard } from '@/shared/forms/unsaved-guard';
import { PageHeader } from '@/shared/layout/page-header';
import { QueryView } from '@/shared/layout/query-view';
import { countOf } from '@/shared/lists/count';
import { notifySuccess } from '@/shared/notify';
import { useProjectId } from '@/shared/project/use-project';
import { KeywordTabs } from './keyword-tabs';
import { KeywordStopwordsDocument, SetKeywordStopwordsDocument } from './keywords.generated';

/** The words of the project that exclude keywords. */
export function StopwordsScreen() {
  const projectId = useProjectId();
  const query = useQuery(KeywordStopwordsDocument, { variables: { projectId } });
  return (
    <>
      <PageHeader
        title="Stopwords"
        description="Keywords that contain one of these words as a whole word are left out of new runs."
      />
      <KeywordTabs />
      <QueryView query={query}>
        {({ project: { id, stopwords, canEdit } }) => (
          <StopwordsForm key={id} id={id} stopwords={stopwords} isReadOnly={!canEdit} />
        )}
      </QueryView>
    </>
  );
}

interface StopwordsFormProps {
  id: number;
  stopwords: readonly string[];
  isReadOnly: boolean;
}

function StopwordsForm({ id, stopwords, isReadOnly }: StopwordsFormProps) {
  const form = useForm({ initialValues: { stopwords: [...stopwords] } });
  const { submit, isBusy, problem } = useFormMutation(SetKeywordStopwordsDocument, {
    form,
    onDone: ({ projectStopwordsSet }) => {
      const values = { stopwords: [...(projectStopwordsSet?.project?.stopwords ?? [])] };
      form.setValues(values);
      form.resetDirty(values);
      notifySuccess('The stopwords are saved.');
    },
  });
  return (
    <Paper p="lg" maw={720}>
      <form onSubmit={form.onSubmit(values => submit({ id, stopwords: values.stopwords }))}>
        <UnsavedGuard isDirty={() => form.isDirty()} subject="the stopwords" />
        <Stack>
          <TagsInput
            label="Words"
            description="Press Enter after each word, or paste a list with commas or line breaks."
            placeholder={form.values.stopwords.length === 0 ? 'For example: cheap' : undefined}
            splitChars={[',', '\n']}
            maxTags={10_000}
            readOnly={isReadOnly}
            {...form.getInputProps('stopwords')}
          />
          <FormProblem problem={problem} />
          <Group justify="space-between">
            <Text fz="sm" c="dimmed" className="tabular">
              {countOf(form.values.stopwords.length, 'word')}
            </Text>
            {!isReadOnly && (
              <Button type="submit" loading={isBusy} disabled={!form.isDirty()}>
                Save stopwords
              </Button>
            )}
          </Group>
        </Stack>
      </form>
    </Paper>
  );
}
