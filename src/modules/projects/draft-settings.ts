import type { Sql } from '../../platform/database/database.js';
import { NOW, queryBuilder } from '../../platform/database/typed-queries.js';
import type { ProjectTables } from './project-tables.js';
import type { PublishCheckRequirement } from './publish-check-requirement.js';

/**
 * Sets whether a project uses drafts. Returns whether that changed anything. A changed row stays locked until the
 * commit, so that no revision is published before the caller has updated the workflows.
 */
export async function setUsesDrafts(sql: Sql, projectId: number, usesDrafts: boolean): Promise<boolean> {
  const changed = await queryBuilder<ProjectTables>(sql)
    .updateTable('project')
    .set({ uses_drafts: usesDrafts, updated_at: NOW })
    .where('id', '=', projectId)
    .where('uses_drafts', '<>', usesDrafts)
    .returning('id')
    .executeTakeFirst();
  return changed !== undefined;
}

/** Sets the check that a project requires before it publishes. Returns whether that changed anything. */
export async function setPublishRequirement(
  sql: Sql,
  projectId: number,
  requirement: PublishCheckRequirement,
): Promise<boolean> {
  const changed = await queryBuilder<ProjectTables>(sql)
    .updateTable('project')
    .set({ publish_requirement: requirement, updated_at: NOW })
    .where('id', '=', projectId)
    .where('publish_requirement', '<>', requirement)
    .returning('id')
    .executeTakeFirst();
  return changed !== undefined;
}
