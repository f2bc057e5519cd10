import { Badge, Group, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconPencil, IconPlug, IconPlugConnected, IconTrash } from '@/icons';
import { useAction } from '@/shared/forms/use-action';
import type { Column } from '@/shared/lists/data-table';
import { RowMenu } from '@/shared/lists/row-menu';
import { notifyProblem, notifySuccess } from '@/shared/notify';
import { kindLabelOf } from '@/shared/project/connection-kinds';
import { RelativeTime } from '@/shared/time';
import { PagedSection } from '../paged-section';
import { ConnectionDialog } from './connection-dialog';
import { USER_AUTHORIZED_KINDS } from './connection-settings';
import {
  type ConnectionDetailFragment,
  DeleteConnectionDocument,
  ProjectConnectionsDocument,
  TestConnectionDocument,
} from './connections.generated';
import { useAuthorization } from './use-authorization';

/** The credentials of the project for other services. */
export function ConnectionsSection() {
  return (
    <PagedSection
      document={ProjectConnectionsDocument}
      listOf={data => data.projectConnections}
      title="Connections"
      description="Nodes name a connection by its id. Its credentials never appear in workflows, runs and logs."
      columnsOf={columnsOf}
      empty={{
        icon: IconPlug,
        title: 'No connections',
        children:
          'A connection holds the key, password or authorization for another service, so that nodes can use it.',
      }}
      createLabel="New connection"
      dialog={onClose => <ConnectionDialog connection={null} onClose={onClose} />}
    />
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
  { id: 'kind', header: 'Kind', isWide: true, cell: ({ kind }) => kindLabelOf(kind) },
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
          USER_AUTHORIZED_KINDS.includes(kind) && {
            label: 'Authorize',
            icon: IconPlugConnected,
            onClick: () => void authorize(id),
          },
          { label: 'Test', icon: IconPlug, onClick: () => void runTest() },
          { label: 'Edit', icon: IconPencil, onClick: edition.open },
          {
            label: 'Delete',
            icon: IconTrash,
            confirmation: {
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
