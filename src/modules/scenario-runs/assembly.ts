import type { RunWorkerParts } from '../../durable/run-worker.js';
import type { Database } from '../../platform/database/database.js';
import type { Bus } from '../../platform/messaging/bus.js';
import type { Budget } from '../billing/budgets/budget.js';
import type { ProjectAccess } from '../projects/access.js';
import { ChildScenarioRuns } from './execution/child-scenario-runs.js';
import { ScenarioRunJob } from './execution/scenario-run.job.js';
import { type ClaimedScenarioRun, ScenarioRunClaims } from './execution/scenario-run-claims.js';
import { type ScenarioExecutorParts, ScenarioRunExecutor } from './execution/scenario-run-executor.js';
import { type ScenarioRunEndListener, ScenarioRunRecorder } from './execution/scenario-run-recorder.js';
import { ScenarioRunService } from './scenario-run.service.js';
import { ScenarioRunCanceller } from './scenario-run-canceller.js';
import { ScenarioRunChangeStreams } from './scenario-run-change-streams.js';
import { ScenarioRunStarter } from './scenario-run-starter.js';

export interface ScenarioRunsParts
  extends Pick<RunWorkerParts<ClaimedScenarioRun>, 'queue' | 'log' | 'telemetry' | 'concurrency'>,
    Pick<ScenarioExecutorParts, 'modelsOf' | 'ports' | 'images' | 'limits' | 'connections' | 'workflows'> {
  database: Database;
  access: ProjectAccess;
  bus: Bus;
  budget: Budget;
  /** Called one after another in the transaction that ends a run. */
  endListeners: readonly ScenarioRunEndListener[];
}

export interface ScenarioRunsAssembly {
  service: ScenarioRunService;
  changeStreams: ScenarioRunChangeStreams;
  canceller: ScenarioRunCanceller;
  childRuns: ChildScenarioRuns;
  job: ScenarioRunJob;
}

/** Creates the services of scenario runs and the job that executes them. */
export function assembleScenarioRuns(parts: ScenarioRunsParts): ScenarioRunsAssembly {
  const { database, access, bus, queue, budget, log, telemetry, concurrency } = parts;
  const starter = new ScenarioRunStarter(database, queue);
  const recorder = new ScenarioRunRecorder(database, queue, parts.endListeners);
  const canceller = new ScenarioRunCanceller(database, recorder);
  const executor = new ScenarioRunExecutor({ ...parts, recorder, canceller });
  const claims = new ScenarioRunClaims(database);
  return {
    service: new ScenarioRunService(database, access, budget, starter, canceller),
    changeStreams: new ScenarioRunChangeStreams(database, bus),
    canceller,
    childRuns: new ChildScenarioRuns(database, starter, canceller, budget),
    job: new ScenarioRunJob({ queue, database, bus, claims, log, telemetry, concurrency }, executor),
  };
}
