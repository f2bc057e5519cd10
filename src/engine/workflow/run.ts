import type { JsonObject } from '../json-value.js';
import type { Ports } from '../ports.js';
import type { Graph } from './graph.js';
import type { Recorded, RunEvent } from './run-event.js';
import { RunState } from './run-state.js';

export interface RunOptions {
  graph: Graph;
  /** Prepared: defaults filled in, secrets in clear. */
  input: Readonly<JsonObject>;
  runId: string;
  ports: Ports;
  /** What an earlier execution of this run left behind. */
  recorded?: Recorded;
  /** Ends the execution at once: what is in flight is aborted and the generator throws the signal's reason. */
  signal: AbortSignal;
  limits?: RunLimits;
}

export interface RunLimits {
  /** Working time, in seconds; of this execution alone. Default: unlimited. */
  maxSeconds?: number;
  /** UTF-8 bytes of all contents together. Default: unlimited. */
  maxBytes?: number;
  /** Nodes with outside effects that are in flight at the same time, at least 1. Default 32. */
  maxParallel?: number;
}

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
