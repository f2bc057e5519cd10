import type { Database } from '../../../platform/database/database.js';
import { NOW, queries } from '../../../platform/database/typed-queries.js';
import { deleteInBatches } from '../../../platform/sql/delete-in-batches.js';
import type { ProjectTables } from '../project-tables.js';

/** Deletes expired invitations. They can no longer be accepted from the moment they expire. */
export class InvitationRetention {
  constructor(private readonly database: Database) {}

  /** Safe to run twice, and beside itself in another process. */
  async run(): Promise<void> {
    await deleteInBatches(rows =>
      queries<ProjectTables>(this.database)
        .deleteFrom('project_invitation')
        .where('id', 'in', ({ selectFrom }) =>
          selectFrom('project_invitation')
            .select('id')
            .where('expires_at', '<=', NOW)
            .limit(rows)
            .forUpdate()
            .skipLocked(),
        )
        .returning('id')
        .execute(),
    );
  }
}
