import { WORKER_LOST } from '../../../durable/dead-letters.js';
import { RecordedRun } from '../../../engine/scenario/events/recorded-run.js';
import type { ScenarioEvent } from '../../../engine/scenario/events/run-event.js';
import { runScenario } from '../../../engine/scenario/run.js';
import type { ScenarioLimits, ScenarioPorts } from '../../../engine/scenario/run-options.js';
import type { WorkflowCaller } from '../../../engine/scenario/services.js';
import type { Database } from '../../../platform/database/database.js';
import { recordRunEnd } from '../../../platform/tracing/work-context.js';
import type { Budget } from '../../billing/budgets/budget.js';
import { RunSpending } from '../../billing/run-spending.js';
import type { ConnectedPorts, RunConnections } from '../../connections/runs/run-connections.js';
import type { ModelsOfRun } from '../../provider-keys/project-models.js';
import { readContents } from '../contents/run-contents.js';
import type { ScenarioRunCanceller } from '../scenario-run-canceller.js';
import type { RunImages } from './run-images.js';
import type { ClaimedScenarioRun } from './scenario-run-claims.js';
import { readJournal } from './scenario-run-journal.js';
import { ScenarioRunLostError, type ScenarioRunRecorder } from './scenario-run-recorder.js';
import { ScenarioRunReport } from './scenario-run-report.js';

/** A run fails permanently after its worker died this many times. */
const MAX_ATTEMPTS = 5;

/** Creates the workflow port of one scenario run. The module of workflow runs, which depends on this one, sets it. */
export interface WorkflowCallers {
  callerFor?: (run: ClaimedScenarioRun, signal: AbortSignal) => WorkflowCaller;
}

export interface ScenarioExecutorParts {
  database: Database;
  recorder: ScenarioRunRecorder;
  canceller: ScenarioRunCanceller;
  budget: Budget;
  modelsOf: (projectId: number) => ModelsOfRun;
  ports: Pick<ScenarioPorts, 'clock' | 'languages'> & ConnectedPorts;
  images: RunImages;
  connections: RunConnections;
  workflows: WorkflowCallers;
  /** The settings RUN_MAX_SECONDS and RUN_MAX_BYTES. */
  limits: ScenarioLimits & { maxSeconds: number };
}

/** Executes claimed scenario runs and records their events. Continues after the last event of an earlier worker. */
export class ScenarioRunExecutor {
  constructor(private readonly parts: ScenarioExecutorParts) {}

  /** Executes one run. Resolves when it has ended or the lease is lost. `signal` aborts without ending the run. */
  async execute(run: ClaimedScenarioRun, signal: AbortSignal): Promise<undefined> {
    const { database, recorder, canceller, images, limits } = this.parts;
    if (run.isOrphan) {
      await canceller.cancel(run.runId);
      return;
    }
    const startedAt = performance.now();
    const earlierEvents = (await readJournal(database, run.runId))?.events ?? [];
    const scenario = await readContents(database, run.runId, run.insertedVariables);
    const report = new ScenarioRunReport(run, scenario, earlierEvents);
    const spending = new RunSpending({ ...this.parts, ...this.parts.modelsOf(run.projectId), run });
    const write = async (event: ScenarioEvent) => {
      const settle = (charged: Parameters<RunSpending['takeSettled']>[0]) => spending.takeSettled(charged);
      await recorder.record(report.takeRecord({ workedMs: performance.now() - startedAt, settle }), signal);
      if (event.type === 'run.finished') recordRunEnd({ outcome: 'succeeded' });
      if (event.type === 'run.failed') recordRunEnd({ outcome: 'failed', error: event.error.code });
    };
    try {
      // The ledger contains all recorded usage, so only the reservations of a worker that died remain to be released.
      if (run.sequence > 0) await spending.resume([]);
      if (run.attempts > MAX_ATTEMPTS) {
        const error = { code: WORKER_LOST, message: `The worker process died ${MAX_ATTEMPTS} times during the run.` };
        report.fail(error);
        await write({ type: 'run.failed', at: new Date().toISOString(), error });
        return;
      }
      const events = runScenario({
        scenario,
        runId: run.runId,
        ports: {
          ...this.#connectedPorts(run, signal),
          llm: spending,
          images: images.imageMakerFor(run, spending),
          workflows: this.parts.workflows.callerFor?.(run, signal),
        },
        recorded: new RecordedRun(earlierEvents),
        signal,
        limits: { ...limits, maxSeconds: limits.maxSeconds - run.workedMs / 1000 },
      });
      for await (const event of events) {
        report.add(event);
        // Skipped rounds are written with the next event. After a crash the conditions are evaluated again.
        if (event.type !== 'message.skipped') await write(event);
      }
    } catch (error) {
      if (!(error instanceof ScenarioRunLostError)) throw error;
      await spending.abandon();
    }
  }

  /** Ports whose requests have the credentials of connections of the project. */
  #connectedPorts(
    { projectId, parentRunId }: ClaimedScenarioRun,
    signal: AbortSignal,
  ): Pick<ScenarioPorts, 'clock' | 'languages'> & ConnectedPorts {
    const { ports, connections } = this.parts;
    return connections.wrap(ports, { projectId, workflowId: 0, userId: 0, runId: parentRunId }, signal);
  }
}
