import { forEachDespiteErrors } from '../../../platform/async/for-each-despite-errors.js';
import { derivedUuid } from '../../../platform/crypto/uuid.js';
import type { Database, Sql } from '../../../platform/database/database.js';
import { anyInt, expression } from '../../../platform/database/typed-queries.js';
import { failpoint } from '../../../platform/testing/failpoint.js';
import type { FailedRun, FailureListener } from '../../workflow-runs/execution/failure-listeners.js';
import { chainFault, chainOf } from '../../workflow-runs/execution/run-chain.js';
import { type StoredTrigger, selectTriggers } from '../stored-trigger.js';
import type { TriggerStarts } from '../trigger-starts.js';

/** The most triggers that one failure starts. */
const MAX_PER_FAILURE = 100;

/** Starts the runs of failure triggers. A repeated call for the same failure starts no second run. */
export class FailureTriggers implements FailureListener {
  constructor(
    private readonly database: Database,
    private readonly starts: TriggerStarts,
  ) {}

  async filterWatched(sql: Sql, projectIds: readonly number[]): Promise<number[]> {
    const rows = await enabledTriggers(sql, projectIds)
      .clearSelect()
      .select('t.project_id as projectId')
      .distinct()
      .execute();
    return rows.map(({ projectId }) => projectId);
  }

  async handle(run: FailedRun, input: Record<string, unknown>): Promise<void> {
    const triggers = await enabledTriggers(this.database, [run.projectId])
      .where(selectsFailuresOf(run))
      .orderBy('t.id')
      .limit(MAX_PER_FAILURE)
      .execute();
    await forEachDespiteErrors(triggers, trigger => this.#start(trigger, run, input));
  }

  async #start(trigger: StoredTrigger, run: FailedRun, input: Record<string, unknown>): Promise<void> {
    const { id, workflowId } = trigger;
    const runId = derivedUuid(`failure trigger ${id} ${run.id}`);
    const chain = chainOf(run);
    const fault = isHandler(run) ? 'The failed run handled a failure itself.' : chainFault(chain, workflowId)?.message;
    if (fault) {
      await this.starts.recordOnce(runId, { triggerId: id, outcome: 'skipped', reason: fault });
      return;
    }
    // A workflow in its own ancestry marks the run as a handler, whose failure starts no other one.
    const start = await this.starts.start(trigger, input, runId, [...chain, workflowId]);
    failpoint('failure-trigger.after-start');
    await this.starts.recordOnce(runId, { triggerId: id, ...start });
  }
}

/** Whether the settings of a trigger `t` select the workflow of a run. The failures of a workflow never start that workflow. */
function selectsFailuresOf({ workflowId }: FailedRun) {
  return expression<boolean>`t.workflow_id is distinct from ${workflowId}::int
    and (t.settings -> 'workflowIds' = '[]'::jsonb or t.settings -> 'workflowIds' @> to_jsonb(${workflowId}::int))`;
}

/** Whether the run was started for the failure of a run of its own workflow or of one that led to it: see `#start`. */
function isHandler({ workflowId, ancestry }: FailedRun): boolean {
  return workflowId !== null && ancestry.includes(workflowId);
}

function enabledTriggers(sql: Sql, projectIds: readonly number[]) {
  return selectTriggers(sql)
    .where('t.project_id', '=', anyInt(projectIds))
    .where('t.kind', '=', 'failure')
    .where('t.is_enabled', '=', true)
    .where('w.archived_at', 'is', null)
    .where('w.paused_at', 'is', null);
}
