import type { CallTimer } from '../../call-timer.js';
import type { JsonObject } from '../../json-value.js';
import type { Graph } from '../graph/graph.js';
import type { NodeScope } from '../graph/node-kind.js';
import { ConcurrencySlots } from './concurrency-slots.js';
import { ExternalWaits } from './external-waits.js';
import type { RecordedLevel } from './recorded-state.js';
import { announcesCall, type NodeError, type RunEvent } from './run-event.js';
import type { RunOptions } from './run-options.js';
import type { RunValues } from './run-scope.js';

/** Source of events within a run: the run's own graph, or one iteration of a loop. */
export interface Reporter {
  /** Starts nodes that became ready. */
  startReady(): void;
  /** Called when the caller has taken one of its reports. */
  onReportTaken(): void;
}

/** Parameters of one graph execution within a run: the run's own graph, or an iteration of a loop body. */
export interface GraphRunParts {
  graph: Graph;
  input: Readonly<JsonObject>;
  /** Empty for the run's own graph. */
  iteration: string;
  recorded: RecordedLevel | undefined;
  /** Scope of the enclosing loop. */
  outer?: NodeScope;
  /** Timer of the enclosing loop. */
  outerTimer?: CallTimer;
}

/** One iteration of a loop. */
export interface LoopIteration extends Reporter {
  /** Executes the iteration and resolves with its output. Rejects with its failure. Aborting the signal fails it. */
  execute(signal: AbortSignal): Promise<unknown>;
  /** Fails the iteration. Nodes in flight are aborted and no further node begins. */
  fail(error: NodeError): void;
}

/** A queued event, with a callback for when the caller has taken it. */
export interface Report {
  event: RunEvent;
  owner: Reporter;
  onTaken?: (() => void) | undefined;
}

const DEFAULT_PARALLEL = 32;

/** Code of the error of a run whose results exceed the limit. It ends the run, also inside a loop. */
export const RUN_TOO_LARGE = 'run_too_large';

/** Abort reason of internal timers. It is shared because creating an exception with its stack is expensive. */
export const runStopped = new Error('the run has ended');

/** State that all parts of one run share: queued events, concurrency slots, size limit, deadline, and waits. */
export class RunCore {
  readonly slots: ConcurrencySlots;
  readonly externalWaits: ExternalWaits;
  #reports: Report[] = [];
  #position = 0;
  #starting = new Set<Reporter>();
  #busy = 0;
  #bytes = 0;
  #isAbandoned = false;
  #startedAt: string | undefined;
  #values: RunValues | undefined;
  #deadline: AbortController | undefined;
  #wake: (() => void) | undefined;

  constructor(
    readonly options: RunOptions,
    /** Creates an iteration of a loop; the caller starts it. */
    readonly createIteration: (core: RunCore, parts: GraphRunParts) => LoopIteration,
  ) {
    const { limits, ports } = options;
    this.slots = new ConcurrencySlots(Math.max(1, limits?.maxParallel ?? DEFAULT_PARALLEL));
    this.externalWaits = new ExternalWaits(ports.clock, () => this.wake());
  }

  get isAbandoned(): boolean {
    return this.#isAbandoned;
  }

  /** True if only external events or time can continue the run. */
  get isIdle(): boolean {
    return (
      this.#busy === 0 &&
      this.externalWaits.count > 0 &&
      this.externalWaits.isQuiet &&
      !this.#hasReport &&
      this.#starting.size === 0
    );
  }

  /** Values that all nodes of the run can read. */
  get values(): RunValues {
    const { workflowId, startedAt = this.#startedAt, environment } = this.options;
    this.#values ??= {
      ...(workflowId === undefined ? {} : { workflowId }),
      ...(startedAt === undefined ? {} : { startedAt }),
      ...(environment ? { environment } : {}),
    };
    return this.#values;
  }

  now(): string {
    return this.options.ports.clock.now().toISOString();
  }

  /** Queues a report for the caller. */
  report(report: Report): void {
    if (this.#isAbandoned) return;
    this.#startedAt ??= report.event.at;
    this.#reports.push(report);
    this.wake();
  }

  /** Removes queued reports. */
  removeQueued(isWithdrawn: (report: Report) => boolean): void {
    this.#reports = this.#reports.slice(this.#position).filter(report => !isWithdrawn(report));
    this.#position = 0;
  }

  /** Registers a reporter that has nodes to start. */
  scheduleStart(reporter: Reporter): void {
    this.#starting.add(reporter);
    this.wake();
  }

  /** Starts ready nodes, then takes the next queued report. */
  nextReport(): Report | undefined {
    for (const reporter of this.#starting) {
      this.#starting.delete(reporter);
      reporter.startReady();
    }
    const report = this.#reports[this.#position];
    if (report) this.#position++;
    else if (this.#position > 0) {
      this.#reports = [];
      this.#position = 0;
    }
    return report;
  }

  /**
   * Takes the next report, together with the reports directly behind it if all of them announce external calls. The
   * caller commits a group at once, so that calls that begin in parallel cost one commit.
   */
  nextReports(): Report[] {
    const first = this.nextReport();
    if (!first) return [];
    const reports = [first];
    while (announcesCall(reports.at(-1)!.event)) {
      const next = this.#reports[this.#position];
      if (!next || !announcesCall(next.event)) break;
      this.#position++;
      reports.push(next);
    }
    return reports;
  }

  /** Yields the queued results of nodes with external effects. */
  *queuedResults(): Generator<RunEvent> {
    for (const { event } of this.#reports.slice(this.#position)) {
      if (event.type !== 'node.started' && event.type !== 'node.step.started' && 'durable' in event) yield event;
    }
  }

  /** Counts `work` as in progress until it settles. */
  async trackBusy<T>(work: Promise<T>): Promise<T> {
    this.#busy++;
    try {
      return await work;
    } finally {
      this.#busy--;
      this.wake();
    }
  }

  /** Adds to the stored size of the run. Returns an error above the limit. */
  addSize(content: string): NodeError | undefined {
    this.#bytes += Buffer.byteLength(content);
    const { maxBytes } = this.options.limits ?? {};
    if (maxBytes === undefined || this.#bytes <= maxBytes) return undefined;
    return { code: RUN_TOO_LARGE, message: `the results of the run exceed ${maxBytes} bytes (RUN_MAX_BYTES)` };
  }

  /** Starts the time limit of the run at its first wait, because synchronous work takes negligible time. */
  startTimeLimit(onDeadline: (error: NodeError) => void): void {
    const { maxSeconds } = this.options.limits ?? {};
    if (maxSeconds === undefined || this.#deadline) return;
    this.#deadline = new AbortController();
    this.options.ports.clock.sleep(Math.max(0, maxSeconds) * 1000, this.#deadline.signal).then(
      () => onDeadline({ code: 'run_timeout', message: 'the run took longer than RUN_MAX_SECONDS allows' }),
      () => {},
    );
  }

  /** Resolves when there may be an event to take, or the run was abandoned. */
  waitForEvent(): Promise<void> {
    return new Promise(resolve => {
      this.#wake = resolve;
      if (this.#isAbandoned || this.#hasReport || this.#starting.size > 0) resolve();
    });
  }

  /** Stops reporting events. */
  abandon(): void {
    this.#isAbandoned = true;
    this.#deadline?.abort(runStopped);
    this.wake();
  }

  wake(): void {
    this.#wake?.();
  }

  get #hasReport(): boolean {
    return this.#position < this.#reports.length;
  }
}
