import type { ScenarioEvent } from '../../../engine/scenario/events/run-event.js';
import type { Sql } from '../../../platform/database/database.js';
import type { Viewer } from '../../accounts/viewer.js';
import { visibleSql } from '../../projects/access.js';

/** `sequence` counts the events of a run, from 1. */
export type JournalEvent = ScenarioEvent & { sequence: number };

export interface JournalReading {
  status: string;
  sequence: number;
  /** Those after the sequence that was asked for. */
  events: JournalEvent[];
}

const READ = `
  select r.status, r.sequence,
         coalesce((select json_agg(j.events order by j.first_sequence) from scenario_run_journal j
                    where j.run_id = r.id and j.last_sequence > $2), '[]') as batches
    from scenario_run r where r.id = $1 and ($3::int is null or ${visibleSql('r.project_id', '$3', '$4')})`;

/** Undefined when there is no such run (any more), or none that `viewer`, when given, may see. */
export async function readJournal(
  sql: Sql,
  runId: number,
  afterSequence = 0,
  viewer: Viewer | null = null,
): Promise<JournalReading | undefined> {
  const [row] = await sql.query<{ status: string; sequence: number; batches: JournalEvent[][] }>(READ, [
    runId,
    afterSequence,
    viewer?.userId ?? null,
    viewer?.isAdmin ?? null,
  ]);
  if (!row) return undefined;
  const events = row.batches.flat().filter(event => event.sequence > afterSequence);
  return { status: row.status, sequence: row.sequence, events };
}
