import { TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useNavigate } from '@tanstack/react-router';
import { FormDialog } from '@/shared/forms/form-dialog';
import { useFormMutation } from '@/shared/forms/form-mutation';
import { CreateProjectDocument } from './projects.generated';

export function CreateProjectDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const navigate = useNavigate();
  const form = useForm({ initialValues: { name: '' } });
  const { submit, isBusy, problem } = useFormMutation(CreateProjectDocument, {
    form,
    refetchQueries: ['ProjectChoices'],
    onDone: async ({ projectCreate }) => {
      onClose();
      form.reset();
      if (!projectCreate?.project) return;
      await navigate({ to: '/projects/$projectId', params: { projectId: String(projectCreate.project.id) } });
    },
  });
  return (
    <FormDialog
      isOpen={isOpen}
      onClose={onClose}
      title="New project"
      submitLabel="Create project"
      onSubmit={form.onSubmit(({ name }) => submit({ input: { name } }))}
      isBusy={isBusy}
      problem={problem}
    >
      <TextInput
        label="Name"
        description="For example the team or the product that the workflows belong to."
        required
        maxLength={255}
        data-autofocus
        {...form.getInputProps('name')}
      />
    </FormDialog>
  );
}
