import { Button, Group, Paper, Select, Stack, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useNavigate } from '@tanstack/react-router';
import { useFormMutation } from '@/shared/forms/form-mutation';
import { FormProblem } from '@/shared/forms/form-problem';
import { UnsavedGuard } from '@/shared/forms/unsaved-guard';
import { notifySuccess } from '@/shared/notify';
import { useCategoryChoices } from '@/shared/project/use-choices';
import { useProjectId } from '@/shared/project/use-project';
import { DeleteButton } from './delete-button';
import type { ScenarioView } from './scenario-query';
import { DeleteScenarioDocument, UpdateScenarioDocument } from './scenarios.generated';

/** The name, description and category of a scenario, and its deletion. */
export function ScenarioSettings({ scenario }: { scenario: ScenarioView }) {
  const { id, name, shortDescription, category, canEdit } = scenario;
  const projectId = String(useProjectId());
  const navigate = useNavigate();
  const choices = useCategoryChoices();
  // The category of the scenario has a name before its page has loaded.
  const categories = choices.some(one => one.id === category.id) ? choices : [...choices, category];
  const form = useForm({ initialValues: { name, shortDescription, categoryId: String(category.id) } });
  const { submit, isBusy, problem } = useFormMutation(UpdateScenarioDocument, {
    form,
    onDone: (_data, _variables, markSaved) => {
      markSaved();
      notifySuccess('The scenario is saved.');
    },
  });
  return (
    <Paper p="lg" maw={640}>
      <form
        onSubmit={form.onSubmit(({ categoryId, ...values }) =>
          submit({ id, input: { ...values, categoryId: Number(categoryId) } }),
        )}
      >
        <UnsavedGuard isDirty={() => form.isDirty()} subject={`the scenario “${name}”`} />
        <Stack>
          <TextInput label="Name" required maxLength={255} readOnly={!canEdit} {...form.getInputProps('name')} />
          <Textarea
            label="Description"
            autosize
            minRows={2}
            readOnly={!canEdit}
            {...form.getInputProps('shortDescription')}
          />
          <Select
            label="Category"
            searchable
            allowDeselect={false}
            disabled={!canEdit}
            data={categories.map(one => ({ value: String(one.id), label: one.name }))}
            {...form.getInputProps('categoryId')}
          />
          <FormProblem problem={problem} />
          {canEdit && (
            <Group justify="space-between">
              <DeleteButton
                name={name}
                noun="scenario"
                note="Its messages and prompts stay in the project."
                mutation={DeleteScenarioDocument}
                variables={{ id }}
                onDeleted={() => {
                  form.reset();
                  void navigate({ to: '/projects/$projectId/scenarios', params: { projectId } });
                }}
              />
              <Button type="submit" loading={isBusy} disabled={!form.isDirty()}>
                Save
              </Button>
            </Group>
          )}
        </Stack>
      </form>
    </Paper>
  );
}
