import { randomUUID } from 'node:crypto';
import type { Sql } from '../../../platform/database/database.js';
import { ConflictError, NotFoundError } from '../../../platform/errors/errors.js';
import { deleteKeysOf } from '../api-keys/delete-keys.js';

/** Projects that a refusal names. */
const NAMED_PROJECTS = 5;

/** What belongs to the person alone. Runs, the ledger and the audit log stay. */
const PERSONAL_ROWS = [
  'delete from user_session where user_id = $1',
  'delete from project_member where user_id = $1',
  'delete from project_invitation where invited_by_id = $1 or email = (select email from app_user where id = $1)',
  'delete from idempotency_key where user_id = $1',
  'delete from workflow_bookmark where user_id = $1',
  'delete from prompt where owner_id = $1 and project_id is null',
];

/**
 * Takes the personal data out of a user's row and deletes what belongs to the person alone: credentials, memberships,
 * invitations, bookmarks and prompts outside projects. The email is free afterwards. The row itself stays for the runs and
 * the ledger.
 *
 * @throws NotFoundError when there is no such user
 * @throws ConflictError when the user owns projects
 */
export async function anonymizeUser(sql: Sql, id: number): Promise<void> {
  // Waits for whatever is giving the user a project at this moment, and makes it wait.
  const [user] = await sql.query('select 1 from app_user where id = $1 and deleted_at is null for update', [id]);
  if (!user) throw new NotFoundError();
  const owned = await sql.query<{ id: number }>(
    `select project_id as id from project_member where user_id = $1 and role = 'owner' order by project_id`,
    [id],
  );
  if (owned.length > 0) throw new ConflictError(ownerRefusal(owned.map(project => project.id)));
  for (const statement of PERSONAL_ROWS) await sql.query(statement, [id]);
  await deleteKeysOf(sql, id);
  await sql.query(
    `update app_user set email = $2, name = '', password_hash = null, is_admin = false, is_api_allowed = false,
            disabled_at = coalesce(disabled_at, now()), deleted_at = now() where id = $1`,
    [id, `deleted-${randomUUID()}@deleted.invalid`],
  );
}

function ownerRefusal(ids: number[]): string {
  const named = ids.slice(0, NAMED_PROJECTS).join(', ');
  const more = ids.length > NAMED_PROJECTS ? ` and ${ids.length - NAMED_PROJECTS} more` : '';
  return `The user owns projects (${named}${more}): transfer the ownership or delete them first.`;
}
