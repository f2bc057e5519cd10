import { useDisclosure } from '@mantine/hooks';
import { IconPencil, IconRefresh, IconTrash } from '@/icons';
import { useAction } from '@/shared/forms/use-action';
import { RowMenu } from '@/shared/lists/row-menu';
import { TriggerDialog } from './trigger-dialog';
import { DeleteTriggerDocument, RotateTriggerDocument, type TriggerDetailFragment } from './triggers.generated';

interface TriggerMenuProps {
  trigger: TriggerDetailFragment;
  onDeleted?: () => void;
}

/** The actions of editors for a trigger. */
export function TriggerMenu({ trigger, onDeleted }: TriggerMenuProps) {
  const { id, name, kind, form, chat, isShortened } = trigger;
  const [isEditing, edition] = useDisclosure(false);
  const rotate = useAction(RotateTriggerDocument, {
    failure: 'Not changed',
    success: 'The trigger has a new address.',
  });
  const remove = useAction(DeleteTriggerDocument, {
    failure: 'Not deleted',
    success: `“${name}” is deleted.`,
    refetchQueries: onDeleted ? [] : ['Triggers'],
  });
  return (
    <>
      <RowMenu
        label={`Actions for ${name}`}
        actions={[
          !isShortened && { label: 'Edit', icon: IconPencil, onClick: edition.open },
          (kind === 'WEBHOOK' || (form ?? chat)?.access === 'PUBLIC') && {
            label: 'New address',
            icon: IconRefresh,
            confirmation: {
              title: `Give “${name}” a new address?`,
              text: 'The present address stops working. Give the new one to the people and services that use it.',
              confirmLabel: 'Create address',
              onConfirm: () => rotate.runOrThrow({ id }),
            },
          },
          {
            label: 'Delete',
            icon: IconTrash,
            confirmation: {
              title: `Delete “${name}”?`,
              text: `Its log ${kind === 'CHAT' ? 'and its conversations are' : 'is'} deleted too. Its runs stay. This cannot be undone.`,
              confirmLabel: 'Delete trigger',
              onConfirm: async () => {
                await remove.runOrThrow({ id });
                onDeleted?.();
              },
            },
          },
        ]}
      />
      {isEditing && <TriggerDialog kind={kind} trigger={trigger} onClose={edition.close} />}
    </>
  );
}
