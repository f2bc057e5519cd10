import { GraphRun } from './graph-run.js';
import { RunCore } from './run-core.js';
import type { RunEvent, RunSuspended } from './run-event.js';
import type { RunOptions } from './run-options.js';

/** A run of thousands of nodes that never wait lets others have their turn after this many events. */
const EVENTS_PER_TURN = 2000;
/** A wait that is over so soon is not worth a suspension. */
const SHORT_WAIT_MS = 1000;

/**
 * Executes a run and reports what happens. The caller commits what an event says before it asks for the next one: a
 * node with outside effects is called only after its `node.started` was taken, and what follows a node starts only after
 * its end was taken. The last event is `run.succeeded` or `run.failed`, once; or `run.suspended`, when all that is left
 * to do is to wait: the run is then executed again, from what was recorded.
 */
export async function* runWorkflow(options: RunOptions): AsyncGenerator<RunEvent | RunSuspended, void, void> {
  const { signal, ports, onSignal } = options;
  signal.throwIfAborted();
  const core = new RunCore(options, (around, parts) => new GraphRun(around, parts));
  const { graph, input, recorded } = options;
  const run = new GraphRun(core, { graph, input, iteration: '', recorded: recorded?.get('') });
  const onAbort = () => {
    core.abandon();
    run.abandon();
  };
  signal.addEventListener('abort', onAbort);
  const unsubscribe = onSignal?.(() => core.parking.lookAgain());
  try {
    run.begin();
    for (let count = 1; ; count++) {
      if (signal.aborted) {
        // Paid answers that are here already are not lost; what is still in flight is.
        yield* core.unreportedAnswers();
        throw signal.reason;
      }
      const report = core.nextReport();
      if (report) {
        yield report.event;
        report.whenTaken?.();
        report.owner.settle();
        if (count % EVENTS_PER_TURN === 0 && !signal.aborted) await ports.clock.sleep(0, signal);
      } else if (run.isOver) break;
      else if (core.isIdle && (await isIdle(core, signal))) {
        const { earliest } = core.parking;
        const until = earliest === null ? null : new Date(earliest).toISOString();
        yield { type: 'run.suspended', at: core.now(), until };
        return;
      } else await core.somethingHappened();
    }
    yield run.ending();
  } finally {
    signal.removeEventListener('abort', onAbort);
    unsubscribe?.();
    onAbort();
  }
}

/** Lets what was answered a moment ago go on, and tells whether only waiting is left, and long enough to suspend the run. */
async function isIdle(core: RunCore, signal: AbortSignal): Promise<boolean> {
  const { clock } = core.options.ports;
  await clock.sleep(0, signal).catch(() => {});
  const { earliest } = core.parking;
  const isSoon = earliest !== null && earliest - clock.now().getTime() < SHORT_WAIT_MS;
  return core.isIdle && !isSoon;
}
