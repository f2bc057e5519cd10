import { Button, Text } from '@mantine/core';
import { useAction } from '@/shared/forms/use-action';
import { Section } from '@/shared/layout/section';
import { type Column, DataTable } from '@/shared/lists/data-table';
import { useWholeList } from '@/shared/lists/whole-list';
import { useProjectId } from '@/shared/project/use-project';
import { labelOfState } from '@/shared/status-badge';
import { RelativeTime } from '@/shared/time';
import { InvitationsDocument, type InvitationsQuery, RevokeInvitationDocument } from './members.generated';

type Invitation = InvitationsQuery['projectInvitations']['items'][number];

/** The pending invitations. Renders nothing if there are none. */
export function InvitationsSection() {
  const variables = { projectId: useProjectId() };
  const { items } = useWholeList(InvitationsDocument, 'projectInvitations', { variables, pollInterval: 10_000 });
  const columns: Column<Invitation>[] = [
    {
      id: 'email',
      header: 'Email',
      cell: ({ email, invitedBy }) => (
        <>
          <Text fz="sm" fw={500} style={{ overflowWrap: 'anywhere' }}>
            {email}
          </Text>
          {invitedBy && (
            <Text fz="xs" c="dimmed">
              by {invitedBy}
            </Text>
          )}
        </>
      ),
    },
    { id: 'role', header: 'Role', cell: ({ role }) => labelOfState(role) },
    { id: 'sent', header: 'Invited', isWide: true, cell: ({ createdAt }) => <RelativeTime at={createdAt} /> },
    { id: 'end', header: 'Expires', isWide: true, cell: ({ expiresAt }) => <RelativeTime at={expiresAt} /> },
    { id: 'revoke', header: '', align: 'end', width: '6rem', cell: row => <Revoke invitation={row} /> },
  ];
  if (items.length === 0) return null;
  return (
    <Section isPlain title="Pending invitations">
      <DataTable label="Pending invitations" columns={columns} rows={items} keyOf={({ id }) => id} empty={null} />
    </Section>
  );
}

function Revoke({ invitation: { id, email } }: { invitation: Invitation }) {
  const projectId = useProjectId();
  const revoke = useAction(RevokeInvitationDocument, {
    failure: 'Not revoked',
    success: `The invitation of ${email} is revoked.`,
    refetchQueries: ['Invitations'],
  });
  return (
    <Button
      size="compact-sm"
      variant="default"
      loading={revoke.isBusy}
      aria-label={`Revoke the invitation of ${email}`}
      onClick={() => void revoke.run({ projectId, id })}
    >
      Revoke
    </Button>
  );
}
