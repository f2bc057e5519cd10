import type { Sql } from '../../platform/database/database.js';
import { NOW, queryBuilder } from '../../platform/database/typed-queries.js';
import type { ProjectTables } from './project-tables.js';

/** Disables the webhook of a project if its URL is still `url`. */
export async function disableWebhook(sql: Sql, { projectId, url }: { projectId: number; url: string }): Promise<void> {
  await queryBuilder<ProjectTables>(sql)
    .updateTable('project')
    .set({ is_webhook_enabled: false, updated_at: NOW })
    .where('id', '=', projectId)
    .where('webhook_url', '=', url)
    .where('is_webhook_enabled', '=', true)
    .execute();
}
