import { useApolloClient } from '@apollo/client/react';
import { ExportMenu } from '@/shared/lists/export-menu';
import { PAGE_SIZE } from './page-window';
import { RunListDocument, type RunListQuery, type RunRowFragment } from './runs.generated';
import { type RunFilterVariables, toPage } from './use-run-list';

const MAX_ROWS = 10_000;
/** The columns of the CSV file and the members of the JSON file, in the order of `valuesOf`. */
const COLUMNS = [
  'id',
  'workflowId',
  'workflow',
  'state',
  'createdAt',
  'startedAt',
  'durationSeconds',
  'costUsd',
  'tags',
];

/** Saves the runs that the filter shows, also those that are not loaded yet. */
export function RunExport({ filter }: { filter: RunFilterVariables }) {
  const client = useApolloClient();
  const load = async (): Promise<RunRowFragment[]> => {
    const rows: RunRowFragment[] = [];
    // Null: the first page. Undefined: there is no further page.
    let after: string | null | undefined = null;
    while (after !== undefined && rows.length < MAX_ROWS) {
      const variables = { ...filter, first: PAGE_SIZE, after };
      const { data } = await client.query({ query: RunListDocument, variables, fetchPolicy: 'no-cache' });
      const page = toPage(data as RunListQuery);
      rows.push(...page.rows);
      after = page.hasNextPage ? page.endCursor : undefined;
    }
    return rows;
  };
  return (
    <ExportMenu
      name="runs"
      unit="run"
      load={load}
      maxRows={MAX_ROWS}
      columns={COLUMNS}
      valuesOf={valuesOf}
      toRecord={run => Object.fromEntries(valuesOf(run).map((value, index) => [COLUMNS[index], value]))}
    />
  );
}

function valuesOf({ id, workflowId, workflow, state, createdAt, runStartedAt, duration, cost, tags }: RunRowFragment) {
  return [id, workflowId, workflow?.title ?? null, state, createdAt, runStartedAt, duration, cost.usd, tags.join(', ')];
}
