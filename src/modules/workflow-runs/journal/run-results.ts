import { progressOf, resultOf } from '../../../engine/workflow/run/progress.js';
import { fromStoredResult } from '../../../engine/workflow/run/stored-result.js';
import { type Expression, expression, expressionBuilder } from '../../../platform/database/typed-queries.js';
import type { RunTables } from '../run-tables.js';
import { END_ROW, engineEvents, eventsOfBatches, type JournalBatch, journalBatches } from './run-journal.js';

interface StoredResult {
  data?: unknown;
}

/** What a run ended with. */
export interface Outcome {
  output?: unknown;
  error?: { code?: string; message?: string } | null;
}

/** The columns that `resultColumns` selects. */
export interface ResultRow {
  result: unknown;
  journal: JournalBatch[] | null;
}

/**
 * SQL condition: the journal contains what the stored result of `payload` omits. A run that its worker has ended has no
 * stored result; earlier versions stored it without the node entries.
 */
function isInJournal(payload: string) {
  const result = expression.ref(`${payload}.result`);
  const hasEnded = expressionBuilder<RunTables>()
    .selectFrom('workflow_run as ended')
    .where('ended.id', '=', expression.ref<string>(`${payload}.run_id`))
    .where('ended.run_finished_at', 'is not', null);
  return expression<boolean>`case when ${result} is null then exists ${hasEnded} else ${result} -> 'data' is null end`;
}

/** Selects the journal rows `j` of the run of `payload`. */
function journalOf(payload: string) {
  return expressionBuilder<RunTables>()
    .selectFrom('workflow_run_journal as j')
    .where('j.run_id', '=', expression.ref<string>(`${payload}.run_id`))
    .where('j.run_created_at', '=', expression.ref<Date>(`${payload}.run_created_at`));
}

/**
 * Selects the JSON object with the members `output` and `error` of a result: the stored result of `payload` or the end
 * event of the journal. Null for a run without a result.
 */
export function outcomeOf(payload: string) {
  const endEvent = journalOf(payload).select(expression<Outcome>`j.events -> -1`.as('event')).where(END_ROW);
  return expression<Outcome | null>`coalesce(${expression.ref(`${payload}.result`)}, ${endEvent})`;
}

/**
 * Selects the text in which a search finds a result: the stored result of `payload`, or output and error of the end event on
 * a line each. JSON texts contain no line break, so a searched JSON text is not found across both.
 */
export function outcomeText(payload: string) {
  const endText = journalOf(payload)
    .select(
      expression<string>`concat_ws(chr(10), (j.events -> -1 -> 'output')::text, (j.events -> -1 -> 'error')::text)`.as(
        'text',
      ),
    )
    .where(END_ROW);
  return expression<string | null>`coalesce(${expression.ref(`${payload}.result`)}::text, ${endText})`;
}

/**
 * Selects the columns `result` and `journal` of a payload row for `resultOfRow`. Both are null unless `condition`
 * holds.
 */
export function resultColumns(payload: string, condition: Expression<boolean>) {
  const journal = journalBatches(`${payload}.run_id`, `${payload}.run_created_at`);
  return [
    expression<unknown>`case when ${condition} then ${expression.ref(`${payload}.result`)} end`.as('result'),
    expression<JournalBatch[] | null>`case when ${condition} and ${isInJournal(payload)} then ${journal} end`.as(
      'journal',
    ),
  ] as const;
}

/** Returns SQL for the approximate bytes of a result, including the journal when the result is rebuilt from it. */
export function resultBytes(payload: string) {
  const ofJournal = journalOf(payload).select(expression<number>`sum(octet_length(j.events::text))`.as('bytes'));
  return expression<number>`(coalesce(octet_length(${expression.ref(`${payload}.result`)}::text), 0)
    + case when ${isInJournal(payload)} then coalesce(${ofJournal}, 0)::int else 0 end)`;
}

/** Returns the result so far of a run that has not ended. */
export function resultInProgress(journal: readonly JournalBatch[]) {
  return resultOf(progressOf(engineEvents(eventsOfBatches(journal))));
}

/** Returns the complete result, rebuilt from the events of the journal as far as it is not stored. */
export function resultOfRow<Result extends { data: unknown }>({ result, journal }: ResultRow): Result | null {
  const stored = result as (StoredResult & Result) | null;
  if (journal === null || (stored === null && journal.length === 0)) return fromStoredResult(stored);
  const derived = resultInProgress(journal);
  return (stored === null ? derived : { data: derived.data, ...(stored as object) }) as Result;
}
