import { createContainer } from '../../../../src/container/container.js';
import { createInfrastructure, type ShutdownHooks } from '../../../../src/container/infrastructure.js';
import { TASK_JOBS, TASK_QUEUE } from '../../../../src/durable/scheduled-tasks.js';
import { ENTITIES, QUEUES } from '../../../../src/modules/registry.js';
import { ScheduleRunner } from '../../../../src/modules/triggers/schedule/schedule-runner.js';
import { TriggerStarts } from '../../../../src/modules/triggers/trigger-starts.js';
import { workflowRuns } from '../../../../src/modules/workflow-runs/index.js';
import type { Config } from '../../../../src/platform/config/config.js';
import { createLog } from '../../../../src/platform/logging/log.js';
import { Metrics } from '../../../../src/platform/metrics/metrics.js';

/** Starts the schedules that are due at a simulated time. Resolves with false when the process ended meanwhile. */
export interface SimulatedRunner {
  pass(now: number): Promise<boolean>;
}

/** Runners of schedules on the real services of a process, with a simulated clock. `afterStart` may throw to end a pass. */
export async function openRunners(config: Config, count: number, afterStart: () => void = () => {}) {
  const hooks: ShutdownHooks = [];
  const log = createLog('silent');
  const telemetry = { log, metrics: new Metrics(), tracer: null };
  const queues = { ...QUEUES, [TASK_QUEUE]: TASK_JOBS };
  const infrastructure = await createInfrastructure(config, telemetry, { entities: ENTITIES, queues }, hooks);
  const { database } = infrastructure;
  const { runs } = createContainer(infrastructure).get(workflowRuns);
  const starts = new TriggerStarts(database, runs);
  const start = starts.start.bind(starts);
  starts.start = async (...args) => {
    const started = await start(...args);
    afterStart();
    return started;
  };
  const runners: SimulatedRunner[] = Array.from({ length: count }, () => {
    let now = 0;
    const runner = new ScheduleRunner(database, starts, runs, log, async () => new Date(now));
    return {
      async pass(time) {
        now = time;
        while ((await runner.runDue()) === 0);
        return true;
      },
    };
  });
  const close = async () => {
    for (const hook of hooks.splice(0).reverse()) await hook();
    telemetry.metrics.stop();
  };
  return { runners, close };
}
