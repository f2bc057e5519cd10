import { type Expression, expression, expressionBuilder } from '../../../platform/database/typed-queries.js';
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
