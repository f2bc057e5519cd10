import type { Sql } from '../../../platform/database/database.js';
import { NOW, queryBuilder } from '../../../platform/database/typed-queries.js';
import { Bus } from '../../../platform/messaging/bus.js';
import { activityTopic } from '../../projects/activity-topic.js';
import { readRunTerms } from '../../workflows/market-terms.js';
import { runTopic } from '../journal/run-journal.js';
import type { RunTables } from '../run-tables.js';
import type { WorkflowRun } from './workflow-run.js';

/**
 * Queues a draft or marks it as refused, with the current fee terms of its graph, and notifies subscribers. Returns whether
 * the run was a draft.
 */
export async function releaseDraft(
  sql: Sql,
  run: Pick<WorkflowRun, 'id' | 'projectId' | 'workflowId' | 'revisionId'>,
  state: 'queued' | 'failed',
): Promise<boolean> {
  const terms = await readRunTerms(sql, run);
  const released = await queryBuilder<RunTables>(sql)
    .updateTable('workflow_run')
    .set({ state, updated_at: NOW, queued_at: state === 'queued' ? NOW : null })
    .set({ run_finished_at: state === 'failed' ? NOW : null })
    .set({ market_workflow_id: terms?.marketWorkflowId ?? null })
    .set({ run_fee: terms?.runFee ?? null, free_runs: terms?.freeRuns ?? null })
    .where('id', '=', run.id)
    .where('state', '=', 'draft')
    .returning('id')
    .executeTakeFirst();
  if (!released) return false;
  await Bus.notify(sql, [runTopic(run.id), activityTopic(run.projectId)]);
  return true;
}
