import { progressOf, resultOf } from '../../../engine/workflow/run/progress.js';
import { fromStoredResult } from '../../../engine/workflow/run/stored-result.js';
import { type Expression, expression } from '../../../platform/database/typed-queries.js';
import { batchesSql, engineEvents, eventsOfBatches, type JournalBatch } from './run-journal.js';

interface StoredResult {
  data?: unknown;
}

/** A result as `resultSql` reads it. */
export interface ResultRow {
  result: unknown;
  journal: JournalBatch[] | null;
}

/** SQL condition: the entries of the nodes are left out of the result of `payload`, its journal has them. */
const leavesOutEntries = (payload: string) => `${payload}.result is not null and ${payload}.result -> 'data' is null`;

/** SQL columns `result` and `journal` of a row of payloads: what `resultOfRow` makes a result of. Null where `condition` fails. */
export function resultSql(payload: string, condition = 'true'): string {
  return `case when ${condition} then ${payload}.result end as result, case when ${condition} and ${leavesOutEntries(payload)}
    then (${batchesSql(`${payload}.run_id`, `${payload}.run_created_at`)}) end as journal`;
}

/** SQL expression: bytes of the text of a result, about. What its journal has counts with it. */
export function resultBytesSql(payload: string): string {
  return `(coalesce(octet_length(${payload}.result::text), 0) + case when ${leavesOutEntries(payload)}
    then coalesce((select sum(octet_length(j.events::text)) from workflow_run_journal j
                    where j.run_id = ${payload}.run_id and j.run_created_at = ${payload}.run_created_at), 0)::int else 0 end)`;
}

/** The columns of `resultSql` for typed queries. */
export function resultColumns(payload: string, condition: Expression<boolean>) {
  const journal = expression.raw(batchesSql(`${payload}.run_id`, `${payload}.run_created_at`));
  return [
    expression<unknown>`case when ${condition} then ${expression.ref(`${payload}.result`)} end`.as('result'),
    expression<JournalBatch[] | null>`case when ${condition} and ${expression.raw(leavesOutEntries(payload))}
      then (${journal}) end`.as('journal'),
  ] as const;
}

/** `resultBytesSql` for typed queries. */
export function resultBytes(payload: string) {
  return expression<number>`${expression.raw(resultBytesSql(payload))}`;
}

/** The whole result. A run that ended by its own events left its entries out: they are what these events make. */
export function resultOfRow<Result extends { data: unknown }>({ result, journal }: ResultRow): Result | null {
  const stored = result as (StoredResult & Result) | null;
  if (stored === null || journal === null) return fromStoredResult(stored);
  const { data } = resultOf(progressOf(engineEvents(eventsOfBatches(journal))));
  return { data, ...(stored as object) } as Result;
}
