import type { RunEvent } from './run-event.js';
import type { RunOptions } from './run-options.js';
import { RunState } from './run-state.js';

/** A run of thousands of nodes that never wait lets others have their turn after this many events. */
const EVENTS_PER_TURN = 2000;

/**
 * Executes a run and reports what happens. The caller commits what an event says before it asks for the next one: a
 * node with outside effects is called only after its `node.started` was taken, and what follows a node starts only after
 * its end was taken. The last event is `run.succeeded` or `run.failed`, once.
 */
export async function* runWorkflow(options: RunOptions): AsyncGenerator<RunEvent, void, void> {
  const { signal, ports } = options;
  signal.throwIfAborted();
  const run = new RunState(options);
  const onAbort = () => run.abandon();
  signal.addEventListener('abort', onAbort);
  try {
    run.begin();
    for (let count = 1; ; count++) {
      if (signal.aborted) {
        // Paid answers that are here already are not lost; what is still in flight is.
        yield* run.unreportedAnswers();
        throw signal.reason;
      }
      const report = run.nextReport();
      if (report) {
        yield report.event;
        report.whenTaken?.();
        if (count % EVENTS_PER_TURN === 0 && !signal.aborted) await ports.clock.sleep(0, signal);
      } else if (run.isOver) break;
      else await run.somethingHappened();
    }
    yield run.ending();
  } finally {
    signal.removeEventListener('abort', onAbort);
    run.abandon();
  }
}
