import { Anchor } from '@mantine/core';
import { Link, useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { IconPlayerPlay } from '@/icons';
import { EmptyState } from '@/shared/layout/empty-state';
import { type Column, DataTable } from '@/shared/lists/data-table';
import { Money } from '@/shared/money';
import { useProjectId } from '@/shared/project/use-project';
import { StatusBadge } from '@/shared/status-badge';
import { Duration, RelativeTime } from '@/shared/time';
import type { ScenarioView } from '../scenario-query';

type Run = ScenarioView['runs']['items'][number];

/** The seconds between two times of the API. Null: one of them is not known yet. */
export function secondsBetween(start: string | null, end: string | null): number | null {
  return start === null || end === null ? null : (Date.parse(end) - Date.parse(start)) / 1_000;
}

function RunLink({ id, ...props }: { id: number }) {
  const params = { projectId: String(useProjectId()), scenarioRunId: String(id) };
  return <Link {...props} to="/projects/$projectId/scenarios/runs/$scenarioRunId" params={params} />;
}

const columns: Column<Run>[] = [
  {
    id: 'run',
    header: 'Run',
    cell: ({ id }) => (
      <Anchor fw={500} c="inherit" renderRoot={props => <RunLink {...props} id={id} />}>
        Run {id}
      </Anchor>
    ),
  },
  { id: 'state', header: 'State', cell: ({ status }) => <StatusBadge state={status} /> },
  { id: 'started', header: 'Started', cell: ({ createdAt }) => <RelativeTime at={createdAt} /> },
  {
    id: 'duration',
    header: 'Duration',
    align: 'end',
    isWide: true,
    cell: ({ startedAt, finishedAt }) => <Duration seconds={secondsBetween(startedAt, finishedAt)} />,
  },
  {
    id: 'tokens',
    header: 'Tokens',
    align: 'end',
    isWide: true,
    cell: ({ tokens }) => <span className="tabular">{tokens.total.toLocaleString()}</span>,
  },
  { id: 'cost', header: 'Cost', align: 'end', isWide: true, cell: ({ cost }) => <Money usd={cost.usd} /> },
];

/** The last runs, newest first. */
export function ScenarioRuns({ scenario, action }: { scenario: ScenarioView; action: ReactNode }) {
  const projectId = String(useProjectId());
  const navigate = useNavigate();
  return (
    <DataTable
      label="Runs"
      columns={columns}
      rows={scenario.runs.items}
      keyOf={({ id }) => id}
      onOpen={({ id }) =>
        void navigate({
          to: '/projects/$projectId/scenarios/runs/$scenarioRunId',
          params: { projectId, scenarioRunId: String(id) },
        })
      }
      empty={
        <EmptyState icon={IconPlayerPlay} title="Run it for the first time" action={action}>
          The results of every message, the tokens and the cost appear here.
        </EmptyState>
      }
    />
  );
}
