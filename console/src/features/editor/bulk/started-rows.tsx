import { Anchor, Button, Group, Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { toCsv } from '@/shared/lists/csv';
import { type Column, DataTable } from '@/shared/lists/data-table';
import { downloadFile } from '@/shared/lists/download-file';
import { useProjectId } from '@/shared/project/use-project';
import { labelOfState, StatusBadge } from '@/shared/status-badge';
import type { StartedRow } from './use-bulk-start';

const PAGE_SIZE = 50;

export interface StartedRowsProps {
  rows: readonly StartedRow[];
  isBusy: boolean;
  onStartMissing: () => void;
  onClear: () => void;
}

/** The rows of a bulk start with their runs. */
export function StartedRows({ rows, isBusy, onStartMissing, onClear }: StartedRowsProps) {
  const projectId = String(useProjectId());
  const [page, setPage] = useState(1);
  const missing = rows.filter(({ state }) => state === 'NOT_STARTED').length;
  const counts = [...Map.groupBy(rows, ({ state }) => state)]
    .map(([state, { length }]) => `${length} ${labelOfState(state).toLowerCase()}`)
    .join(', ');
  const exportCsv = () =>
    downloadFile(
      'runs.csv',
      'text/csv',
      toCsv(
        ['row', 'idempotency_key', 'run_id', 'state', 'problem'],
        rows.map(({ number, key, runId, state, problem }) => [number, key, runId, state.toLowerCase(), problem]),
      ),
    );
  return (
    <Stack gap="md">
      <Group justify="space-between" gap="sm">
        <Text role="status">{counts}</Text>
        <Group gap="xs">
          <Button variant="default" onClick={exportCsv}>
            Export CSV
          </Button>
          {missing > 0 && (
            <Button variant="default" loading={isBusy} onClick={onStartMissing}>
              Start {missing} missing
            </Button>
          )}
          <Button onClick={onClear}>New rows</Button>
        </Group>
      </Group>
      <DataTable
        label="Rows"
        columns={columnsOf(projectId)}
        rows={rows.slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE)}
        keyOf={({ number }) => number}
        empty={null}
        pages={{ page, size: PAGE_SIZE, total: rows.length, onPage: setPage }}
      />
    </Stack>
  );
}

function columnsOf(projectId: string): Column<StartedRow>[] {
  return [
    {
      id: 'row',
      header: 'Row',
      cell: ({ number, runId }) =>
        runId === null ? (
          number
        ) : (
          <Anchor
            aria-label={`Run of row ${number}`}
            renderRoot={props => (
              <Link {...props} to="/projects/$projectId/runs/$runId" params={{ projectId, runId }} />
            )}
          >
            {number}
          </Anchor>
        ),
    },
    {
      id: 'state',
      header: 'State',
      cell: ({ state, problem }) => (
        <>
          <StatusBadge state={state} />
          {problem !== null && (
            <Text fz="xs" c="dimmed">
              {problem}
            </Text>
          )}
        </>
      ),
    },
    { id: 'key', header: 'Key', isWide: true, cell: ({ key }) => <Text fz="sm">{key}</Text> },
    {
      id: 'input',
      header: 'Input',
      isWide: true,
      cell: ({ input }) => (
        <Text fz="sm" lineClamp={1} maw="24rem">
          {JSON.stringify(input)}
        </Text>
      ),
    },
  ];
}
