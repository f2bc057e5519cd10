import { useQuery } from '@apollo/client/react';
import { Avatar, Badge, Box, Button, Group, Select, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import { IconUserPlus, IconUsers } from '@/icons';
import { useAction } from '@/shared/forms/use-action';
import { EmptyState } from '@/shared/layout/empty-state';
import { ProblemPanel } from '@/shared/layout/problem-panel';
import { Section } from '@/shared/layout/section';
import { type Column, DataTable } from '@/shared/lists/data-table';
import { shownData } from '@/shared/lists/shown-data';
import { useProjectId } from '@/shared/project/use-project';
import { useProjectRole } from '@/shared/project/use-role';
import { labelOfState } from '@/shared/status-badge';
import { RelativeTime } from '@/shared/time';
import { InvitationsSection } from './invitations-section';
import { InviteDialog } from './invite-dialog';
import { MemberMenu } from './member-menu';
import { ChangeMemberRoleDocument, MembersDocument, type MembersQuery } from './members.generated';
import { ROLES } from './roles';

export type Member = MembersQuery['projectMembers']['items'][number];

/** Other people change the list too. */
const POLL_MS = 10_000;
/** As in members.graphql. */
const PAGE_SIZE = 50;

/** The members of the project with their roles, and pending invitations. */
export function MembersSection() {
  const projectId = useProjectId();
  const { isAdmin } = useProjectRole();
  const [isInviting, dialog] = useDisclosure(false);
  const [page, setPage] = useState(1);
  const query = useQuery(MembersDocument, { variables: { projectId, page }, pollInterval: POLL_MS });
  const { error, refetch } = query;
  const data = shownData(query);
  if (error) return <ProblemPanel error={error} onRetry={() => void refetch().catch(() => undefined)} />;
  const columns: Column<Member>[] = [
    {
      id: 'person',
      header: 'Person',
      cell: member => <Person member={member} isSelf={member.userId === data?.me?.id} />,
    },
    { id: 'role', header: 'Role', width: '10rem', cell: member => <RoleCell member={member} /> },
    { id: 'since', header: 'Member since', isWide: true, cell: ({ createdAt }) => <RelativeTime at={createdAt} /> },
    {
      id: 'menu',
      header: '',
      width: '3rem',
      align: 'end',
      cell: member => <MemberMenu member={member} isSelf={member.userId === data?.me?.id} />,
    },
  ];
  return (
    <Stack gap="xl">
      <Section
        isPlain
        title="Members"
        description="Viewers read. Editors change and run. Admins manage members, keys, webhooks and the budget."
        actions={
          isAdmin && (
            <Button leftSection={<IconUserPlus size={16} />} onClick={dialog.open}>
              Invite
            </Button>
          )
        }
      >
        <DataTable
          label="Members"
          columns={columns}
          rows={data?.projectMembers.items}
          pages={{ page, size: PAGE_SIZE, total: data?.projectMembers.total ?? 0, onPage: setPage }}
          keyOf={({ id }) => id}
          empty={
            <EmptyState icon={IconUsers} title="No members">
              Invite people to work on this project.
            </EmptyState>
          }
        />
      </Section>
      {isAdmin && <InvitationsSection />}
      <InviteDialog isOpen={isInviting} onClose={dialog.close} />
    </Stack>
  );
}

function Person({ member: { name, email }, isSelf }: { member: Member; isSelf: boolean }) {
  return (
    <Group gap="sm" wrap="nowrap">
      <Avatar size={30} radius="xl" name={name || email} color="brand" aria-hidden visibleFrom="sm" />
      <Box style={{ minWidth: 0 }}>
        <Group gap={6} wrap="nowrap">
          <Text fz="sm" fw={500} truncate>
            {name || email}
          </Text>
          {isSelf && (
            <Badge size="xs" variant="default">
              You
            </Badge>
          )}
        </Group>
        {name !== '' && (
          <Text fz="xs" c="dimmed" truncate>
            {email}
          </Text>
        )}
      </Box>
    </Group>
  );
}

function RoleCell({ member }: { member: Member }) {
  const projectId = useProjectId();
  const { isAdmin } = useProjectRole();
  const change = useAction(ChangeMemberRoleDocument, { failure: 'Role not changed', refetchQueries: ['Members'] });
  const { id, role, name, email } = member;
  if (role === 'OWNER' || !isAdmin) return <Text fz="sm">{labelOfState(role)}</Text>;
  return (
    <Select
      size="xs"
      aria-label={`Role of ${name || email}`}
      data={ROLES}
      value={role}
      disabled={change.isBusy}
      allowDeselect={false}
      onChange={value => value && value !== role && void change.run({ projectId, id, role: value as Member['role'] })}
    />
  );
}
