import type { Sql } from '../../../platform/database/database.js';

/** Statements that delete the rows of a user (`$1`) in the tables of all modules. Runs, the ledger and the audit log remain. */
const PERSONAL_ROWS = [
  'delete from user_session where user_id = $1',
  'delete from project_member where user_id = $1',
  'delete from project_invitation where invited_by_id = $1 or email = (select email from app_user where id = $1)',
  'delete from idempotency_key where user_id = $1',
  'delete from workflow_bookmark where user_id = $1',
  'delete from prompt where owner_id = $1 and project_id is null',
];

const OWNED_PROJECTS = `select project_id as id from project_member where user_id = $1 and role = 'owner' order by project_id`;

/** Deletes the personal rows of a user. Uses raw SQL, because the tables belong to dependent modules. */
export async function deletePersonalRows(sql: Sql, userId: number): Promise<void> {
  for (const statement of PERSONAL_ROWS) await sql.query(statement, [userId]);
}

/** Returns the ids of the projects that a user owns. Uses raw SQL, because the table belongs to a dependent module. */
export async function readOwnedProjects(sql: Sql, userId: number): Promise<number[]> {
  const rows = await sql.query<{ id: number }>(OWNED_PROJECTS, [userId]);
  return rows.map(({ id }) => id);
}
