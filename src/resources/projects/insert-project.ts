import type { Sql } from '../../base/database.js';

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
  await sql.query(`insert into project_member (project_id, user_id, role) values ($1, $2, 'owner')`, [
    row!.id,
    ownerId,
  ]);
  return row!.id;
}
