import type { Database } from '../../../platform/database/database.js';
import { NOW, queryBuilder } from '../../../platform/database/typed-queries.js';
import { deleteInBatches } from '../../../platform/sql/delete-in-batches.js';
import type { ProjectTables } from '../project-tables.js';

/** Deletes expired invitations. An expired invitation cannot be accepted even before its deletion. */
export class InvitationRetention {
  constructor(private readonly database: Database) {}

  /** Safe to repeat and to run concurrently in several processes. */
  async run(): Promise<void> {
    await deleteInBatches(rows =>
      queryBuilder<ProjectTables>(this.database)
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
