import { useQuery } from '@apollo/client/react';
import { Badge, Button, CloseButton, Group, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useDisclosure } from '@mantine/hooks';
import { IconPlus } from '@/icons';
import { ConfirmDialog } from '@/shared/forms/confirm-dialog';
import { FormDialog } from '@/shared/forms/form-dialog';
import { useFormMutation } from '@/shared/forms/form-mutation';
import { useAction } from '@/shared/forms/use-action';
import { Section } from '@/shared/layout/section';
import { DEFAULT_ENVIRONMENT } from '@/shared/project/environments';
import { ProjectEnvironmentsDocument } from '@/shared/project/environments.generated';
import { useProjectId } from '@/shared/project/use-project';
import { useProjectRole } from '@/shared/project/use-role';
import { CreateProjectEnvironmentDocument, DeleteProjectEnvironmentDocument } from './variables.generated';

/** The environments of the project. */
export function EnvironmentsSection() {
  const { isEditor } = useProjectRole();
  const [isOpen, dialog] = useDisclosure(false);
  const { data } = useQuery(ProjectEnvironmentsDocument, { variables: { projectId: useProjectId() } });
  return (
    <Section
      isPlain
      title="Environments"
      description="A run uses the values of its environment, otherwise those of production."
      actions={
        isEditor ? (
          <Button variant="default" leftSection={<IconPlus size={16} />} onClick={dialog.open}>
            New environment
          </Button>
        ) : undefined
      }
    >
      <Group gap="sm">
        <Badge variant="light">{DEFAULT_ENVIRONMENT}</Badge>
        {data?.projectEnvironments.map(environment => (
          <Environment key={environment.id} {...environment} isEditor={isEditor} />
        ))}
      </Group>
      {isOpen && <EnvironmentDialog onClose={dialog.close} />}
    </Section>
  );
}

function Environment({ id, name, isEditor }: { id: number; name: string; isEditor: boolean }) {
  const [isAsking, question] = useDisclosure(false);
  const remove = useAction(DeleteProjectEnvironmentDocument, {
    failure: 'Not deleted',
    success: `“${name}” is deleted.`,
    refetchQueries: ['ProjectEnvironments', 'ProjectVariables'],
  });
  return (
    <Group gap={2}>
      <Badge variant="default">{name}</Badge>
      {isEditor && <CloseButton size="sm" aria-label={`Delete ${name}`} onClick={question.open} />}
      <ConfirmDialog
        isOpen={isAsking}
        onClose={question.close}
        title={`Delete “${name}”?`}
        confirmLabel="Delete environment"
        onConfirm={() => remove.runOrThrow({ id })}
      >
        Its values are deleted. Triggers that name it start no runs. This cannot be undone.
      </ConfirmDialog>
    </Group>
  );
}

function EnvironmentDialog({ onClose }: { onClose: () => void }) {
  const projectId = useProjectId();
  const form = useForm({ initialValues: { name: '' } });
  const { submit, isBusy, problem } = useFormMutation(CreateProjectEnvironmentDocument, {
    form,
    refetchQueries: ['ProjectEnvironments'],
    onDone: onClose,
  });
  return (
    <FormDialog
      isOpen
      onClose={onClose}
      title="New environment"
      submitLabel="Create environment"
      isBusy={isBusy}
      problem={problem}
      onSubmit={form.onSubmit(({ name }) => void submit({ input: { projectId, name: name.trim() } }))}
    >
      <TextInput
        label="Name"
        description="Lower-case letters, digits, hyphens and underscores. It cannot be changed later"
        placeholder="staging"
        required
        maxLength={32}
        data-autofocus
        {...form.getInputProps('name')}
      />
    </FormDialog>
  );
}
