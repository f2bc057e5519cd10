import { ActionIcon, Menu } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconDots, IconPencil, IconRefresh, IconTrash } from '@/icons';
import { ConfirmDialog } from '@/shared/confirm-dialog';
import { useAction } from '@/shared/use-action';
import { TriggerDialog } from './trigger-dialog';
import { DeleteTriggerDocument, RotateTriggerDocument, type TriggerDetailFragment } from './triggers.generated';

interface TriggerMenuProps {
  trigger: TriggerDetailFragment;
  onDeleted?: () => void;
}

/** The actions of editors for a trigger. */
export function TriggerMenu({ trigger, onDeleted }: TriggerMenuProps) {
  const { id, name, kind } = trigger;
  const [isEditing, edition] = useDisclosure(false);
  const [isRotating, rotation] = useDisclosure(false);
  const [isDeleting, deletion] = useDisclosure(false);
  const rotate = useAction(RotateTriggerDocument, {
    failure: 'Not changed',
    success: 'The webhook has a new address.',
  });
  const remove = useAction(DeleteTriggerDocument, {
    failure: 'Not deleted',
    success: `“${name}” is deleted.`,
    refetchQueries: onDeleted ? [] : ['Triggers'],
  });
  return (
    <>
      <Menu position="bottom-end" shadow="md" withinPortal>
        <Menu.Target>
          <ActionIcon aria-label={`Actions for ${name}`}>
            <IconDots size={17} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<IconPencil size={16} />} onClick={edition.open}>
            Edit
          </Menu.Item>
          {kind === 'WEBHOOK' && (
            <Menu.Item leftSection={<IconRefresh size={16} />} onClick={rotation.open}>
              New address
            </Menu.Item>
          )}
          <Menu.Divider />
          <Menu.Item color="red" leftSection={<IconTrash size={16} />} onClick={deletion.open}>
            Delete
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {isEditing && <TriggerDialog kind={kind} trigger={trigger} onClose={edition.close} />}
      <ConfirmDialog
        isOpen={isRotating}
        onClose={rotation.close}
        title={`Give “${name}” a new address?`}
        confirmLabel="Create address"
        onConfirm={() => rotate.runOrThrow({ id })}
      >
        Calls of the present address get 404 from now on: enter the new one in the other system.
      </ConfirmDialog>
      <ConfirmDialog
        isOpen={isDeleting}
        onClose={deletion.close}
        title={`Delete “${name}”?`}
        confirmLabel="Delete trigger"
        onConfirm={async () => {
          await remove.runOrThrow({ id });
          onDeleted?.();
        }}
      >
        Its log is deleted too. Its runs stay. This cannot be undone.
      </ConfirmDialog>
    </>
  );
}
