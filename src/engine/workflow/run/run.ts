import { GraphRun } from './graph-run.js';
import { RunCore } from './run-core.js';
import type { RunEvent, RunSuspended } from './run-event.js';
import type { RunOptions } from './run-options.js';

/** Events to commit together: the start of calls in parallel, or one event. A suspension is not recorded. */
export type EventGroup = readonly RunEvent[] | RunSuspended;

/** After this many events a run yields to the event loop, so that long synchronous runs do not block others. */
const EVENTS_PER_TURN = 2000;
/** Shorter waits are not worth a suspension. */
const SHORT_WAIT_MS = 1000;

/** Executes a workflow run and yields its events one by one. See `runInGroups`. */
export async function* runWorkflow(options: RunOptions): AsyncGenerator<RunEvent | RunSuspended, void, void> {
  for await (const group of runInGroups(options)) {
    if ('type' in group) yield group;
    else yield* group;
  }
}

/**
 * Executes a workflow run and yields its events: calls that begin in parallel in one group, every other event in its own.
 * The caller must commit a group before it requests the next one. A node with external effects is called only after the
 * group with its `node.started` was taken. Its successors start only after its end was taken. The last event is exactly
 * one `run.succeeded` or `run.failed`. If only waits are left, it is `run.suspended`, and the run is executed again later
 * from its recorded state.
 */
export async function* runInGroups(options: RunOptions): AsyncGenerator<EventGroup, void, void> {
  const { signal, ports, onSignal } = options;
  signal.throwIfAborted();
  const core = new RunCore(options, (runCore, parts) => new GraphRun(runCore, parts));
  const { graph, input, recorded } = options;
  const run = new GraphRun(core, { graph, input, iteration: '', recorded: recorded?.get('') });
  const onAbort = () => {
    core.abandon();
    run.abandon();
  };
  signal.addEventListener('abort', onAbort);
  const unsubscribe = onSignal?.(() => core.externalWaits.checkAll());
  try {
    run.begin();
    for (let count = 1; ; count++) {
      if (signal.aborted) {
        // Answers that were received and paid are still delivered; calls in flight are lost.
        for (const event of core.queuedResults()) yield [event];
        throw signal.reason;
      }
      const reports = core.nextReports();
      if (reports.length > 0) {
        yield reports.map(report => report.event);
        for (const report of reports) {
          report.onTaken?.();
          report.owner.onReportTaken();
        }
        if (count % EVENTS_PER_TURN === 0 && !signal.aborted) await ports.clock.sleep(0, signal);
      } else if (run.isOver) break;
      else if (core.isIdle && (await isIdle(core, signal))) {
        const { earliest } = core.externalWaits;
        const until = earliest === null ? null : new Date(earliest).toISOString();
        yield { type: 'run.suspended', at: core.now(), until };
        return;
      } else await core.waitForEvent();
    }
    yield [run.endEvent()];
  } finally {
    signal.removeEventListener('abort', onAbort);
    unsubscribe?.();
    onAbort();
  }
}

/** Lets completed work continue, then returns true if only waits are left that are long enough to suspend the run. */
async function isIdle(core: RunCore, signal: AbortSignal): Promise<boolean> {
  const { clock } = core.options.ports;
  await clock.sleep(0, signal).catch(() => {});
  const { earliest } = core.externalWaits;
  const isSoon = earliest !== null && earliest - clock.now().getTime() < SHORT_WAIT_MS;
  return core.isIdle && !isSoon;
}
