import type { Database, Sql } from '../../../platform/database/database.js';
import { NOW, queryBuilder } from '../../../platform/database/typed-queries.js';
import { InvalidInputError, NotFoundError } from '../../../platform/errors/errors.js';
import type { AccountTables } from '../account-tables.js';
import { recordAuditEvent } from '../audit.js';
import type { Viewer } from '../viewer.js';
import type { UserSession } from './user-session.type.js';

/** Maximum number of sessions in a list. */
export const MAX_SESSIONS = 100;

/** Lists and ends the sessions of the viewer. */
export class UserSessionService {
  constructor(private readonly database: Database) {}

  /** Returns the active sessions of the viewer, most recently used first. */
  async list(viewer: Viewer): Promise<UserSession[]> {
    const rows = await activeSessions(this.database, viewer)
      .select(['id', 'created_at as createdAt', 'expires_at as expiresAt', 'address', 'user_agent as userAgent'])
      .select(({ fn }) => fn.coalesce('last_used_at', 'created_at').as('lastUsedAt'))
      .orderBy('lastUsedAt', 'desc')
      .orderBy('id', 'desc')
      .limit(MAX_SESSIONS)
      .execute();
    return rows.map(row => ({ ...row, isCurrent: row.id === viewer.sessionId }));
  }

  /**
   * Ends sessions of the viewer, or of any user for administrators, and returns how many were active.
   *
   * @throws NotFoundError without any effect, if a session does not exist or the viewer may not end it
   */
  async revoke(viewer: Viewer, ids: readonly string[]): Promise<number> {
    const wanted = [...new Set(ids)];
    if (wanted.length === 0 || wanted.length > MAX_SESSIONS)
      throw new InvalidInputError({ ids: [`Name 1 to ${MAX_SESSIONS} sessions.`] });
    return this.database.transaction(async sql => {
      const { found } = await queryBuilder<AccountTables>(sql)
        .selectFrom('user_session')
        .select(({ fn }) => fn.countAll<number>().as('found'))
        .$if(!viewer.isAdmin, query => query.where('user_id', '=', viewer.userId))
        .where('id', 'in', wanted)
        .executeTakeFirstOrThrow();
      if (found < wanted.length) throw new NotFoundError();
      const ended = await queryBuilder<AccountTables>(sql)
        .updateTable('user_session')
        .set({ ended_at: NOW })
        .$if(!viewer.isAdmin, query => query.where('user_id', '=', viewer.userId))
        .where('id', 'in', wanted)
        .where('ended_at', 'is', null)
        .where('expires_at', '>', NOW)
        .returning('user_id as userId')
        .execute();
      for (const userId of new Set(ended.map(session => session.userId)))
        await recordAuditEvent(sql, viewer, {
          action: 'session.revoke',
          object: { type: 'user', id: userId },
          detail: { sessions: ended.filter(session => session.userId === userId).length },
        });
      return ended.length;
    });
  }
}

function activeSessions(sql: Sql, viewer: Viewer) {
  return queryBuilder<AccountTables>(sql)
    .selectFrom('user_session')
    .where('user_id', '=', viewer.userId)
    .where('ended_at', 'is', null)
    .where('expires_at', '>', NOW);
}
