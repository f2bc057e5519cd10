import type { Sql } from '../../../platform/database/database.js';
import { expression, queryBuilder } from '../../../platform/database/typed-queries.js';
import { deleteInBatches } from '../../../platform/sql/delete-in-batches.js';
import type { RunTables } from '../run-tables.js';

/** Minutes for which an event is kept for waits that begin later. */
export const KEPT_MINUTES = 60;
/** Days after which an event is deleted for which no job has looked for waits yet (`delivered_at`). */
const UNMATCHED_DAYS = 7;

/** Deletes waits of ended runs, then old events that no wait needs. Safe to repeat and to run concurrently. */
export async function deleteOldEvents(database: Sql): Promise<void> {
  await deleteInBatches(rows =>
    queryBuilder<RunTables>(database)
      .deleteFrom('workflow_run_event_wait')
      .where('id', 'in', ({ selectFrom }) =>
        selectFrom('workflow_run_event_wait as w')
          .innerJoin('workflow_run as r', 'r.id', 'w.run_id')
          .select('w.id')
          .where('r.run_finished_at', 'is not', null)
          .limit(rows)
          .forUpdate('w')
          .skipLocked(),
      )
      .returning('id')
      .execute(),
  );
  await deleteInBatches(rows =>
    queryBuilder<RunTables>(database)
      .deleteFrom('workflow_event')
      .where('id', 'in', ({ selectFrom }) =>
        selectFrom('workflow_event as e')
          .select('e.id')
          .where('e.sent_at', '<', expression<Date>`now() - make_interval(mins => ${KEPT_MINUTES})`)
          .where(({ or, eb }) =>
            or([
              eb('e.delivered_at', 'is not', null),
              eb('e.sent_at', '<', expression<Date>`now() - make_interval(days => ${UNMATCHED_DAYS})`),
            ]),
          )
          .where(({ not, exists, selectFrom: select }) =>
            not(exists(select('workflow_run_event_wait as w').select('w.id').whereRef('w.event_id', '=', 'e.id'))),
          )
          .limit(rows)
          .forUpdate('e')
          .skipLocked(),
      )
      .returning('id')
      .execute(),
  );
}
