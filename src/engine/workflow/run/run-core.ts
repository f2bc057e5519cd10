import type { CallTimer } from '../../call-timer.js';
import type { JsonObject } from '../../json-value.js';
import type { Graph } from '../graph/graph.js';
import type { NodeScope } from '../graph/node-kind.js';
import { ConcurrencySlots } from './concurrency-slots.js';
import { Parking } from './parking.js';
import type { RecordedLevel } from './recorded.js';
import type { NodeError, RunEvent } from './run-event.js';
import type { RunOptions } from './run-options.js';

/** Part of a run that reports: the run's own graph, or one round of a loop. */
export interface Reporter {
  /** Begins what has become ready. */
  startReady(): void;
  /** A report of its was taken. */
  settle(): void;
}

/** One execution of a graph within a run: the run's own, or a round of a loop over the loop's body. */
export interface GraphRunParts {
  graph: Graph;
  input: Readonly<JsonObject>;
  /** Empty for the run's own graph. */
  iteration: string;
  recorded: RecordedLevel | undefined;
  /** What the loop around it sees. */
  outer?: NodeScope;
  /** Of the loop around it. */
  outerTimer?: CallTimer;
}

export interface Round extends Reporter {
  /** Resolves with the output, rejects with what it failed for. The signal makes it fail. */
  toEnd(signal: AbortSignal): Promise<unknown>;
  /** Ends it: what is in flight is aborted, what is not begun never begins. */
  fail(error: NodeError): void;
}

/** An event on its way to the caller, and what happens once it was taken. */
export interface Report {
  event: RunEvent;
  owner: Reporter;
  whenTaken?: (() => void) | undefined;
}

const DEFAULT_PARALLEL = 32;

/** What guards are ended with. Made once: an abort without a reason makes an exception with its stack. */
export const runOver = new Error('what was guarded is over');

/** What all parts of one run share: the events on their way, places, sizes, time, and what is waited for. */
export class RunCore {
  readonly places: ConcurrencySlots;
  readonly parking: Parking;
  #reports: Report[] = [];
  #reported = 0;
  #eager = new Set<Reporter>();
  #busy = 0;
  #bytes = 0;
  #isAbandoned = false;
  #deadline: AbortController | undefined;
  #wake: (() => void) | undefined;

  constructor(
    readonly options: RunOptions,
    /** Makes a round of a loop, to be begun by whoever asks for it. */
    readonly newRound: (core: RunCore, parts: GraphRunParts) => Round,
  ) {
    const { limits, ports } = options;
    this.places = new ConcurrencySlots(Math.max(1, limits?.maxParallel ?? DEFAULT_PARALLEL));
    this.parking = new Parking(ports.clock, () => this.wake());
  }

  get isAbandoned(): boolean {
    return this.#isAbandoned;
  }

  /** Nothing happens any more unless something that is waited for comes. */
  get isIdle(): boolean {
    return (
      this.#busy === 0 && this.parking.count > 0 && this.parking.isQuiet && !this.#hasReport && this.#eager.size === 0
    );
  }

  now(): string {
    return this.options.ports.clock.now().toISOString();
  }

  report(report: Report): void {
    if (this.#isAbandoned) return;
    this.#reports.push(report);
    this.wake();
  }

  /** Takes back reports that nobody has heard yet. */
  withdraw(isWithdrawn: (report: Report) => boolean): void {
    this.#reports = this.#reports.slice(this.#reported).filter(report => !isWithdrawn(report));
    this.#reported = 0;
  }

  /** `reporter` has something to begin. */
  hasReady(reporter: Reporter): void {
    this.#eager.add(reporter);
    this.wake();
  }

  nextReport(): Report | undefined {
    for (const reporter of this.#eager) {
      this.#eager.delete(reporter);
      reporter.startReady();
    }
    const report = this.#reports[this.#reported];
    if (report) this.#reported++;
    else if (this.#reported > 0) {
      this.#reports = [];
      this.#reported = 0;
    }
    return report;
  }

  /** Answers of nodes with outside effects that are known and not reported. */
  *unreportedAnswers(): Generator<RunEvent> {
    for (const { event } of this.#reports.slice(this.#reported)) {
      if (event.type !== 'node.started' && event.type !== 'node.step.started' && 'durable' in event) yield event;
    }
  }

  /** Counts `work` as something that is under way. */
  async busyWith<T>(work: Promise<T>): Promise<T> {
    this.#busy++;
    try {
      return await work;
    } finally {
      this.#busy--;
      this.wake();
    }
  }

  /** Adds to what the run stores; the failure when that is too much. */
  grow(content: string): NodeError | undefined {
    this.#bytes += Buffer.byteLength(content);
    const { maxBytes } = this.options.limits ?? {};
    if (maxBytes === undefined || this.#bytes <= maxBytes) return undefined;
    return { code: 'run_too_large', message: `the results of the run grew beyond ${maxBytes} bytes` };
  }

  /** The run's time counts from its first wait: what does not wait takes none worth counting. */
  startClock(onDeadline: (error: NodeError) => void): void {
    const { maxSeconds } = this.options.limits ?? {};
    if (maxSeconds === undefined || this.#deadline) return;
    this.#deadline = new AbortController();
    this.options.ports.clock.sleep(Math.max(0, maxSeconds) * 1000, this.#deadline.signal).then(
      () => onDeadline({ code: 'run_timeout', message: 'the run took longer than RUN_MAX_SECONDS allows' }),
      () => {},
    );
  }

  /** Resolves when there may be something to report, or the run was abandoned. */
  somethingHappened(): Promise<void> {
    return new Promise(resolve => {
      this.#wake = resolve;
      if (this.#isAbandoned || this.#hasReport || this.#eager.size > 0) resolve();
    });
  }

  /** Nothing is reported any more. */
  abandon(): void {
    this.#isAbandoned = true;
    this.#deadline?.abort(runOver);
    this.wake();
  }

  wake(): void {
    this.#wake?.();
  }

  get #hasReport(): boolean {
    return this.#reported < this.#reports.length;
  }
}
