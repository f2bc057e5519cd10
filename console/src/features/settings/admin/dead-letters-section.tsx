import { useQuery } from '@apollo/client/react';
import { Button, Select, Text } from '@mantine/core';
import { useSearch } from '@tanstack/react-router';
import { IconMoodCheck } from '@/icons';
import { useAction } from '@/shared/forms/use-action';
import { EmptyState } from '@/shared/layout/empty-state';
import { ProblemPanel } from '@/shared/layout/problem-panel';
import { Section } from '@/shared/layout/section';
import { type Column, DataTable } from '@/shared/lists/data-table';
import { type ListSearch, listSearch, oneOf, useSetSearch } from '@/shared/lists/list-search';
import { shownData } from '@/shared/lists/shown-data';
import { labelOfState } from '@/shared/status-badge';
import { RelativeTime } from '@/shared/time';
import { DeadLettersDocument, type DeadLettersQuery, RedriveDeadLetterDocument } from './admin.generated';

type DeadLetter = DeadLettersQuery['runsDeadLettered']['items'][number];

const SIZE = 20;
const KINDS = ['WORKFLOW', 'SCENARIO', 'RECOGNITION', 'KEYWORD', 'WEBHOOK'] as const;

const columns: Column<DeadLetter>[] = [
  { id: 'kind', header: 'Kind', cell: ({ kind }) => labelOfState(kind) },
  {
    id: 'error',
    header: 'Error',
    cell: ({ error, subjectId }) => (
      <>
        <Text fz="sm" lineClamp={2} title={error}>
          {error}
        </Text>
        <Text fz="xs" c="dimmed" ff="monospace" style={{ overflowWrap: 'anywhere' }}>
          {subjectId}
        </Text>
      </>
    ),
  },
  { id: 'project', header: 'Project', align: 'end', isWide: true, cell: ({ projectId }) => projectId },
  { id: 'at', header: 'Time', isWide: true, cell: ({ createdAt }) => <RelativeTime at={createdAt} /> },
  { id: 'redrive', header: '', align: 'end', width: '7rem', cell: row => <Redrive letter={row} /> },
];

/** Work that failed because its workers crashed, and webhooks that failed for good. */
export function DeadLettersSection() {
  const search = useSearch({ strict: false }) as Record<string, unknown>;
  const { page = 1 } = listSearch(search);
  const kind = oneOf(search.kind, KINDS);
  const setSearch = useSetSearch<ListSearch & { kind?: DeadLetter['kind'] }>();
  const { data, previousData, error, refetch } = useQuery(DeadLettersDocument, {
    variables: { kind: kind ?? null, page, size: SIZE },
  });
  const list = shownData({ data, previousData, error })?.runsDeadLettered;
  if (error && !list) return <ProblemPanel error={error} onRetry={() => void refetch()} />;
  return (
    <Section
      isPlain
      title="Dead letters"
      description="Runs that failed because their workers crashed, and webhooks that failed for good. Kept for 30 days."
      actions={
        <Select
          size="xs"
          w={140}
          aria-label="Kind"
          placeholder="Any kind"
          clearable
          clearButtonProps={{ 'aria-label': 'Any kind' }}
          data={KINDS.map(value => ({ value, label: labelOfState(value) }))}
          value={kind ?? null}
          onChange={value => setSearch({ kind: (value as DeadLetter['kind'] | null) ?? undefined })}
        />
      }
    >
      <DataTable
        label="Dead letters"
        columns={columns}
        rows={list?.items}
        keyOf={({ id, kind: name }) => `${name} ${id}`}
        empty={
          <EmptyState icon={IconMoodCheck} title="No dead letters">
            Everything that started was finished by a worker.
          </EmptyState>
        }
        pages={{ page, size: SIZE, total: list?.total ?? 0, onPage: next => setSearch({ page: next }) }}
      />
    </Section>
  );
}

function Redrive({ letter: { id, kind } }: { letter: DeadLetter }) {
  const redrive = useAction(RedriveDeadLetterDocument, {
    failure: 'Not started again',
    success: 'Started again.',
    refetchQueries: ['DeadLetters'],
  });
  return (
    <Button size="compact-sm" variant="default" loading={redrive.isBusy} onClick={() => void redrive.run({ id, kind })}>
      Start again
    </Button>
  );
}
