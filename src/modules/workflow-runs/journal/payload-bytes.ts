import type { Database } from '../../../platform/database/database.js';
import type { WorkflowRun } from '../history/workflow-run.js';
import { resultBytesSql } from './run-results.js';

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

const FROM = `
    from workflow_run_payload p
    join unnest($1::uuid[], $2::timestamptz[]) as asked(id, created_at)
      on p.run_id = asked.id and p.run_created_at = asked.created_at`;
// A result may have left its entries to the journal. Whether it has is not asked of what is not unpacked: either of the two
// is then less than the whole.
const STORED = `pg_column_size(p.input) + greatest(pg_column_size(p.result), (
    select sum(pg_column_size(j.events)) from workflow_run_journal j
     where j.run_id = p.run_id and j.run_created_at = p.run_created_at), 0)::int`;
const BYTES = `octet_length(p.input::text) + ${resultBytesSql('p')}`;
const SIZES = `select p.run_id as id, ${STORED} as stored, case when ${STORED} <= ${SMALL_BYTES} then ${BYTES} end as bytes ${FROM}`;
const UNPACKED = `select p.run_id as id, ${STORED} as stored, ${BYTES} as bytes ${FROM}`;

/**
 * Bytes of the payloads of runs with their journals, in their order, as far as they fit into `maxBytes` together. PostgreSQL unpacks a payload
 * to tell the length of its text: of one that cannot fit, because as it is stored it is too large already, this answers the
 * stored size.
 */
export async function payloadBytes(database: Database, runs: readonly Run[], maxBytes: number): Promise<number[]> {
  const sizes = new Map<string, Size>();
  const measure = async (name: string, query: string, some: readonly Run[]) => {
    const values = [some.map(run => run.id), some.map(run => run.createdAt)];
    for (const size of await database.byKey<Size>(name, query, values)) sizes.set(size.id, size);
  };
  await measure('payload-sizes', SIZES, runs);
  let left = maxBytes;
  const mayFit = ({ id }: Run) => sizes.get(id)?.bytes === null && sizes.get(id)!.stored <= left;
  for (const [index, run] of runs.entries()) {
    if (mayFit(run))
      await measure('payload-bytes', UNPACKED, runs.slice(index).filter(mayFit).slice(0, UNPACKED_AT_ONCE));
    const bytes = sizes.get(run.id)?.bytes ?? 0;
    if (bytes <= left) left -= bytes;
  }
  return runs.map(({ id }) => sizes.get(id)?.bytes ?? sizes.get(id)?.stored ?? 0);
}
