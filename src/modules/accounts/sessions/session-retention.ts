import type { Database } from '../../../platform/database/database.js';
import { expression, NOW, queryBuilder } from '../../../platform/database/typed-queries.js';
import { deleteInBatches } from '../../../platform/sql/delete-in-batches.js';
import type { AccountTables } from '../account-tables.js';
import { endedWindows, KNOWN_CLIENT_DAYS } from '../users/login-throttle.js';

/**
 * Retention of ended sessions in hours. It is longer than the lifetime of an access token, because the token is checked
 * against the row.
 */
const ENDED_HOURS = 24;
const ENDED_BEFORE = expression<Date>`now() - make_interval(hours => ${ENDED_HOURS})`;

/** Deletes expired sessions, refresh tokens, sign-in links, windows of login attempts and known clients of users. */
export class SessionRetention {
  constructor(private readonly database: Database) {}

  /** Safe to repeat and to run concurrently in several processes. */
  async run(): Promise<void> {
    // Tokens are deleted first. Otherwise the cascade from a session with many tokens would be one long
    // statement.
    await deleteInBatches(rows => this.#deleteTokens(rows));
    await deleteInBatches(rows => this.#deleteSessions(rows));
    await deleteInBatches(rows => this.#deleteSignInLinks(rows));
    await deleteInBatches(rows => this.#deleteLoginWindows(rows));
    await deleteInBatches(rows => this.#deleteLoginClients(rows));
  }

  #deleteTokens(rows: number) {
    return queryBuilder<AccountTables>(this.database)
      .deleteFrom('refresh_token')
      .where('hash', 'in', ({ selectFrom }) =>
        selectFrom('refresh_token')
          .select('hash')
          .where(({ eb, or }) =>
            or([
              eb('expires_at', '<', NOW),
              eb('session_id', 'in', selectFrom('user_session').select('id').where('ended_at', '<', ENDED_BEFORE)),
            ]),
          )
          .limit(rows)
          .forUpdate()
          .skipLocked(),
      )
      .returning('session_id')
      .execute();
  }

  #deleteSessions(rows: number) {
    return queryBuilder<AccountTables>(this.database)
      .deleteFrom('user_session')
      .where('id', 'in', ({ selectFrom }) =>
        selectFrom('user_session')
          .select('id')
          .where(({ eb, or }) => or([eb('expires_at', '<', NOW), eb('ended_at', '<', ENDED_BEFORE)]))
          .limit(rows)
          .forUpdate()
          .skipLocked(),
      )
      .returning('id')
      .execute();
  }

  #deleteSignInLinks(rows: number) {
    return queryBuilder<AccountTables>(this.database)
      .deleteFrom('sign_in_link')
      .where('hash', 'in', ({ selectFrom }) =>
        selectFrom('sign_in_link').select('hash').where('expires_at', '<', NOW).limit(rows).forUpdate().skipLocked(),
      )
      .returning('user_id')
      .execute();
  }

  #deleteLoginWindows(rows: number) {
    return queryBuilder<AccountTables>(this.database)
      .deleteFrom('login_brake')
      .where('email_hash', 'in', endedWindows(rows))
      .returning('attempts')
      .execute();
  }

  #deleteLoginClients(rows: number) {
    return queryBuilder<AccountTables>(this.database)
      .deleteFrom('login_client')
      .where('client_hash', 'in', ({ selectFrom }) =>
        selectFrom('login_client')
          .select('client_hash')
          .where('last_login_at', '<', expression<Date>`now() - make_interval(days => ${KNOWN_CLIENT_DAYS})`)
          .limit(rows)
          .forUpdate()
          .skipLocked(),
      )
      .returning('last_login_at')
      .execute();
  }
}
