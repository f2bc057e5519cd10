import type { Database } from '../../../platform/database/database.js';
import { clearRows } from '../../../platform/sql/clear-rows.js';

/** Deletes expired invitations. They can no longer be accepted from the moment they expire. */
export class InvitationRetention {
  constructor(private readonly database: Database) {}

  /** Safe to run twice, and beside itself in another process. */
  async run(): Promise<void> {
    await clearRows(this.database, { table: 'project_invitation', id: 'id', condition: 'expires_at <= now()' });
  }
}
