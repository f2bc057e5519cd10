import type { Database } from '../../../platform/database/database.js';
import { keyedQuery, type Placeholder } from '../../../platform/database/prepared-queries.js';
import {
  type Expression,
  expression,
  expressionBuilder,
  type QueryCreator,
} from '../../../platform/database/typed-queries.js';
import type { WorkflowRun } from '../history/workflow-run.js';
import type { RunTables } from '../run-tables.js';
import { resultBytes } from './run-results.js';

type Run = Pick<WorkflowRun, 'id' | 'createdAt'>;

interface Size {
  id: string;
  /** As it is stored, which is perhaps compressed. */
  stored: number;
  /** Of the text; null where it would have to be unpacked and may be large. */
  bytes: number | null;
}

/** Stored bytes that are unpacked at once to learn their size: a hundred of the most compressible take milliseconds. */
const SMALL_BYTES = 8_192;
/** Payloads that one statement unpacks, so that its deadline suffices for the largest that runs may have. */
const UNPACKED_AT_ONCE = 8;

/** Runs by their keys, as a table `asked`. */
export function requestedRuns(ids: Expression<string[]>, createdAts: Expression<Date[]>) {
  return expression<{ id: string; created_at: Date }>`unnest(${ids}::uuid[], ${createdAts}::timestamptz[])`.as<'asked'>(
    expression`asked(id, created_at)`,
  );
}

export interface RequestedValues {
  ids: string[];
  createdAts: Date[];
}

// A result may have left its entries to the journal. Whether it has is not asked of what is not unpacked: either of the two
// is then less than the whole.
const OF_JOURNAL = expressionBuilder<RunTables & { p: RunTables['workflow_run_payload'] }, 'p'>()
  .selectFrom('workflow_run_journal as j')
  .select(expression<number>`sum(pg_column_size(j.events))`.as('bytes'))
  .whereRef('j.run_id', '=', 'p.run_id')
  .whereRef('j.run_created_at', '=', 'p.run_created_at');
const STORED = expression<number>`pg_column_size(p.input) + greatest(pg_column_size(p.result), ${OF_JOURNAL}, 0)::int`;
const BYTES = expression<number>`octet_length(p.input::text) + ${resultBytes('p')}`;

const sizesOf =
  (bytes: Expression<number | null>) => (tables: QueryCreator<RunTables>, value: Placeholder<RequestedValues>) =>
    tables
      .selectFrom('workflow_run_payload as p')
      .innerJoin(requestedRuns(value('ids'), value('createdAts')), join =>
        join.onRef('p.run_id', '=', 'asked.id').onRef('p.run_created_at', '=', 'asked.created_at'),
      )
      .select(['p.run_id as id', STORED.as('stored'), expression<number | null>`${bytes}`.as('bytes')]);

const SIZES = keyedQuery<RunTables, RequestedValues, Size>(
  'payload-sizes',
  sizesOf(expression`case when ${STORED} <= ${expression.lit(SMALL_BYTES)} then ${BYTES} end`),
);
const UNPACKED = keyedQuery<RunTables, RequestedValues, Size>('payload-bytes', sizesOf(BYTES));

/**
 * Bytes of the payloads of runs with their journals, in their order, as far as they fit into `maxBytes` together. PostgreSQL unpacks a payload
 * to tell the length of its text: of one that cannot fit, because as it is stored it is too large already, this answers the
 * stored size.
 */
export async function payloadBytes(database: Database, runs: readonly Run[], maxBytes: number): Promise<number[]> {
  const sizes = new Map<string, Size>();
  const measure = async (read: typeof SIZES, some: readonly Run[]) => {
    const values = { ids: some.map(run => run.id), createdAts: some.map(run => run.createdAt) };
    for (const size of await read(database, values)) sizes.set(size.id, size);
  };
  await measure(SIZES, runs);
  let left = maxBytes;
  const mayFit = ({ id }: Run) => sizes.get(id)?.bytes === null && sizes.get(id)!.stored <= left;
  for (const [index, run] of runs.entries()) {
    if (mayFit(run)) await measure(UNPACKED, runs.slice(index).filter(mayFit).slice(0, UNPACKED_AT_ONCE));
    const bytes = sizes.get(run.id)?.bytes ?? 0;
    if (bytes <= left) left -= bytes;
  }
  return runs.map(({ id }) => sizes.get(id)?.bytes ?? sizes.get(id)?.stored ?? 0);
}
