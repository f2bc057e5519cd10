import { useQuery } from '@apollo/client/react';
import { Badge, Button, Group, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useSearch } from '@tanstack/react-router';
import { IconPencil, IconPlug, IconPlugConnected, IconPlus, IconTrash } from '@/icons';
import type { Column } from '@/shared/data-table';
import { DataTable } from '@/shared/data-table';
import { EmptyState } from '@/shared/empty-state';
import { listSearch, useSetSearch } from '@/shared/list-search';
import { notifyProblem, notifySuccess } from '@/shared/notify';
import { ProblemPanel } from '@/shared/problem-panel';
import { RowMenu } from '@/shared/row-menu';
import { Section } from '@/shared/section';
import { RelativeTime } from '@/shared/time';
import { useAction } from '@/shared/use-action';
import { useProjectId } from '@/shared/use-project';
import { useProjectRole } from '@/shared/use-role';
import { ConnectionDialog } from './connection-dialog';
import { AUTHORIZED, KINDS } from './connection-kinds';
import {
  type ConnectionDetailFragment,
  DeleteConnectionDocument,
  ProjectConnectionsDocument,
  TestConnectionDocument,
} from './connections.generated';
import { useAuthorization } from './use-authorization';

const SIZE = 20;

/** The credentials of the project for other services. */
export function ConnectionsSection() {
  const projectId = useProjectId();
  const { page = 1 } = listSearch(useSearch({ strict: false }) as Record<string, unknown>);
  const setSearch = useSetSearch<{ page?: number }>();
  const { isEditor } = useProjectRole();
  const [isOpen, dialog] = useDisclosure(false);
  const variables = { projectId, page, size: SIZE };
  const { data, previousData, error, refetch } = useQuery(ProjectConnectionsDocument, { variables });
  const list = (data ?? previousData)?.projectConnections;
  const create = isEditor ? (
    <Button leftSection={<IconPlus size={16} />} onClick={dialog.open}>
      New connection
    </Button>
  ) : undefined;
  return (
    <Section
      isPlain
      title="Connections"
      description="Nodes name a connection by its id. Its credentials never appear in workflows, runs and logs."
      actions={list && list.total > 0 ? create : undefined}
    >
      {error && !list ? (
        <ProblemPanel error={error} onRetry={() => void refetch().catch(() => undefined)} />
      ) : (
        <DataTable
          label="Connections"
          columns={columnsOf(isEditor)}
          rows={list?.items}
          keyOf={({ id }) => id}
          empty={
            <EmptyState icon={IconPlug} title="No connections" action={create}>
              A connection holds the key, password or authorization for another service, so that nodes can use it.
            </EmptyState>
          }
          pages={{ page, size: SIZE, total: list?.total ?? 0, onPage: next => setSearch({ page: next }) }}
        />
      )}
      {isOpen && <ConnectionDialog connection={null} onClose={dialog.close} />}
    </Section>
  );
}

const columnsOf = (isEditor: boolean): Column<ConnectionDetailFragment>[] => [
  {
    id: 'name',
    header: 'Connection',
    cell: ({ id, name, isAuthorized, settings }) => (
      <>
        <Group gap="xs">
          <Text fw={500}>{name}</Text>
          {!isAuthorized && <Badge color="yellow">Not authorized</Badge>}
        </Group>
        <Text fz="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          Id {id} · {settings.baseUrl ?? settings.host ?? settings.tokenUrl ?? 'no base URL'}
        </Text>
      </>
    ),
  },
  { id: 'kind', header: 'Kind', isWide: true, cell: ({ kind }) => KINDS.find(({ value }) => value === kind)?.label },
  { id: 'changed', header: 'Changed', isWide: true, cell: ({ updatedAt }) => <RelativeTime at={updatedAt} /> },
  ...(isEditor
    ? [
        {
          id: 'menu',
          header: '',
          width: '3rem',
          align: 'end',
          cell: connection => <ConnectionMenu connection={connection} />,
        } satisfies Column<ConnectionDetailFragment>,
      ]
    : []),
];

function ConnectionMenu({ connection }: { connection: ConnectionDetailFragment }) {
  const { id, name, kind } = connection;
  const [isEditing, edition] = useDisclosure(false);
  const test = useAction(TestConnectionDocument, { failure: 'Not tested' });
  const authorize = useAuthorization();
  const remove = useAction(DeleteConnectionDocument, {
    failure: 'Not deleted',
    success: `“${name}” is deleted.`,
    refetchQueries: ['ProjectConnections'],
  });
  const runTest = async () => {
    const result = (await test.run({ id }))?.connectionTest?.connectionTest;
    if (result?.isAccepted) notifySuccess(result.message);
    else if (result) notifyProblem(`“${name}” does not work`, result.message);
  };
  return (
    <>
      <RowMenu
        label={`Actions for ${name}`}
        actions={[
          AUTHORIZED.includes(kind) && {
            ...{ label: 'Authorize', icon: IconPlugConnected },
            onClick: () => void authorize(id),
          },
          { label: 'Test', icon: IconPlug, onClick: () => void runTest() },
          { label: 'Edit', icon: IconPencil, onClick: edition.open },
          {
            label: 'Delete',
            icon: IconTrash,
            question: {
              title: `Delete “${name}”?`,
              text: 'Nodes that use it fail from their next request on. This cannot be undone.',
              confirmLabel: 'Delete connection',
              onConfirm: () => remove.runOrThrow({ id }),
            },
          },
        ]}
      />
      {isEditing && <ConnectionDialog connection={connection} onClose={edition.close} />}
    </>
  );
}
