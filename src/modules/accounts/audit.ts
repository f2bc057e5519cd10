import { timeOrderedUuid } from '../../platform/crypto/uuid.js';
import type { Sql } from '../../platform/database/database.js';
import { expression, queries } from '../../platform/database/typed-queries.js';
import type { AccountTables } from './account-tables.js';
import type { Viewer } from './viewer.js';

/** One thing that somebody did. Values that may be secret never go into `detail`. */
export interface AuditEvent {
  /** What was done, by name: `member.add`. */
  action: string;
  /** What it was done to. */
  object: { type: string; id: number | string };
  /** Whose log it belongs to, beside the service's own. */
  projectId?: number | null;
  detail?: Record<string, unknown>;
}

/** Writes who did what, in the transaction that does it: neither is ever there without the other. */
export async function recordAuditEvent(sql: Sql, viewer: Viewer, deed: AuditEvent): Promise<void> {
  const { action, object, projectId = null, detail = {} } = deed;
  await queries<AccountTables>(sql)
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

/** Deletes entries that are kept elsewhere. */
export async function deleteAuditEntries(sql: Sql, ids: readonly string[]): Promise<void> {
  await queries<AccountTables>(sql)
    .deleteFrom('audit_entry')
    .where('id', '=', ({ fn }) => fn.any(expression<string[]>`${ids}::uuid[]`))
    .execute();
}
