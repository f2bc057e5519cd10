import type { Database } from '../../../platform/database/database.js';
import { clearRows } from '../../../platform/sql/clear-rows.js';
import { KNOWN_CLIENT_DAYS } from '../users/login-brake.js';

/** An ended session opens nothing; its row stays for this long, so that its access tokens expire before it goes. */
const ENDED_HOURS = 24;

/** Deletes sessions, refresh tokens and login windows that no longer decide anything. */
export class SessionRetention {
  constructor(private readonly database: Database) {}

  /** Safe to run twice, and beside itself in another process. */
  async run(): Promise<void> {
    // Tokens first: a session with months of them would otherwise be one long statement.
    await clearRows(this.database, {
      table: 'refresh_token',
      id: 'hash',
      condition: `expires_at < now() or session_id in (
        select id from user_session where ended_at < now() - make_interval(hours => ${ENDED_HOURS}))`,
    });
    await clearRows(this.database, {
      table: 'user_session',
      id: 'id',
      condition: `expires_at < now() or ended_at < now() - make_interval(hours => ${ENDED_HOURS})`,
    });
    await clearRows(this.database, { table: 'login_brake', id: 'email_hash', condition: 'window_ends_at < now()' });
    await clearRows(this.database, {
      table: 'login_client',
      id: 'client_hash',
      condition: `last_login_at < now() - make_interval(days => ${KNOWN_CLIENT_DAYS})`,
    });
  }
}
