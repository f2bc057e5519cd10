import { timeOrderedUuid } from '../../platform/crypto/uuid.js';
import type { Sql } from '../../platform/database/database.js';
import type { Viewer } from './viewer.js';

/** One thing that somebody did. Values that may be secret never go into `detail`. */
export interface Deed {
  /** What was done, by name: `member.add`. */
  action: string;
  /** What it was done to. */
  object: { type: string; id: number | string };
  /** Whose log it belongs to, beside the service's own. */
  projectId?: number | null;
  detail?: Record<string, unknown>;
}

const WRITE = `
  insert into audit_entry (id, action, user_id, user_email, via, address, object_type, object_id, project_id, detail)
  values ($1, $2, nullif($3, 0), (select email from app_user where id = $3), $4, $5, $6, $7, $8, $9)`;

/** Writes who did what, in the transaction that does it: neither is ever there without the other. */
export async function recordDeed(sql: Sql, viewer: Viewer, deed: Deed): Promise<void> {
  const { action, object, projectId = null, detail = {} } = deed;
  await sql.query(WRITE, [
    timeOrderedUuid(),
    action,
    viewer.userId,
    viewer.via,
    viewer.address ?? null,
    object.type,
    String(object.id),
    projectId,
    JSON.stringify(detail),
  ]);
}
