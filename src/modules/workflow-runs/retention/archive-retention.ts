import type { Database } from '../../../platform/database/database.js';
import { BATCH, deleteRevisions, deleteRuns, deleteWorkflow, dueWorkflow } from './archive-retention.sql.js';

/** Deletes workflows that were archived long ago, and revisions that neither a workflow nor a run names. */
export class ArchiveRetention {
  constructor(
    private readonly database: Database,
    private readonly days: { archive: number; result: number },
  ) {}

  /** Safe to run twice, and beside itself in another process. Ledger rows stay. */
  async run(): Promise<void> {
    const { archive, result } = this.days;
    for (let last = 0; ; ) {
      const id = await dueWorkflow(this.database, { days: archive, last });
      if (id === undefined) break;
      // Its runs first, a batch at a time: with the row they would all go in one statement.
      while ((await deleteRuns(this.database, id)) === BATCH);
      await deleteWorkflow(this.database, id);
      last = id;
    }
    while ((await this.database.transaction(sql => deleteRevisions(sql, result))) === BATCH);
  }
}
