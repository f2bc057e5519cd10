import type { Sql } from '../../platform/database/database.js';
import { queryBuilder } from '../../platform/database/typed-queries.js';
import { NotFoundError } from '../../platform/errors/errors.js';
import type { ProjectTables } from './project-tables.js';

/**
 * Locks the row of a project until the transaction ends. The lock serializes changes of the parts of the project, so that concurrent
 * requests cannot exceed a limit of the project or repeat a name.
 * @throws NotFoundError when the project was deleted
 */
export async function lockProject(sql: Sql, projectId: number): Promise<void> {
  const project = await queryBuilder<ProjectTables>(sql)
    .selectFrom('project')
    .select('id')
    .where('id', '=', projectId)
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (!project) throw new NotFoundError();
}
