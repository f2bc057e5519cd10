import type { Sql } from '../../../platform/database/database.js';
import { expression, NOW, queryBuilder } from '../../../platform/database/typed-queries.js';
import { COPIED_COLUMNS } from '../workflow.service.js';
import type { WorkflowTables } from '../workflow-tables.js';

/** Publishes a workflow on the marketplace. The slug must be unique. */
export async function publishWorkflow(sql: Sql, id: number, slug: string): Promise<void> {
  await queryBuilder<WorkflowTables>(sql)
    .updateTable('workflow')
    .set({ is_published: true, slug, published_at: NOW, updated_at: NOW })
    .where('id', '=', id)
    .execute();
}

/** Withdraws a workflow from the marketplace. Its slug stays, and its copies stay as they are. */
export async function withdrawWorkflow(sql: Sql, id: number): Promise<void> {
  await queryBuilder<WorkflowTables>(sql)
    .updateTable('workflow')
    .set({ is_published: false, updated_at: NOW })
    .where('id', '=', id)
    .execute();
}

/** A copy of a published workflow: its source, its target project and the user. */
export interface MarketCopy {
  sourceId: number;
  projectId: number;
  userId: number;
}

/** Inserts the current terms of the author as the terms of a copy; undefined when the workflow is not published. */
export function insertMarketTerms(
  sql: Sql,
  { sourceId, projectId, userId }: MarketCopy,
  fingerprint: string | null,
): Promise<{ id: number } | undefined> {
  return queryBuilder<WorkflowTables>(sql)
    .insertInto('market_terms')
    .columns(['workflow_id', 'user_id', 'project_id', 'fingerprint', 'run_fee', 'free_runs'])
    .expression(({ selectFrom }) =>
      selectFrom('workflow')
        .select(['id', expression<number>`${userId}::int`.as('user_id')])
        .select(expression<number>`${projectId}::int`.as('project_id'))
        .select(expression<string>`${fingerprint}::text`.as('fingerprint'))
        .select(['run_fee', 'free_runs_per_user'])
        .where('id', '=', sourceId)
        .where('is_published', '=', true),
    )
    .returning('id')
    .executeTakeFirst();
}

/** Records that a user accepted changed terms, which apply to runs of the copied graph from now on. */
export async function acceptMarketTerms(
  sql: Sql,
  id: number,
  { runFee, freeRuns }: { runFee: number; freeRuns: number },
): Promise<void> {
  await queryBuilder<WorkflowTables>(sql)
    .updateTable('market_terms')
    .set({ run_fee: runFee, free_runs: freeRuns, accepted_at: NOW })
    .where('id', '=', id)
    .execute();
}

/** Inserts a copy of a published workflow without its graph; undefined when the workflow is not published. */
export function insertMarketCopy(
  sql: Sql,
  { sourceId, projectId, userId }: MarketCopy,
  { sortId, termsId }: { sortId: number; termsId: number },
): Promise<{ id: number } | undefined> {
  return queryBuilder<WorkflowTables>(sql)
    .insertInto('workflow')
    .columns([
      ...COPIED_COLUMNS,
      'copied_from_id',
      'title',
      'project_id',
      'created_by_id',
      'sort_id',
      'market_terms_id',
    ])
    .expression(({ selectFrom }) =>
      selectFrom('workflow')
        .select([...COPIED_COLUMNS, 'id', 'market_title as title'])
        .select(expression<number>`${projectId}::int`.as('project_id'))
        .select(expression<number>`${userId}::int`.as('created_by_id'))
        .select(expression<number>`${sortId}::int`.as('sort_id'))
        .select(expression<number>`${termsId}::int`.as('market_terms_id'))
        .where('id', '=', sourceId)
        .where('is_published', '=', true),
    )
    .returning('id')
    .executeTakeFirst();
}

/** Adds one to the number of users who copied a published workflow. */
export async function countMarketUser(sql: Sql, workflowId: number): Promise<void> {
  await queryBuilder<WorkflowTables>(sql)
    .insertInto('workflow_figures')
    .values({ workflow_id: workflowId, market_users_count: 1 })
    .onConflict(conflict =>
      conflict
        .column('workflow_id')
        .doUpdateSet(({ eb }) => ({ market_users_count: eb('workflow_figures.market_users_count', '+', 1) })),
    )
    .execute();
}
