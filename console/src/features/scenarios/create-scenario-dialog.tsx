import { Select, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useNavigate } from '@tanstack/react-router';
import { FormDialog } from '@/shared/forms/form-dialog';
import { useFormMutation } from '@/shared/forms/form-mutation';
import { useCategoryChoices } from '@/shared/project/use-choices';
import { useProjectId } from '@/shared/project/use-project';
import { CreateScenarioDocument } from './scenarios.generated';

const EMPTY = { name: '', shortDescription: '', categoryId: null as string | null };

/** Creates a scenario without messages and opens it. The first category is the default. */
export function CreateScenarioDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const projectId = useProjectId();
  const navigate = useNavigate();
  const categories = useCategoryChoices({ skip: !isOpen });
  const form = useForm({ initialValues: EMPTY });
  const { submit, isBusy, problem } = useFormMutation(CreateScenarioDocument, {
    form,
    onDone: async ({ scenarioCreate }) => {
      form.reset();
      const scenarioId = String(scenarioCreate?.scenario?.id);
      await navigate({
        to: '/projects/$projectId/scenarios/$scenarioId',
        params: { projectId: String(projectId), scenarioId },
      });
    },
  });
  const send = ({ name, shortDescription, categoryId }: typeof EMPTY) =>
    submit({
      input: {
        projectId,
        name,
        shortDescription,
        categoryId: Number(categoryId ?? categories[0]?.id),
        messageIds: [],
        runFee: 0,
        freeRunsPerUser: 0,
      },
    });
  return (
    <FormDialog
      isOpen={isOpen}
      onClose={onClose}
      title="New scenario"
      submitLabel="Create scenario"
      onSubmit={form.onSubmit(send)}
      isBusy={isBusy}
      problem={problem}
    >
      <TextInput label="Name" required maxLength={255} data-autofocus {...form.getInputProps('name')} />
      <Textarea label="Description" autosize minRows={2} maxLength={500} {...form.getInputProps('shortDescription')} />
      <Select
        label="Category"
        searchable
        data={categories.map(({ id, name }) => ({ value: String(id), label: name }))}
        {...form.getInputProps('categoryId')}
        value={form.values.categoryId ?? (categories[0] ? String(categories[0].id) : null)}
      />
    </FormDialog>
  );
}
