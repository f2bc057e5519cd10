import { RunWorker, type RunWorkerParts } from '../../../durable/run-worker.js';
import { cancelTopic } from '../scenario-run-canceller.js';
import { type ClaimedScenarioRun, SCENARIO_RUN_QUEUE } from './scenario-run-claims.js';
import type { ScenarioRunExecutor } from './scenario-run-executor.js';

/** The worker of scenario runs. */
export class ScenarioRunJob extends RunWorker<ClaimedScenarioRun> {
  constructor(
    parts: Pick<
      RunWorkerParts<ClaimedScenarioRun>,
      'queue' | 'database' | 'bus' | 'claims' | 'log' | 'telemetry' | 'concurrency'
    >,
    executor: ScenarioRunExecutor,
  ) {
    super({
      ...parts,
      kind: 'scenario',
      queueName: SCENARIO_RUN_QUEUE,
      execute: (run, signal) => executor.execute(run, signal),
      cancelTopic,
    });
  }
}
