import { CallTimer } from '../../call-timer.js';
import type { CallContext, Clock } from '../../ports.js';
import type { GraphNode } from '../graph/graph.js';
import { AttemptAborted, type NodeFailure } from './node-failure.js';

/** Microtask turns that an aborted call has to report its usage. */
const TURNS_AFTER_ABORT = 16;
const MAX_ID = 150;

/** Identifies a call: run, node, iteration and step are unique and equal for every attempt. */
export interface CallPurpose {
  runId: string;
  node: GraphNode;
  iteration: string;
  /** Name of the step, for a node with steps. */
  step?: string;
  /** Clock of the call timer. */
  clock: Clock;
  /** Timer of the enclosing loop; absent: none. */
  outerTimer?: CallTimer | undefined;
  /** Timer of all steps of the attempt. It waits while at least one of them waits. */
  stepsTimer?: CallTimer;
}

/** Call context of one attempt. Its parts are created on first use, because most nodes use none of them. */
export class Call implements CallContext {
  /** Why the attempt was aborted; undefined: it was not. */
  failure: NodeFailure | undefined;
  readonly logLines: string[] = [];
  #controller: AbortController | undefined;
  #reject: ((reason: unknown) => void) | undefined;
  #timer: CallTimer | undefined;

  constructor(private readonly purpose: CallPurpose) {}

  get node(): GraphNode {
    return this.purpose.node;
  }

  get timer(): CallTimer {
    this.#timer ??= new CallTimer(this.purpose.clock, this.purpose.stepsTimer ?? this.purpose.outerTimer);
    return this.#timer;
  }

  /** Returns the milliseconds of waits that were not taken before. Overlapping waits of parallel steps count once. */
  takeWaitedMs(): number {
    return (this.purpose.stepsTimer ?? this.timer).takeWaitedMs();
  }

  waitFor<T>(turn: Promise<T>): Promise<T> {
    return this.timer.wait(turn);
  }

  log(lines: readonly string[]): void {
    this.logLines.push(...lines);
  }

  get signal(): AbortSignal {
    if (!this.#controller) {
      this.#controller = new AbortController();
      // The attempt may have been aborted before anything asked for the signal.
      if (this.failure) this.#abortSignal(this.failure);
    }
    return this.#controller.signal;
  }

  /** Printable and of bounded length for any node id, because it is sent as a header. */
  get idempotencyKey(): string {
    return idempotencyKeyOf(this.purpose);
  }

  get place(): { node: string; iteration: string } {
    const { node, iteration } = this.purpose;
    return { node: node.id, iteration };
  }

  /** Rejects when the attempt is aborted, after the call had time to report its usage. */
  untilAborted(): Promise<never> {
    return new Promise((_, reject) => {
      this.#reject = reject;
      if (this.failure) void this.#rejectAsync(this.failure);
    });
  }

  /** Aborts the attempt with `failure`; later failures are ignored. */
  abort(failure: NodeFailure): void {
    if (this.failure) return;
    this.failure = failure;
    this.#abortSignal(failure);
    void this.#rejectAsync(failure);
  }

  #abortSignal({ error }: NodeFailure): void {
    this.#controller?.abort(new DOMException(error.message, 'AbortError'));
  }

  async #rejectAsync(failure: NodeFailure): Promise<void> {
    for (let turn = 0; turn < TURNS_AFTER_ABORT; turn++) await undefined;
    this.#reject?.(new AttemptAborted(failure));
  }
}

/** Returns the idempotency key of a call. */
export function idempotencyKeyOf({ runId, node, iteration, step }: Omit<CallPurpose, 'clock' | 'outerTimer'>): string {
  const id = toPrintable(node.id, node.index);
  return [runId, id, ...(iteration === '' ? [] : [iteration]), ...(step === undefined ? [] : [toPrintable(step)])].join(
    ':',
  );
}

/** Encodes a text as printable ASCII of at most about 150 characters. `index` keeps shortened ids of nodes distinct. */
function toPrintable(text: string, index?: number): string {
  const id = encodeURIComponent(text.toWellFormed());
  return id.length <= MAX_ID ? id : `${id.slice(0, MAX_ID)}~${index ?? ''}`;
}
