import { timeOrderedUuid } from '../../platform/crypto/uuid.js';
import type { Sql } from '../../platform/database/database.js';
import { expression, queryBuilder } from '../../platform/database/typed-queries.js';
import type { AccountTables } from './account-tables.js';
import type { Viewer } from './viewer.js';

/** One recorded action of a viewer. `detail` must not contain secrets. */
export interface AuditEvent {
  /** The name of the action, for example `member.add`. */
  action: string;
  /** The object that the action changed. */
  object: { type: string; id: number | string };
  /** The project whose audit log also shows the entry. Null or absent: only the log of the service shows it. */
  projectId?: number | null;
  detail?: Record<string, unknown>;
}

/** Writes an audit entry. Call it in the transaction of the action, so that both are committed or neither. */
export async function recordAuditEvent(sql: Sql, viewer: Viewer, auditEvent: AuditEvent): Promise<void> {
  const { action, object, projectId = null, detail = {} } = auditEvent;
  await queryBuilder<AccountTables>(sql)
    .insertInto('audit_entry')
    .values(({ selectFrom }) => ({
      ...{ id: timeOrderedUuid(), action, user_id: viewer.userId || null },
      user_email: selectFrom('app_user').select('email').where('id', '=', viewer.userId),
      ...{ via: viewer.via, address: viewer.address ?? null },
      ...{ object_type: object.type, object_id: String(object.id), project_id: projectId },
      detail: JSON.stringify(detail),
    }))
    .execute();
}

/** Deletes entries that have been archived. */
export async function deleteAuditEntries(sql: Sql, ids: readonly string[]): Promise<void> {
  await queryBuilder<AccountTables>(sql)
    .deleteFrom('audit_entry')
    .where('id', '=', ({ fn }) => fn.any(expression<string[]>`${ids}::uuid[]`))
    .execute();
}
