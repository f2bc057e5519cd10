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
  /** Stored bytes, possibly compressed. */
  stored: number;
  /** Bytes of the uncompressed text. Null when the payload may be too large to decompress. */
  bytes: number | null;
}

/**
 * Payloads up to this stored size are decompressed to measure their text. A hundred of the most compressible ones
 * take milliseconds.
 */
const SMALL_BYTES = 8_192;
/**
 * The maximum number of payloads that one statement decompresses. It keeps the statement within its deadline even
 * for the largest runs.
 */
const UNPACKED_AT_ONCE = 8;

/** Returns the keys of runs as a table `requested`. */
export function requestedRuns(ids: Expression<string[]>, createdAts: Expression<Date[]>) {
  return expression<{
    id: string;
    created_at: Date;
  }>`unnest(${ids}::uuid[], ${createdAts}::timestamptz[])`.as<'requested'>(expression`requested(id, created_at)`);
}

/** The values of `requestedRuns`: ids and creation times of the same length and order. */
export interface RequestedValues {
  ids: string[];
  createdAts: Date[];
}

// A result may omit its node entries when the journal has them. Without decompression this is unknown, so the
// larger of the two sizes serves as a lower bound.
const OF_JOURNAL = expressionBuilder<RunTables & { p: RunTables['workflow_run_payload'] }, 'p'>()
  .selectFrom('workflow_run_journal as j')
  .select(expression<number>`sum(pg_column_size(j.events))`.as('bytes'))
  .whereRef('j.run_id', '=', 'p.run_id')
  .whereRef('j.run_created_at', '=', 'p.run_created_at');
const STORED = expression<number>`pg_column_size(p.input) + greatest(pg_column_size(p.result), ${OF_JOURNAL}, 0)::int`;
const BYTES = expression<number>`octet_length(p.input::text) + ${resultBytes('p')}`;

/** Builds the query of sizes, with an expression for `Size.bytes`. */
const sizesQuery =
  (bytes: Expression<number | null>) => (tables: QueryCreator<RunTables>, value: Placeholder<RequestedValues>) =>
    tables
      .selectFrom('workflow_run_payload as p')
      .innerJoin(requestedRuns(value('ids'), value('createdAts')), join =>
        join.onRef('p.run_id', '=', 'requested.id').onRef('p.run_created_at', '=', 'requested.created_at'),
      )
      .select(['p.run_id as id', STORED.as('stored'), expression<number | null>`${bytes}`.as('bytes')]);

const SIZES = keyedQuery<RunTables, RequestedValues, Size>(
  'payload-sizes',
  sizesQuery(expression`case when ${STORED} <= ${expression.lit(SMALL_BYTES)} then ${BYTES} end`),
);
const UNPACKED = keyedQuery<RunTables, RequestedValues, Size>('payload-bytes', sizesQuery(BYTES));

/**
 * Returns the payload sizes in bytes of runs, journals included, in the order of the runs. PostgreSQL must
 * decompress a payload to measure its text. A payload whose stored size already exceeds the rest of `maxBytes` is
 * not decompressed; its stored size is returned.
 */
export async function measurePayloads(database: Database, runs: readonly Run[], maxBytes: number): Promise<number[]> {
  const sizes = new Map<string, Size>();
  const measure = async (read: typeof SIZES, some: readonly Run[]) => {
    const values = { ids: some.map(run => run.id), createdAts: some.map(run => run.createdAt) };
    for (const size of await read(database, values)) sizes.set(size.id, size);
  };
  await measure(SIZES, runs);
  let remaining = maxBytes;
  const mayFit = ({ id }: Run) => sizes.get(id)?.bytes === null && sizes.get(id)!.stored <= remaining;
  for (const [index, run] of runs.entries()) {
    if (mayFit(run)) await measure(UNPACKED, runs.slice(index).filter(mayFit).slice(0, UNPACKED_AT_ONCE));
    const bytes = sizes.get(run.id)?.bytes ?? 0;
    if (bytes <= remaining) remaining -= bytes;
  }
  return runs.map(({ id }) => sizes.get(id)?.bytes ?? sizes.get(id)?.stored ?? 0);
}
