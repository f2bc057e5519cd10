import { useQuery } from '@apollo/client/react';
import { Anchor, Button, Group, Modal, Stack, Table, Text } from '@mantine/core';
import { useState } from 'react';
import { IconChecklist } from '@/icons';
import { EmptyState } from '@/shared/layout/empty-state';
import { Section } from '@/shared/layout/section';
import { type Column, DataTable } from '@/shared/lists/data-table';
import { labelOfState } from '@/shared/status-badge';
import { RelativeTime } from '@/shared/time';
import { AuditLogDocument, type AuditRowFragment } from './audit.generated';
import { AuditExport } from './audit-export';
import { AuditFilters } from './audit-filters';
import { toFilter, useAuditSearch } from './audit-search';

const SIZE = 50;

/** The credentials of a request. */
const VIA: Record<AuditRowFragment['via'], string> = {
  API_KEY: 'API key',
  OPERATOR: 'Operator',
  SERVICE: 'Service token',
  SESSION: 'Session',
};
const personOf = ({ userEmail, userId, via }: AuditRowFragment) =>
  userEmail ?? (userId === null ? VIA[via] : `User ${userId}`);

const columnsOf = (open: (entry: AuditRowFragment) => void, hasProjectColumn: boolean): Column<AuditRowFragment>[] => [
  {
    id: 'action',
    header: 'Action',
    cell: entry => (
      <Anchor component="button" type="button" ff="monospace" fz="sm" ta="start" onClick={() => open(entry)}>
        {entry.action}
      </Anchor>
    ),
  },
  {
    id: 'person',
    header: 'Person',
    cell: entry => (
      <Text fz="sm" style={{ overflowWrap: 'anywhere' }}>
        {personOf(entry)}
      </Text>
    ),
  },
  {
    id: 'object',
    header: 'Object',
    isWide: true,
    cell: ({ objectType, objectId }) => (
      <>
        {labelOfState(objectType.replaceAll('-', ' '))}{' '}
        <Text span fz="xs" c="dimmed" ff="monospace" style={{ overflowWrap: 'anywhere' }}>
          {objectId}
        </Text>
      </>
    ),
  },
  ...(hasProjectColumn
    ? [
        {
          id: 'project',
          header: 'Project',
          align: 'end' as const,
          isWide: true,
          cell: ({ projectId }: AuditRowFragment) => projectId ?? '–',
        },
      ]
    : []),
  { id: 'via', header: 'With', isWide: true, cell: ({ via }) => VIA[via] },
  { id: 'at', header: 'Time', cell: ({ createdAt }) => <RelativeTime at={createdAt} /> },
];

/** The audit log of a project or, with `projectId` null, of the whole service. */
export function AuditSection({ projectId }: { projectId: number | null }) {
  const search = useAuditSearch();
  const filter = toFilter(search);
  const [opened, setOpened] = useState<AuditRowFragment | null>(null);
  const { data, error, refetch, fetchMore, loading } = useQuery(AuditLogDocument, {
    variables: { projectId, filter, first: SIZE, after: null },
    notifyOnNetworkStatusChange: true,
    fetchPolicy: 'cache-and-network',
    nextFetchPolicy: 'cache-first',
  });
  const list = data?.auditLogConnection;
  const loadMore = () =>
    fetchMore({
      variables: { after: list?.pageInfo.endCursor ?? null },
      updateQuery: ({ auditLogConnection: before }, { fetchMoreResult: { auditLogConnection: next } }) => ({
        auditLogConnection: before && next && { ...next, nodes: [...before.nodes, ...next.nodes] },
      }),
    }).catch(() => undefined);
  const isFiltered = Object.keys(filter).length > 0;
  return (
    <Section
      isPlain
      title="Audit log"
      description="Who did what and when, with which credentials. Entries never change. Days are in UTC."
      actions={<AuditExport projectId={projectId} filter={filter} />}
    >
      <Stack gap="md">
        <AuditFilters projectId={projectId} search={search} />
        <DataTable
          query={{ error, refetch }}
          label="Audit log"
          columns={columnsOf(setOpened, projectId === null)}
          rows={list?.nodes}
          keyOf={({ id }) => id}
          onOpen={setOpened}
          empty={
            <EmptyState icon={IconChecklist} title={isFiltered ? 'No entry matches' : 'No entries'}>
              {isFiltered ? 'Change the filters.' : 'Changes of members, keys, workflows and settings appear here.'}
            </EmptyState>
          }
        />
        {list?.pageInfo.hasNextPage && (
          <Group justify="center">
            <Button variant="default" loading={loading} onClick={() => void loadMore()}>
              Load older entries
            </Button>
          </Group>
        )}
      </Stack>
      <EntryDialog entry={opened} onClose={() => setOpened(null)} />
    </Section>
  );
}

function EntryDialog({ entry, onClose }: { entry: AuditRowFragment | null; onClose: () => void }) {
  return (
    <Modal opened={entry !== null} onClose={onClose} title={entry?.action} size="lg">
      {entry && (
        <Stack>
          <Facts rows={factsOf(entry)} />
          {entry.isShortened ? (
            <Text fz="sm" c="dimmed">
              The detail is too large for this list. Narrow the filters to read it.
            </Text>
          ) : (
            entry.details.length > 0 && <Facts label="Details" rows={entry.details.map(toRow)} />
          )}
        </Stack>
      )}
    </Modal>
  );
}

type Row = readonly [name: string, value: string];

function Facts({ rows, label }: { rows: readonly Row[]; label?: string }) {
  return (
    <Table variant="vertical" layout="fixed" withTableBorder aria-label={label}>
      <Table.Tbody>
        {rows.map(([name, value]) => (
          <Table.Tr key={name}>
            <Table.Th w="10rem" scope="row" style={{ overflowWrap: 'anywhere' }}>
              {name}
            </Table.Th>
            <Table.Td style={{ overflowWrap: 'anywhere' }}>{value}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}

function toRow({ path, kind, text, number, isTrue }: AuditRowFragment['details'][number]): Row {
  if (kind === 'EMPTY') return [path, 'Empty'];
  if (kind === 'BOOLEAN') return [path, isTrue ? 'Yes' : 'No'];
  return [path, text ?? number?.toString() ?? '–'];
}

function factsOf(entry: AuditRowFragment): Row[] {
  return [
    ['Time', new Date(entry.createdAt).toLocaleString()],
    ['Person', personOf(entry)],
    ['With', VIA[entry.via]],
    ['Address', entry.address ?? '–'],
    ['Object', `${entry.objectType} ${entry.objectId}`],
    ['Project', entry.projectId === null ? '–' : String(entry.projectId)],
  ];
}
