import { LeasedRuns, type LeasedRunsParts } from '../../../durable/leased-runs.js';
import { cancelTopic } from '../scenario-run-canceller.js';
import { wakeScenarioRuns } from '../scenario-run-start.js';
import type { ScenarioRunExecutor } from './scenario-run-executor.js';
import { type ClaimedScenarioRun, SCENARIO_RUN_QUEUE } from './scenario-run-leases.js';

/** Executes runs of scenarios. */
export class ScenarioRunJob extends LeasedRuns<ClaimedScenarioRun> {
  constructor(
    parts: Pick<
      LeasedRunsParts<ClaimedScenarioRun>,
      'queue' | 'database' | 'bus' | 'leases' | 'log' | 'telemetry' | 'concurrency'
    >,
    executor: ScenarioRunExecutor,
  ) {
    super({
      ...parts,
      kind: 'scenario',
      queueName: SCENARIO_RUN_QUEUE,
      hasJobs: true,
      wake: (ids, sql) => wakeScenarioRuns(parts.queue, ids, sql),
      execute: (run, signal) => executor.execute(run, signal),
      cancelTopic,
    });
  }
}
