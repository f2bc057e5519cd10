import type { Database } from '../../platform/database/database.js';
import { anyInt, expression, queryBuilder } from '../../platform/database/typed-queries.js';
import { deleteInBatches } from '../../platform/sql/delete-in-batches.js';
import { RecognitionStatus } from './recognition-run.js';
import type { RecognitionTables } from './recognition-tables.js';

/** Number of runs deleted at a time. */
const BATCH = 20;

/** Deletes expired recognition runs with their chunks, oldest first. */
export class RecognitionRetention {
  constructor(
    private readonly database: Database,
    private readonly ttlDays: number,
  ) {}

  /** Runs once. Safe to repeat and to run concurrently in several processes. */
  async run(): Promise<void> {
    for (;;) {
      const ids = await this.#findDueRuns();
      if (ids.length === 0) return;
      // A long document has 100,000 chunks. They are deleted in batches, before the rows of the runs.
      await deleteInBatches(limit => this.#deleteChunks(ids, limit));
      await queryBuilder<RecognitionTables>(this.database)
        .deleteFrom('recognition_run')
        .where('id', '=', anyInt(ids))
        .execute();
    }
  }

  /**
   * Expired runs that no search uses: failed runs, and runs whose document has a newer finished run with enabled chunks.
   * The newest searchable text of a document is kept. Chunks that are disabled after this query still count: they can be
   * enabled again.
   */
  async #findDueRuns(): Promise<number[]> {
    const rows = await queryBuilder<RecognitionTables>(this.database)
      .selectFrom('recognition_run as r')
      .select('r.id')
      .where('r.finished_at', '<', expression<Date>`now() - make_interval(days => ${this.ttlDays})`)
      .where(({ or, eb, exists, selectFrom }) => {
        const newer = selectFrom('recognition_run as n')
          .select('n.id')
          .whereRef('n.document_id', '=', 'r.document_id')
          .where('n.state', '=', RecognitionStatus.SUCCEEDED)
          .whereRef('n.id', '>', 'r.id')
          .where(newerRun =>
            newerRun.exists(
              newerRun
                .selectFrom('recognition_chunk as c')
                .select('c.id')
                .whereRef('c.run_id', '=', 'n.id')
                .where('c.is_enabled', '=', true),
            ),
          );
        return or([eb('r.state', '=', RecognitionStatus.FAILED), exists(newer)]);
      })
      .orderBy('r.id')
      .limit(BATCH)
      .execute();
    return rows.map(({ id }) => id);
  }

  #deleteChunks(runIds: readonly number[], limit: number) {
    return queryBuilder<RecognitionTables>(this.database)
      .deleteFrom('recognition_chunk')
      .where('id', 'in', ({ selectFrom }) =>
        selectFrom('recognition_chunk')
          .select('id')
          .where('run_id', '=', anyInt(runIds))
          .limit(limit)
          .forUpdate()
          .skipLocked(),
      )
      .returning('id')
      .execute();
  }
}
