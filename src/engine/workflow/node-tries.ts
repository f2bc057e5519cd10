import { type CallContext, PortError } from '../ports.js';
import type { GraphNode } from './graph.js';
import { type NodeFailure, runEnded, TryCutShort, timedOut } from './node-failure.js';
import type { NodeScope, Outcome, Steps, ToolPins } from './node-kind.js';
import { prepare } from './prepared-node.js';
import type { NodeError } from './run-event.js';
import type { RunOptions } from './run-options.js';

/** Turns of the microtask queue that an aborted call has to say what it cost. */
const TURNS_AFTER_ABORT = 16;

/** Executes tries of nodes, each within its time; knows those that wait for an answer, and ends them with the run. */
export class Tries {
  readonly #stop = new AbortController();
  readonly #calls = new Set<Call>();
  #isTimed = false;

  constructor(
    private readonly options: RunOptions,
    private readonly onDeadline: (error: NodeError) => void,
  ) {}

  /** One try. What does not wait answers at once; errors of both kinds are for `describeFailure`. */
  make(node: GraphNode, scope: NodeScope): Outcome | Promise<Outcome> {
    const { policy, resolve } = prepare(node);
    const settings = resolve(scope);
    const call = new Call(this.options.runId, node);
    const result = node.kind.execute({ settings, scope, ports: this.options.ports, call, steps, pins });
    return 'then' in result ? this.#await(result, call, policy.timeoutMs) : result;
  }

  pause(ms: number): Promise<void> {
    return this.options.ports.clock.sleep(ms, this.#stop.signal);
  }

  abort(): void {
    this.#stop.abort();
    for (const call of this.#calls) call.cutShort(runEnded);
  }

  async #await(result: Promise<Outcome>, call: Call, timeoutMs: number): Promise<Outcome> {
    this.#startClock();
    const timer = new AbortController();
    this.options.ports.clock.sleep(timeoutMs, timer.signal).then(
      () => call.cutShort(timedOut(timeoutMs)),
      () => {},
    );
    this.#calls.add(call);
    try {
      return await Promise.race([result, call.end]);
    } catch (error) {
      if (!call.failure) throw error;
      const usage = error instanceof PortError ? error.usage : undefined;
      throw new TryCutShort({ ...call.failure, ...(usage ? { usage } : {}) });
    } finally {
      timer.abort();
      this.#calls.delete(call);
    }
  }

  /** The run's time counts from its first wait: what does not wait takes none worth counting. */
  #startClock(): void {
    const { maxSeconds } = this.options.limits ?? {};
    if (maxSeconds === undefined || this.#isTimed) return;
    this.#isTimed = true;
    this.pause(maxSeconds * 1000).then(
      () => this.onDeadline({ code: 'run_timeout', message: `the run took longer than ${maxSeconds} seconds` }),
      () => {},
    );
  }
}

/** A try's tie to the outside. Its parts are made when asked for: most nodes never ask. */
class Call implements CallContext {
  failure: NodeFailure | undefined;
  #controller: AbortController | undefined;
  #reject: ((reason: unknown) => void) | undefined;

  constructor(
    private readonly runId: string,
    private readonly node: GraphNode,
  ) {}

  get signal(): AbortSignal {
    this.#controller ??= new AbortController();
    return this.#controller.signal;
  }

  /** Printable and of bounded length whatever the node's id is: it becomes a header. */
  get idempotencyKey(): string {
    const id = encodeURIComponent(this.node.id.toWellFormed());
    return `${this.runId}:${id.length <= MAX_ID ? id : `${id.slice(0, MAX_ID)}~${this.node.index}`}`;
  }

  /** Rejects when the try is cut short, once the call had its turns to answer for itself. */
  get end(): Promise<never> {
    return new Promise((_, reject) => {
      this.#reject = reject;
    });
  }

  cutShort(failure: NodeFailure): void {
    if (this.failure) return;
    this.failure = failure;
    this.#controller?.abort(new DOMException(failure.error.message, 'AbortError'));
    void this.#endSoon(failure);
  }

  async #endSoon(failure: NodeFailure): Promise<void> {
    for (let turn = 0; turn < TURNS_AFTER_ABORT; turn++) await undefined;
    this.#reject?.(new TryCutShort(failure));
  }
}

const MAX_ID = 150;

const refuse = () => Promise.reject(new Error('no kind of node has steps yet'));
const steps: Steps = { call: refuse, approval: refuse, delay: refuse, subRun: refuse };
const pins: ToolPins = { hashOf: () => undefined, keep: async () => {} };
