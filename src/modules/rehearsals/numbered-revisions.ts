import type { Sql } from '../../platform/database/database.js';
import { queryBuilder } from '../../platform/database/typed-queries.js';
import type { WorkflowTables } from '../workflows/workflow-tables.js';

/** A revision by its number. */
export interface NumberedRevision {
  id: number;
  number: number;
}

/** Returns the revisions of a workflow that still exist, oldest first. */
export function readNumberedRevisions(sql: Sql, workflowId: number): Promise<NumberedRevision[]> {
  return queryBuilder<WorkflowTables>(sql)
    .selectFrom('workflow_revision')
    .select(['id', 'number'])
    .where('workflow_id', '=', workflowId)
    .where('number', 'is not', null)
    .orderBy('number')
    .$castTo<NumberedRevision>()
    .execute();
}
