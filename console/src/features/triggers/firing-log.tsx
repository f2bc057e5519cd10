import { useQuery } from '@apollo/client/react';
import { Anchor, Text } from '@mantine/core';
import { useSearch } from '@tanstack/react-router';
import { Section } from '@/shared/layout/section';
import { type Column, DataTable } from '@/shared/lists/data-table';
import { listSearch, useSetSearch } from '@/shared/lists/list-search';
import { shownData } from '@/shared/lists/shown-data';
import { StatusBadge } from '@/shared/status-badge';
import { RelativeTime } from '@/shared/time';
import { shortId } from '@/shared/uuid';
import { RunLink } from './trigger-links';
import { TriggerLogDocument, type TriggerLogQuery } from './triggers.generated';

type Firing = NonNullable<TriggerLogQuery['workflowTrigger']>['firings']['items'][number];

const SIZE = 20;
const POLL_MS = 5_000;
/** The state of a run whose color the badge of an outcome has. */
const BADGE_STATES = {
  STARTED: 'SUCCEEDED',
  WAITING: 'WAITING',
  SKIPPED: 'SKIPPED',
  REFUSED: 'FAILED',
  REJECTED: 'REJECTED',
} as const;
const LABELS = {
  STARTED: 'Started',
  WAITING: 'Waiting',
  SKIPPED: 'Skipped',
  REFUSED: 'Refused',
  REJECTED: 'Rejected',
} as const;

const columns: Column<Firing>[] = [
  {
    id: 'outcome',
    header: 'Outcome',
    cell: ({ outcome, reason }) => (
      <>
        <StatusBadge state={BADGE_STATES[outcome]} label={LABELS[outcome]} />
        {reason !== null && (
          <Text fz="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
            {reason}
          </Text>
        )}
      </>
    ),
  },
  { id: 'at', header: 'Time', cell: ({ createdAt }) => <RelativeTime at={createdAt} /> },
  { id: 'due', header: 'Due', isWide: true, cell: ({ dueAt }) => <RelativeTime at={dueAt} /> },
  {
    id: 'run',
    header: 'Run',
    align: 'end',
    cell: ({ runId }) =>
      runId === null ? (
        '–'
      ) : (
        <Anchor ff="monospace" fz="xs" renderRoot={link => <RunLink {...link} id={runId} />}>
          {shortId(runId)}
        </Anchor>
      ),
  },
];

/** The log of a trigger in the last 30 days. It is polled every few seconds. */
export function FiringLog({ triggerId }: { triggerId: number }) {
  const { page = 1 } = listSearch(useSearch({ strict: false }) as Record<string, unknown>);
  const setSearch = useSetSearch();
  const { data, previousData, error, refetch } = useQuery(TriggerLogDocument, {
    variables: { id: triggerId, page, size: SIZE },
    pollInterval: POLL_MS,
  });
  const list = shownData({ data, previousData, error })?.workflowTrigger?.firings;
  return (
    <Section isPlain title="Log" description="Occurrences and calls of the last 30 days.">
      <DataTable
        query={{ error, refetch }}
        label="Log"
        columns={columns}
        rows={list?.items}
        keyOf={({ id }) => id}
        empty={
          <Text fz="sm" c="dimmed">
            Nothing has happened yet.
          </Text>
        }
        pages={{ page, size: SIZE, total: list?.total ?? 0, onPage: next => setSearch({ page: next }) }}
      />
    </Section>
  );
}
