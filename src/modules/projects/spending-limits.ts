import type { Sql } from '../../platform/database/database.js';
import { anyInt, NOW, queryBuilder } from '../../platform/database/typed-queries.js';
import type { ProjectTables } from './project-tables.js';

/**
 * Locks the rows of projects before their spent and reserved amounts change. All transactions lock in the order of the ids to
 * avoid deadlocks.
 */
export async function lockProjects(sql: Sql, ids: readonly number[]): Promise<void> {
  await queryBuilder<ProjectTables>(sql)
    .selectFrom('project')
    .select('id')
    .where('id', '=', anyInt(ids))
    .orderBy('id')
    .forNoKeyUpdate()
    .execute();
}

/** Sets the spending limit of a project in US dollars. Null: no limit. */
export async function setProjectBudget(sql: Sql, projectId: number, limitUsd: string | null): Promise<void> {
  await queryBuilder<ProjectTables>(sql)
    .updateTable('project')
    .set({ budget_usd: limitUsd, updated_at: NOW })
    .where('id', '=', projectId)
    .execute();
}

/**
 * Sets the operator limit of a project in US dollars; null: the default of the configuration. Returns the limit with the spent and the
 * reserved amount, or undefined if the project does not exist.
 */
export function setProjectOperatorLimit(sql: Sql, projectId: number, limitUsd: string | null) {
  return queryBuilder<ProjectTables>(sql)
    .updateTable('project')
    .set({ service_limit_usd: limitUsd })
    .where('id', '=', projectId)
    .returning(['service_limit_usd as serviceLimitUsd', 'service_spent_usd as serviceSpentUsd'])
    .returning('service_reserved_usd as serviceReservedUsd')
    .executeTakeFirst();
}
