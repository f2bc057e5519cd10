import { ActionIcon, Menu } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useNavigate } from '@tanstack/react-router';
import { IconCrown, IconDoorExit, IconDots, IconUserMinus } from '@/icons';
import { ConfirmDialog } from '@/shared/confirm-dialog';
import { useAction } from '@/shared/use-action';
import { useProjectId } from '@/shared/use-project';
import { useProjectRole } from '@/shared/use-role';
import { RemoveMemberDocument, TransferOwnershipDocument } from './members.generated';
import type { Member } from './members-section';

export function MemberMenu({ member, isSelf }: { member: Member; isSelf: boolean }) {
  const { id, userId, role } = member;
  const name = member.name || member.email;
  const projectId = useProjectId();
  const navigate = useNavigate();
  const { isAdmin, isOwner } = useProjectRole();
  const [isRemoving, removal] = useDisclosure(false);
  const [isTransferring, transfer] = useDisclosure(false);
  const refetchQueries = isSelf ? [] : ['Members'];
  const remove = useAction(RemoveMemberDocument, { failure: 'Not removed', refetchQueries });
  const give = useAction(TransferOwnershipDocument, {
    failure: 'Not transferred',
    refetchQueries: ['Members', 'ProjectRole'],
  });
  if (role === 'OWNER' || !(isAdmin || isSelf)) return null;
  return (
    <>
      <Menu position="bottom-end" shadow="md" withinPortal>
        <Menu.Target>
          <ActionIcon aria-label={`Actions for ${name}`}>
            <IconDots size={17} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {isOwner && (
            <Menu.Item leftSection={<IconCrown size={16} />} onClick={transfer.open}>
              Make owner
            </Menu.Item>
          )}
          <Menu.Item
            color="red"
            leftSection={isSelf ? <IconDoorExit size={16} /> : <IconUserMinus size={16} />}
            onClick={removal.open}
          >
            {isSelf ? 'Leave project' : 'Remove'}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <ConfirmDialog
        isOpen={isRemoving}
        onClose={removal.close}
        title={isSelf ? 'Leave this project?' : `Remove ${name}?`}
        confirmLabel={isSelf ? 'Leave project' : 'Remove member'}
        onConfirm={async () => {
          await remove.runOrThrow({ projectId, id });
          if (isSelf) await navigate({ to: '/projects' });
        }}
      >
        {isSelf ? 'You lose' : `${name} loses`} access at once. Runs that are in progress continue.
      </ConfirmDialog>
      <ConfirmDialog
        isOpen={isTransferring}
        onClose={transfer.close}
        title={`Make ${name} the owner?`}
        confirmLabel="Transfer ownership"
        onConfirm={() => give.runOrThrow({ projectId, userId })}
      >
        The present owner becomes an admin. Only the new owner can undo this.
      </ConfirmDialog>
    </>
  );
}
