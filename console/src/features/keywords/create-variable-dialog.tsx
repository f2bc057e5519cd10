import { Radio, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useNavigate } from '@tanstack/react-router';
import { FormDialog } from '@/shared/forms/form-dialog';
import { useFormMutation } from '@/shared/forms/form-mutation';
import { notifySuccess } from '@/shared/notify';
import { useProjectId } from '@/shared/project/use-project';
import type { KeywordRunView } from './keyword-run-screen';
import { titleOf } from './keyword-run-status';
import { CreateKeywordVariableDocument } from './keywords.generated';

type Mode = 'ALL' | 'CLUSTERS' | 'JOINED';

const MODES: { value: Mode; label: string; description: string }[] = [
  { value: 'ALL', label: 'One value for each keyword', description: 'A loop sends a message once for each keyword.' },
  { value: 'CLUSTERS', label: 'One value for each cluster', description: 'Its keywords, separated by commas.' },
  { value: 'JOINED', label: 'One value with all keywords', description: 'Separated by commas.' },
];

export interface CreateVariableDialogProps {
  run: KeywordRunView;
  isOpen: boolean;
  onClose: () => void;
}

/** Makes the enabled keywords available to scenarios. Later changes of the keywords change the variable. */
export function CreateVariableDialog({ run, isOpen, onClose }: CreateVariableDialogProps) {
  const projectId = useProjectId();
  const navigate = useNavigate();
  const hasClusters = run.clusters.length > 0;
  const form = useForm({
    initialValues: { key: titleOf(run).slice(0, 255), keywordRunMode: (hasClusters ? 'CLUSTERS' : 'ALL') as Mode },
  });
  const { submit, isBusy, problem } = useFormMutation(CreateKeywordVariableDocument, {
    form,
    onDone: async ({ variableCreate }, { input }) => {
      notifySuccess(`“${input.key}” has ${variableCreate?.variable?.variableNames.length ?? 0} values.`);
      await navigate({
        to: '/projects/$projectId/scenarios/variables',
        params: { projectId: String(projectId) },
        search: {},
      });
    },
  });
  return (
    <FormDialog
      isOpen={isOpen}
      onClose={onClose}
      title="Create a variable from these keywords"
      submitLabel="Create variable"
      isBusy={isBusy}
      problem={problem}
      onSubmit={form.onSubmit(values =>
        submit({ input: { projectId, keywordRunId: run.id, variableNames: [], ...values } }),
      )}
    >
      <TextInput label="Name" required maxLength={255} data-autofocus {...form.getInputProps('key')} />
      <Radio.Group label="Values" {...form.getInputProps('keywordRunMode')}>
        <Stack gap="xs" mt="xs">
          {MODES.map(({ value, label, description }) => (
            <Radio
              key={value}
              value={value}
              label={label}
              description={description}
              disabled={value === 'CLUSTERS' && !hasClusters}
            />
          ))}
        </Stack>
      </Radio.Group>
    </FormDialog>
  );
}
