import { useQuery } from '@apollo/client/react';
import { Badge, Box, Button, Group, Text, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useSearch } from '@tanstack/react-router';
import { IconSearch, IconUserPlus, IconUsers } from '@/icons';
import { EmptyState } from '@/shared/layout/empty-state';
import { ProblemPanel } from '@/shared/layout/problem-panel';
import { type Column, DataTable } from '@/shared/lists/data-table';
import { listSearch, useSearchText, useSetSearch } from '@/shared/lists/list-search';
import { shownData } from '@/shared/lists/shown-data';
import { formatUsd, Money } from '@/shared/money';
import { StatusBadge } from '@/shared/status-badge';
import { RelativeTime } from '@/shared/time';
import { type UserRowFragment, UsersDocument } from './admin.generated';
import { CreateUserDialog } from './create-user-dialog';
import { UserMenu } from './user-menu';

const SIZE = 20;

const columnsOf = (ownId: number | undefined): Column<UserRowFragment>[] => [
  {
    id: 'user',
    header: 'User',
    cell: ({ name, email, isAdmin }) => (
      <Box style={{ minWidth: 0 }}>
        <Group gap={6} wrap="nowrap">
          <Text fz="sm" fw={500} style={{ overflowWrap: 'anywhere' }}>
            {name || email}
          </Text>
          {isAdmin && (
            <Badge size="xs" variant="light">
              Admin
            </Badge>
          )}
        </Group>
        {name !== '' && (
          <Text fz="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
            {email}
          </Text>
        )}
      </Box>
    ),
  },
  {
    id: 'state',
    header: 'State',
    isWide: true,
    cell: ({ isDisabled }) => <StatusBadge state={isDisabled ? 'DISABLED' : 'ENABLED'} />,
  },
  { id: 'api', header: 'API', isWide: true, cell: ({ isApiAllowed }) => (isApiAllowed ? 'Allowed' : '–') },
  {
    id: 'limit',
    header: 'Operator limit',
    align: 'end',
    isWide: true,
    cell: ({ operatorLimit }) =>
      operatorLimit ? (
        <>
          <Money usd={operatorLimit.spent.usd} />
          <Text fz="xs" c="dimmed">
            of {formatUsd(operatorLimit.limit.usd)}
          </Text>
        </>
      ) : (
        'None'
      ),
  },
  { id: 'created', header: 'Created', isWide: true, cell: ({ createdAt }) => <RelativeTime at={createdAt} /> },
  {
    id: 'menu',
    header: '',
    width: '3rem',
    align: 'end',
    cell: user => <UserMenu user={user} isSelf={user.id === ownId} />,
  },
];

/** The users of the service with a search. */
export function UsersSection() {
  const { page = 1, q } = listSearch(useSearch({ strict: false }) as Record<string, unknown>);
  const setSearch = useSetSearch();
  const text = useSearchText(q);
  const [isOpen, dialog] = useDisclosure(false);
  const { data, previousData, error, refetch } = useQuery(UsersDocument, {
    variables: { page, size: SIZE, search: q ?? null },
  });
  const shown = shownData({ data, previousData, error });
  if (error && !shown) return <ProblemPanel error={error} onRetry={() => void refetch()} />;
  return (
    <>
      <Group justify="space-between" mb="md" gap="sm">
        <TextInput
          value={text.value}
          onChange={event => text.onChange(event.currentTarget.value)}
          aria-label="Search users"
          placeholder="Name or email"
          leftSection={<IconSearch size={16} />}
          style={{ flex: '1 1 10rem' }}
          maw={320}
        />
        <Button leftSection={<IconUserPlus size={16} />} onClick={dialog.open}>
          New user
        </Button>
      </Group>
      <DataTable
        label="Users"
        columns={columnsOf(shown?.me?.id)}
        rows={shown?.users.items}
        keyOf={({ id }) => id}
        empty={
          <EmptyState icon={IconUsers} title={`No user contains “${q}”`}>
            Try another name or email.
          </EmptyState>
        }
        pages={{ page, size: SIZE, total: shown?.users.total ?? 0, onPage: next => setSearch({ page: next }) }}
      />
      <CreateUserDialog isOpen={isOpen} onClose={dialog.close} />
    </>
  );
}
