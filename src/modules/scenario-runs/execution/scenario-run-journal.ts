import type { ScenarioEvent } from '../../../engine/scenario/events/run-event.js';
import type { Sql } from '../../../platform/database/database.js';
import { queries } from '../../../platform/database/typed-queries.js';
import type { Viewer } from '../../accounts/viewer.js';
import { isVisible } from '../../projects/access.js';
import type { ScenarioRunTables } from '../scenario-run-tables.js';

/** `sequence` counts the events of a run, from 1. */
export type JournalEvent = ScenarioEvent & { sequence: number };

export interface JournalReading {
  status: string;
  sequence: number;
  /** Those after the sequence that was asked for. */
  events: JournalEvent[];
}

/** Undefined when there is no such run (any more), or none that `viewer`, when given, may see. */
export async function readJournal(
  sql: Sql,
  runId: number,
  afterSequence = 0,
  viewer: Viewer | null = null,
): Promise<JournalReading | undefined> {
  const row = await queries<ScenarioRunTables>(sql)
    .selectFrom('scenario_run as r')
    .select(['r.status', 'r.sequence'])
    .select(({ selectFrom }) =>
      selectFrom('scenario_run_journal as j')
        .select(({ fn }) =>
          fn.agg<JournalEvent[][]>('json_agg', ['j.events']).orderBy('j.first_sequence').as('batches'),
        )
        .whereRef('j.run_id', '=', 'r.id')
        .where('j.last_sequence', '>', afterSequence)
        .as('batches'),
    )
    .where('r.id', '=', runId)
    .$if(viewer !== null, query => query.where(isVisible(viewer!, 'r.project_id')))
    .executeTakeFirst();
  if (!row) return undefined;
  const events = (row.batches ?? []).flat().filter(event => event.sequence > afterSequence);
  return { status: row.status, sequence: row.sequence, events };
}
