import type { Sql } from '../../platform/database/database.js';
import { NOW, queryBuilder } from '../../platform/database/typed-queries.js';
import type { WorkflowTables } from './workflow-tables.js';

/** Sets whether the triggers of a workflow are paused. The caller holds the lock of the workflow. */
export async function setPaused(sql: Sql, workflowId: number, isPaused: boolean): Promise<void> {
  await queryBuilder<WorkflowTables>(sql)
    .updateTable('workflow')
    .set({ paused_at: isPaused ? NOW : null })
    .where('id', '=', workflowId)
    .execute();
}
