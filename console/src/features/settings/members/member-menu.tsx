import { useNavigate } from '@tanstack/react-router';
import { IconCrown, IconDoorExit, IconUserMinus } from '@/icons';
import { useAction } from '@/shared/forms/use-action';
import { RowMenu } from '@/shared/lists/row-menu';
import { useProjectId } from '@/shared/project/use-project';
import { useProjectRole } from '@/shared/project/use-role';
import { RemoveMemberDocument, TransferOwnershipDocument } from './members.generated';
import type { Member } from './members-section';

/** The actions of admins for a member, and those of members for themselves. */
export function MemberMenu({ member, isSelf }: { member: Member; isSelf: boolean }) {
  const { id, userId, role } = member;
  const name = member.name || member.email;
  const projectId = useProjectId();
  const navigate = useNavigate();
  const { isAdmin, isOwner } = useProjectRole();
  // After leaving, the viewer may not read the members.
  const refetchQueries = isSelf ? [] : ['Members'];
  const remove = useAction(RemoveMemberDocument, { failure: 'Not removed', refetchQueries });
  const transfer = useAction(TransferOwnershipDocument, {
    failure: 'Not transferred',
    refetchQueries: ['Members', 'ProjectRole'],
  });
  if (role === 'OWNER' || !(isAdmin || isSelf)) return null;
  return (
    <RowMenu
      label={`Actions for ${name}`}
      actions={[
        isOwner && {
          label: 'Make owner',
          icon: IconCrown,
          isSeparate: false,
          confirmation: {
            title: `Make ${name} the owner?`,
            text: 'The present owner becomes an admin. Only the new owner can undo this.',
            confirmLabel: 'Transfer ownership',
            onConfirm: () => transfer.runOrThrow({ projectId, userId }),
          },
        },
        {
          label: isSelf ? 'Leave project' : 'Remove',
          icon: isSelf ? IconDoorExit : IconUserMinus,
          confirmation: {
            title: isSelf ? 'Leave this project?' : `Remove ${name}?`,
            text: `${isSelf ? 'You lose' : `${name} loses`} access at once. Runs that are in progress continue.`,
            confirmLabel: isSelf ? 'Leave project' : 'Remove member',
            onConfirm: async () => {
              await remove.runOrThrow({ projectId, id });
              if (isSelf) await navigate({ to: '/projects' });
            },
          },
        },
      ]}
    />
  );
}
