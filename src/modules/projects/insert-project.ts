import type { Sql } from '../../platform/database/database.js';
import { expression, queryBuilder } from '../../platform/database/typed-queries.js';
import { NotFoundError } from '../../platform/errors/errors.js';
import type { AccountTables } from '../accounts/account-tables.js';
import type { ProjectTables } from './project-tables.js';
import type { ProjectRole } from './rights.js';

export interface NewProject {
  name: string;
  webhookUrl?: string;
  isWebhookEnabled?: boolean;
}

/**
 * Inserts a project with its owner in the transaction of `sql` and returns its id. All projects are created
 * here.
 * @throws NotFoundError if the owner does not exist
 */
export async function insertProject(sql: Sql, ownerId: number, project: NewProject): Promise<number> {
  const { name, webhookUrl = '', isWebhookEnabled = false } = project;
  const tables = queryBuilder<ProjectTables & AccountTables>(sql);
  const { id } = await tables
    .insertInto('project')
    .values({ name, webhook_url: webhookUrl, is_webhook_enabled: isWebhookEnabled })
    .returning('id')
    .executeTakeFirstOrThrow();
  // FOR KEY SHARE waits for a concurrent deletion of the user.
  const owner = await tables
    .insertInto('project_member')
    .columns(['project_id', 'user_id', 'role'])
    .expression(({ selectFrom }) => {
      const user = selectFrom('app_user').select('id').where('id', '=', ownerId).where('deleted_at', 'is', null);
      return selectFrom(user.forKeyShare().as('u')).select(({ val }) => [
        expression<number>`${id}::int`.as('project_id'),
        'u.id',
        val<ProjectRole>('owner').as('role'),
      ]);
    })
    .returning('id')
    .executeTakeFirst();
  if (!owner) throw new NotFoundError();
  return id;
}
