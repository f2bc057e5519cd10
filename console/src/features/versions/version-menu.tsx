import { Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useDisclosure } from '@mantine/hooks';
import { useNavigate } from '@tanstack/react-router';
import { IconArrowBackUp, IconArrowsDiff, IconPencil, IconUpload } from '@/icons';
import { FormDialog } from '@/shared/forms/form-dialog';
import { useFormMutation } from '@/shared/forms/form-mutation';
import { useAction } from '@/shared/forms/use-action';
import { RowMenu } from '@/shared/lists/row-menu';
import { useProjectId } from '@/shared/project/use-project';
import { PublishDialog } from './publish-dialog';
import { DescribeVersionDocument, RestoreVersionDocument, type VersionFragment } from './versions.generated';

interface VersionMenuProps {
  version: VersionFragment;
  workflowId: number;
  /** Number of the version that runs use. */
  compareWith: number;
  usesDrafts: boolean;
}

/** The actions of editors for a version. */
export function VersionMenu({ version, workflowId, compareWith, usesDrafts }: VersionMenuProps) {
  const { number, isCurrent, isPublished } = version;
  const projectId = String(useProjectId());
  const navigate = useNavigate();
  const [isPublishing, publication] = useDisclosure(false);
  const [isNaming, naming] = useDisclosure(false);
  const restore = useAction(RestoreVersionDocument, {
    failure: 'Not restored',
    success: `Version ${number} is restored.`,
    refetchQueries: ['Versions'],
  });
  return (
    <>
      <RowMenu
        label={`Actions for version ${number}`}
        actions={[
          usesDrafts && !isPublished && { label: 'Publish', icon: IconUpload, onClick: publication.open },
          number !== compareWith && {
            label: `Compare with version ${compareWith}`,
            icon: IconArrowsDiff,
            onClick: () =>
              navigate({
                to: '/projects/$projectId/workflows/$workflowId/versions/compare',
                params: { projectId, workflowId: String(workflowId) },
                search: { left: compareWith, right: number },
              }),
          },
          !isCurrent && {
            label: 'Restore',
            icon: IconArrowBackUp,
            confirmation: {
              title: `Restore version ${number}?`,
              text: 'Its graph is saved as a new version. Nothing is lost: the present one stays in the list.',
              confirmLabel: 'Restore version',
              isDangerous: false,
              onConfirm: () => restore.runOrThrow({ id: workflowId, number }),
            },
          },
          { label: 'Name and note', icon: IconPencil, onClick: naming.open },
        ]}
      />
      {isPublishing && (
        <PublishDialog number={number} workflowId={workflowId} refetchQuery="Versions" onClose={publication.close} />
      )}
      {isNaming && <NameDialog version={version} workflowId={workflowId} onClose={naming.close} />}
    </>
  );
}

function NameDialog({
  version,
  workflowId,
  onClose,
}: {
  version: VersionFragment;
  workflowId: number;
  onClose: () => void;
}) {
  const { number, name, note } = version;
  const form = useForm({ initialValues: { name, note } });
  const { submit, isBusy, problem } = useFormMutation(DescribeVersionDocument, { form, onDone: onClose });
  return (
    <FormDialog
      isOpen
      onClose={onClose}
      title={`Version ${number}`}
      submitLabel="Save"
      isBusy={isBusy}
      problem={problem}
      onSubmit={form.onSubmit(values => submit({ id: workflowId, number, ...values }))}
    >
      <TextInput
        label="Name"
        description="A version with a name is never deleted."
        maxLength={255}
        data-autofocus
        {...form.getInputProps('name')}
      />
      <Textarea label="Note" autosize minRows={2} maxLength={2000} {...form.getInputProps('note')} />
    </FormDialog>
  );
}
