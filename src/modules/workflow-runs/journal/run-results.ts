import { progressOf, resultOf } from '../../../engine/workflow/run/progress.js';
import { fromStoredResult } from '../../../engine/workflow/run/stored-result.js';
import { type Expression, expression, expressionBuilder } from '../../../platform/database/typed-queries.js';
import type { RunTables } from '../run-tables.js';
import { engineEvents, eventsOfBatches, type JournalBatch, journalBatches } from './run-journal.js';

interface StoredResult {
  data?: unknown;
}

/** The columns that `resultColumns` selects. */
export interface ResultRow {
  result: unknown;
  journal: JournalBatch[] | null;
}

/** SQL condition: the result of `payload` omits the node entries because the journal contains them. */
function omitsEntries(payload: string) {
  const result = expression.ref(`${payload}.result`);
  return expression<boolean>`${result} is not null and ${result} -> 'data' is null`;
}

/**
 * Selects the columns `result` and `journal` of a payload row for `resultOfRow`. Both are null unless `condition`
 * holds.
 */
export function resultColumns(payload: string, condition: Expression<boolean>) {
  const journal = journalBatches(`${payload}.run_id`, `${payload}.run_created_at`);
  return [
    expression<unknown>`case when ${condition} then ${expression.ref(`${payload}.result`)} end`.as('result'),
    expression<JournalBatch[] | null>`case when ${condition} and ${omitsEntries(payload)} then ${journal} end`.as(
      'journal',
    ),
  ] as const;
}

/** Returns SQL for the approximate bytes of a result, including the journal when it contains the node entries. */
export function resultBytes(payload: string) {
  const ofJournal = expressionBuilder<RunTables>()
    .selectFrom('workflow_run_journal as j')
    .select(expression<number>`sum(octet_length(j.events::text))`.as('bytes'))
    .where('j.run_id', '=', expression.ref<string>(`${payload}.run_id`))
    .where('j.run_created_at', '=', expression.ref<Date>(`${payload}.run_created_at`));
  return expression<number>`(coalesce(octet_length(${expression.ref(`${payload}.result`)}::text), 0)
    + case when ${omitsEntries(payload)} then coalesce(${ofJournal}, 0)::int else 0 end)`;
}

/** Returns the complete result. When the stored result omits the node entries, they are rebuilt from the events. */
export function resultOfRow<Result extends { data: unknown }>({ result, journal }: ResultRow): Result | null {
  const stored = result as (StoredResult & Result) | null;
  if (stored === null || journal === null) return fromStoredResult(stored);
  const { data } = resultOf(progressOf(engineEvents(eventsOfBatches(journal))));
  return { data, ...(stored as object) } as Result;
}
