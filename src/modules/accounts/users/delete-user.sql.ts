import type { Sql } from '../../../platform/database/database.js';

/** What belongs to the person alone, in tables of every module. Runs, the ledger and the audit log stay. */
const PERSONAL_ROWS = [
  'delete from user_session where user_id = $1',
  'delete from project_member where user_id = $1',
  'delete from project_invitation where invited_by_id = $1 or email = (select email from app_user where id = $1)',
  'delete from idempotency_key where user_id = $1',
  'delete from workflow_bookmark where user_id = $1',
  'delete from prompt where owner_id = $1 and project_id is null',
];

const OWNED = `select project_id as id from project_member where user_id = $1 and role = 'owner' order by project_id`;

/** Deletes what belongs to a user alone. Raw, because the tables belong to modules above. */
export async function deletePersonalRows(sql: Sql, userId: number): Promise<void> {
  for (const statement of PERSONAL_ROWS) await sql.query(statement, [userId]);
}

/** The ids of the projects that a user owns. Raw for the same reason. */
export async function readOwnedProjects(sql: Sql, userId: number): Promise<number[]> {
  const rows = await sql.query<{ id: number }>(OWNED, [userId]);
  return rows.map(({ id }) => id);
}
