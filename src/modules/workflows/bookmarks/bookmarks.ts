import type { Database } from '../../../platform/database/database.js';
import {
  anyInt,
  type Expression,
  expression,
  expressionBuilder,
  queryBuilder,
} from '../../../platform/database/typed-queries.js';
import type { WorkflowTables } from '../workflow-tables.js';

/** Returns the condition that a user has bookmarked the workflow `w`. */
export function isBookmarkedBy(userId: number | Expression<number>) {
  const bookmark = expressionBuilder<WorkflowTables>()
    .selectFrom('workflow_bookmark as b')
    .select('b.workflow_id')
    .where('b.workflow_id', '=', expression.ref<number>('w.id'))
    .where('b.user_id', '=', userId);
  return expression<boolean>`exists ${bookmark}`;
}

/** Returns those of `ids` that a user has bookmarked. */
export async function findBookmarkedIds(
  database: Database,
  userId: number,
  ids: readonly number[],
): Promise<Set<number>> {
  const rows = await queryBuilder<WorkflowTables>(database)
    .selectFrom('workflow_bookmark')
    .select('workflow_id as id')
    .where('user_id', '=', userId)
    .where('workflow_id', '=', anyInt(ids))
    .execute();
  return new Set(rows.map(({ id }) => id));
}

/** Bookmarks a workflow for a user. Idempotent. The caller must have authorized the user. */
export async function addBookmark(database: Database, userId: number, workflowId: number): Promise<void> {
  await queryBuilder<WorkflowTables>(database)
    .insertInto('workflow_bookmark')
    .values({ user_id: userId, workflow_id: workflowId })
    .onConflict(conflict => conflict.doNothing())
    .execute();
}

/** Removes the bookmark of a user. Idempotent. */
export async function removeBookmark(database: Database, userId: number, workflowId: number): Promise<void> {
  await queryBuilder<WorkflowTables>(database)
    .deleteFrom('workflow_bookmark')
    .where('user_id', '=', userId)
    .where('workflow_id', '=', workflowId)
    .execute();
}
