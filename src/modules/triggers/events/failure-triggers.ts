import { derivedUuid } from '../../../platform/crypto/uuid.js';
import type { Database, Sql } from '../../../platform/database/database.js';
import { anyInt } from '../../../platform/database/typed-queries.js';
import { failpoint } from '../../../platform/testing/failpoint.js';
import type { FailedRun, FailureListener } from '../../workflow-runs/execution/failure-listeners.js';
import { chainFault, chainOf } from '../../workflow-runs/execution/run-chain.js';
import { type StoredTrigger, selectTriggers } from '../stored-trigger.js';
import type { TriggerStarts } from '../trigger-starts.js';
import type { TriggerFailure } from './event-trigger.type.js';

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
      .orderBy('t.id')
      .limit(MAX_PER_FAILURE)
      .execute();
    for (const trigger of triggers) if (isChosen(trigger, run)) await this.#start(trigger, run, input);
  }

  async #start(trigger: StoredTrigger, run: FailedRun, input: Record<string, unknown>): Promise<void> {
    const { id, workflowId } = trigger;
    const runId = derivedUuid(`failure trigger ${id} ${run.id}`);
    const chain = chainOf(run);
    const fault = isHandler(run) ? 'The failed run handled a failure itself.' : chainFault(chain, workflowId);
    if (fault) return this.starts.recordOnce(runId, { triggerId: id, outcome: 'skipped', reason: fault });
    // A workflow in its own ancestry marks the run as a handler, whose failure starts no other one.
    const start = await this.starts.start(trigger, input, runId, [...chain, workflowId]);
    failpoint('failure-trigger.after-start');
    await this.starts.recordOnce(runId, { triggerId: id, ...start });
  }
}

/** Whether the settings select the workflow. The failures of a workflow never start that workflow. */
function isChosen({ settings, workflowId }: StoredTrigger, run: FailedRun): boolean {
  const { workflowIds } = settings as unknown as TriggerFailure;
  if (run.workflowId === workflowId) return false;
  return workflowIds.length === 0 || (run.workflowId !== null && workflowIds.includes(run.workflowId));
}

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
