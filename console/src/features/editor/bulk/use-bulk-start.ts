import type { ApolloClient } from '@apollo/client';
import { useApolloClient } from '@apollo/client/react';
import { useCallback, useEffect, useState } from 'react';
import { problemOf } from '@/api/errors';
import { BulkStartDocument, BulkStatesDocument } from './bulk-start.generated';
import { type BulkRow, MAX_ROWS } from './parse-rows';

/** A row with its run, or with the reason why it has none. */
export interface StartedRow {
  /** From 1. */
  number: number;
  /** The idempotency key. */
  key: string;
  input: Record<string, unknown>;
  runId: string | null;
  /** The state of the run, `REFUSED`, or `NOT_STARTED` when the row can be sent again. */
  state: string;
  createdAt: string | null;
  problem: string | null;
}

const POLLING_MS = 3_000;
const PAGE_SIZE = 100;
const FINAL_STATES = new Set(['SUCCEEDED', 'FAILED', 'CANCELLED', 'REFUSED', 'NOT_STARTED']);

const isFinal = (state: string): boolean => FINAL_STATES.has(state);

/** Starts rows and follows the states of their runs. Rows keep their keys, so sending them again starts only missing runs. */
export function useBulkStart(workflowId: number) {
  const client = useApolloClient();
  const [started, setStarted] = useState<StartedRow[] | null>(null);
  const [isBusy, setIsBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);

  const send = useCallback(
    async (rows: StartedRow[]) => {
      setIsBusy(true);
      setProblem(null);
      try {
        setStarted(await startRows(client, workflowId, rows));
      } catch (error) {
        setProblem(problemOf(error).message);
      } finally {
        setIsBusy(false);
      }
    },
    [client, workflowId],
  );
  const isFollowing = started?.some(({ state }) => !isFinal(state)) ?? false;
  useEffect(() => {
    if (!isFollowing || !started) return;
    let isCurrent = true;
    // Every poll sets new rows, also a failed one, so this effect starts the next poll.
    const timer = setTimeout(async () => {
      const states = await readStates(client, workflowId, started).catch(() => new Map<string, string>());
      if (!isCurrent) return;
      setStarted(rows => rows?.map(row => ({ ...row, state: states.get(row.runId ?? '') ?? row.state })) ?? null);
    }, POLLING_MS);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [client, workflowId, started, isFollowing]);

  return {
    started,
    isBusy,
    problem,
    start: (rows: readonly BulkRow[]) => send(toStartedRows(rows)),
    /** Sends all rows again: rows whose runs were accepted get the same runs. */
    startMissing: () => (started ? send(started) : Promise.resolve()),
    clear: () => setStarted(null),
  };
}

function toStartedRows(rows: readonly BulkRow[]): StartedRow[] {
  const batch = crypto.randomUUID();
  return rows.map(({ key, input }, index) => ({
    number: index + 1,
    key: key ?? `${batch}-${index + 1}`,
    input,
    runId: null,
    state: 'NOT_STARTED',
    createdAt: null,
    problem: null,
  }));
}

async function startRows(client: ApolloClient, workflowId: number, rows: StartedRow[]): Promise<StartedRow[]> {
  const items = rows.map(({ input, key }) => ({ input, idempotencyKey: key }));
  const { data } = await client.mutate({ mutation: BulkStartDocument, variables: { workflowId, items } });
  const payload = data?.workflowRunStartMany;
  const [refusal] = payload?.errors ?? [];
  if (refusal || !payload?.starts) throw new Error(refusal?.message ?? 'The service did not answer.');
  // 201: accepted. Another status is that of a run that was refused and recorded.
  return payload.starts.items.map(({ index, receipt, error }) => ({
    ...rows[index]!,
    runId: receipt?.run.id ?? null,
    state: receipt === null ? 'NOT_STARTED' : receipt.status === 201 ? receipt.run.state : 'REFUSED',
    createdAt: receipt?.run.createdAt ?? null,
    problem: error?.message ?? (receipt && receipt.status !== 201 ? 'Refused: open the run.' : null),
  }));
}

/**
 * The states of the runs by their ids. Reads the runs of the workflow since the oldest row, among which are runs that others
 * started; rows behind twice MAX_ROWS runs keep their states.
 */
async function readStates(client: ApolloClient, workflowId: number, rows: StartedRow[]): Promise<Map<string, string>> {
  const [after] = rows.flatMap(({ createdAt }) => createdAt ?? []).toSorted();
  const states = new Map<string, string>();
  if (after === undefined) return states;
  for (let page = 1; page <= (2 * MAX_ROWS) / PAGE_SIZE; page++) {
    const { data } = await client.query({
      query: BulkStatesDocument,
      variables: { workflowId, after, page },
      fetchPolicy: 'no-cache',
    });
    for (const { id, state } of data?.workflowRuns?.items ?? []) states.set(id, state);
    if ((data?.workflowRuns?.total ?? 0) <= page * PAGE_SIZE) break;
  }
  return states;
}
