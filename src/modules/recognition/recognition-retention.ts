import type { Database } from '../../platform/database/database.js';
import { clearRows } from '../../platform/sql/clear-rows.js';

/** Runs that one round of statements looks at. */
const BATCH = 20;

/**
 * Runs that no search needs: failed ones, and those whose document has a newer finished run with enabled chunks.
 * The newest readable text of a document stays as long as the document does.
 */
const DUE = `
  select r.id from recognition_run r
   where r.finished_at < now() - make_interval(days => $1)
     and (r.state = 'error' or exists (
       select from recognition_run n
        where n.document_id = r.document_id and n.state = 'finished' and n.id > r.id
          and exists (select from recognition_chunk c where c.run_id = n.id and c.is_enabled)))
   order by r.id limit ${BATCH}`;

/** Deletes expired recognition runs with their chunks, oldest first. */
export class RecognitionRetention {
  constructor(
    private readonly database: Database,
    private readonly ttlDays: number,
  ) {}

  /** Safe to run twice, and beside itself in another process. */
  async run(): Promise<void> {
    for (;;) {
      const ids = (await this.database.query<{ id: number }>(DUE, [this.ttlDays])).map(({ id }) => id);
      if (ids.length === 0) return;
      // A long document has 100,000 chunks: they go a batch at a time, the rows of the runs last.
      await clearRows(this.database, {
        table: 'recognition_chunk',
        id: 'id',
        condition: 'run_id = any($1::int[])',
        values: [ids],
      });
      await this.database.query('delete from recognition_run where id = any($1::int[])', [ids]);
    }
  }
}
