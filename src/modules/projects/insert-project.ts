import type { Sql } from '../../platform/database/database.js';
import { NotFoundError } from '../../platform/errors/errors.js';

export interface NewProject {
  name: string;
  webhookUrl?: string;
  isWebhookEnabled?: boolean;
}

/** Inserts a project with its owner, in the transaction of `sql`, and returns its id. Every new project comes from here. */
export async function insertProject(sql: Sql, ownerId: number, project: NewProject): Promise<number> {
  const { name, webhookUrl = '', isWebhookEnabled = false } = project;
  const [row] = await sql.query<{ id: number }>(
    'insert into project (name, webhook_url, is_webhook_enabled) values ($1, $2, $3) returning id',
    [name, webhookUrl, isWebhookEnabled],
  );
  // Waits for a deletion of the user that is under way.
  const owners = await sql.query(
    `insert into project_member (project_id, user_id, role)
     select $1, id, 'owner' from (select id from app_user where id = $2 and deleted_at is null for key share) u
     returning id`,
    [row!.id, ownerId],
  );
  if (owners.length === 0) throw new NotFoundError();
  return row!.id;
}
