import type { ScenarioEvent } from '../../../engine/scenario/events/run-event.js';
import type { Sql } from '../../../platform/database/database.js';
import { queryBuilder } from '../../../platform/database/typed-queries.js';
import type { Viewer } from '../../accounts/viewer.js';
import { isVisible } from '../../projects/access.js';
import type { ScenarioRunTables } from '../scenario-run-tables.js';

/** An event with its number within the run, from 1. */
export type JournalEvent = ScenarioEvent & { sequence: number };

export interface JournalPage {
  status: string;
  sequence: number;
  /** The events after the requested sequence. */
  events: JournalEvent[];
}

/** Reads the journal after `afterSequence`. Returns undefined if the run does not exist or `viewer` has no access. */
export async function readJournal(
  sql: Sql,
  runId: number,
  afterSequence = 0,
  viewer: Viewer | null = null,
): Promise<JournalPage | undefined> {
  const row = await queryBuilder<ScenarioRunTables>(sql)
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
