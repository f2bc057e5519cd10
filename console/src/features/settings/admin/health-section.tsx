import { useQuery } from '@apollo/client/react';
import { Anchor, SimpleGrid, Stack } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { QueryView } from '@/shared/layout/query-view';
import { Section } from '@/shared/layout/section';
import { StatCard } from '@/shared/layout/stat-card';
import { type Column, DataTable } from '@/shared/lists/data-table';
import { labelOfState } from '@/shared/status-badge';
import { Duration, RelativeTime } from '@/shared/time';
import { ServiceHealthDocument, type ServiceHealthQuery } from './admin.generated';

type ServiceQueue = NonNullable<ServiceHealthQuery['serviceHealth']>['queues'][number];

const POLL_MS = 10_000;
const ROLES = { ALL: 'Responds and executes runs', API: 'Responds to requests', WORKER: 'Executes runs' };

const count = (value: number) => <span className="tabular">{value.toLocaleString('en')}</span>;

const columns: Column<ServiceQueue>[] = [
  { id: 'kind', header: 'Work', cell: ({ kind }) => labelOfState(kind) },
  { id: 'queued', header: 'Queued', align: 'end', cell: ({ queued }) => count(queued) },
  { id: 'running', header: 'Running', align: 'end', cell: ({ running }) => count(running) },
  { id: 'waiting', header: 'Waiting', align: 'end', isWide: true, cell: ({ waiting }) => count(waiting) },
  {
    id: 'oldest',
    header: 'Oldest in queue',
    align: 'end',
    cell: ({ oldestQueuedSeconds }) => <Duration seconds={oldestQueuedSeconds} />,
  },
  {
    id: 'dead',
    header: 'Dead letters',
    align: 'end',
    isWide: true,
    cell: ({ kind, deadLetters }) =>
      deadLetters === 0 ? (
        count(0)
      ) : (
        <Anchor
          fz="sm"
          renderRoot={props => <Link {...props} to="/admin" search={{ section: 'dead-letters', kind } as never} />}
        >
          {deadLetters.toLocaleString('en')}
        </Anchor>
      ),
  },
];

/** The queues, the database and the version, kept current. */
export function HealthSection() {
  const query = useQuery(ServiceHealthDocument, { pollInterval: POLL_MS, fetchPolicy: 'cache-and-network' });
  return (
    <QueryView query={query}>
      {({ serviceHealth: health, maintenance }) => (
        <Stack gap="xl">
          <SimpleGrid cols={{ base: 1, xs: 2, md: 4 }}>
            <StatCard label="Database" note={health.isDatabaseWritable ? 'Accepts writes' : 'Refuses writes'}>
              {health.isDatabaseWritable ? 'Available' : 'Read-only'}
            </StatCard>
            <StatCard
              label="Maintenance mode"
              note={maintenance.isOn ? 'Requests are refused' : 'Requests are accepted'}
            >
              {maintenance.isOn ? 'On' : 'Off'}
            </StatCard>
            <StatCard label="Version" note={ROLES[health.role]}>
              {health.version}
            </StatCard>
            <StatCard label="Process started" note="The process that responded">
              <RelativeTime at={health.startedAt} />
            </StatCard>
          </SimpleGrid>
          <Section isPlain title="Queues" description="Unfinished work of all processes. Refreshed every 10 seconds.">
            <DataTable label="Queues" columns={columns} rows={health.queues} keyOf={({ kind }) => kind} empty={null} />
          </Section>
        </Stack>
      )}
    </QueryView>
  );
}
