import { storable } from '../storable.js';
import { Content } from '../template.js';
import type { Graph, GraphNode } from './graph.js';
import { describeFailure, interrupted, type NodeFailure, runEnded } from './node-failure.js';
import type { Outcome } from './node-kind.js';
import { Tries } from './node-tries.js';
import { prepare } from './prepared-node.js';
import type { NodeError, RunEvent } from './run-event.js';
import type { RunOptions } from './run-options.js';
import { RunScope } from './run-scope.js';

/** An event on its way to the caller, and what happens once it was taken. */
interface Report {
  event: RunEvent;
  whenTaken?: () => void;
}

const DEFAULT_PARALLEL = 32;
/** Tries in all of a node that was in flight when a process died and whose `on_error` is not `retry`. */
const TRIES_ACROSS_DEATHS = 2;

/** Where a run stands: which nodes are open, in flight and done, and what is still to be reported. */
export class RunState {
  readonly #graph: Graph;
  readonly #tries: Tries;
  readonly #maxParallel: number;

  /** By node index: edges into the node that are not decided yet, and whether one of them was taken. */
  readonly #undecided: Uint32Array;
  readonly #isWanted: Uint8Array;
  readonly #contents: (Content | undefined)[];

  #reports: Report[] = [];
  #reported = 0;
  /** Decided and not yet entered, in order; walked by a position so that long lists cost no shifting. */
  #ready: GraphNode[] = [];
  #entered = 0;
  readonly #waiting: { node: GraphNode; attempt: number }[] = [];
  /** Nodes that began and whose end is not known: in flight, or between two tries. */
  readonly #begun = new Set<GraphNode>();
  /** Nodes with outside effects that take one of the places in flight. */
  readonly #placed = new Set<GraphNode>();
  /** Nodes that an earlier execution began and this one has not come to yet. */
  readonly #left = new Set<GraphNode>();
  /** Nodes that failed and were passed over: their content is the empty text. */
  readonly #continued = new Set<GraphNode>();
  #bytes = 0;
  #failure: NodeError | undefined;
  #isAbandoned = false;
  #wake: (() => void) | undefined;

  constructor(private readonly options: RunOptions) {
    const { graph, limits } = options;
    this.#graph = graph;
    this.#maxParallel = Math.max(1, limits?.maxParallel ?? DEFAULT_PARALLEL);
    this.#undecided = new Uint32Array(graph.nodes.length);
    this.#isWanted = new Uint8Array(graph.nodes.length);
    this.#contents = new Array(graph.nodes.length);
    for (const node of graph.order) this.#undecided[node.index] = node.previous.length;
    this.#tries = new Tries(options, error => this.#fail(error));
  }

  begin(): void {
    for (const [id, result] of this.options.recorded?.finished ?? []) {
      const node = this.#graph.byId.get(id);
      if (!node) continue;
      if ('content' in result) {
        this.#contents[node.index] = new Content(result.content);
        this.#bytes += Buffer.byteLength(result.content);
      } else if (!result.continued && (!this.#failure || this.#failure.code === runEnded.error.code)) {
        this.#failure = result.error;
      }
    }
    for (const id of this.options.recorded?.attempts.keys() ?? []) {
      const node = this.#graph.byId.get(id);
      if (node && !this.options.recorded?.finished.has(id)) this.#left.add(node);
    }
    if (this.#failure) this.#closeLeft();
    else this.#ready.push(this.#graph.start);
  }

  get isOver(): boolean {
    return this.#begun.size === 0;
  }

  nextReport(): Report | undefined {
    this.#startReady();
    const report = this.#reports[this.#reported];
    if (report) this.#reported++;
    else if (this.#reported > 0) {
      this.#reports = [];
      this.#reported = 0;
    }
    return report;
  }

  /** Resolves when there may be something to report, or the run was abandoned. */
  somethingHappened(): Promise<void> {
    return new Promise(resolve => {
      this.#wake = resolve;
      if (this.#isAbandoned || this.#reported < this.#reports.length) resolve();
    });
  }

  /** Answers of nodes with outside effects that are known and not reported. */
  *unreportedAnswers(): Generator<RunEvent> {
    for (const { event } of this.#reports.slice(this.#reported)) {
      if (event.type !== 'node.started' && 'durable' in event) yield event;
    }
  }

  /** Aborts what is in flight; nothing is started any more. */
  abandon(): void {
    this.#isAbandoned = true;
    this.#tries.abort();
    this.#wake?.();
  }

  ending(): RunEvent {
    const at = this.#now();
    const output = this.#output();
    return this.#failure
      ? { type: 'run.failed', at, error: this.#failure, output }
      : { type: 'run.succeeded', at, output };
  }

  #output(): unknown {
    const outputs = this.#graph.nodes.filter(node => node.kind.isOutput && this.#contents[node.index] !== undefined);
    const succeeded = outputs.filter(node => !this.#continued.has(node));
    const [only, another] = succeeded;
    if (!only) return null;
    if (!another) return this.#contents[only.index]?.text ?? null;
    return Object.fromEntries(succeeded.map(node => [node.id, this.#contents[node.index]?.text]));
  }

  #startReady(): void {
    while (this.#entered < this.#ready.length && !this.#isEnding) {
      const node = this.#ready[this.#entered++];
      if (node) this.#decide(node);
    }
    this.#ready = [];
    this.#entered = 0;
  }

  #decide(node: GraphNode): void {
    if (this.#isWanted[node.index] || node === this.#graph.start) this.#enter(node);
    else this.#report({ type: 'node.skipped', node: node.id, at: this.#now() }, () => this.#leave(node, []));
  }

  get #isEnding(): boolean {
    return this.#failure !== undefined || this.#isAbandoned;
  }

  #enter(node: GraphNode): void {
    const result = this.options.recorded?.finished.get(node.id);
    if (result) {
      if ('content' in result) {
        const branch = result.branch ?? node.kind.branchOf?.(result.content, node.data);
        this.#leave(node, followers(node, branch));
      } else this.#passOver(node);
      return;
    }
    this.#begun.add(node);
    this.#left.delete(node);
    const attempt = (this.options.recorded?.attempts.get(node.id) ?? 0) + 1;
    if (node.kind.effects === 'none') this.#announce(node, 1);
    else if (attempt > triesAcrossDeaths(node)) this.#ended(node, interrupted);
    else this.#admit(node, attempt);
  }

  #admit(node: GraphNode, attempt: number): void {
    if (this.#placed.size >= this.#maxParallel) {
      this.#waiting.push({ node, attempt });
      return;
    }
    this.#placed.add(node);
    this.#announce(node, attempt);
  }

  #announce(node: GraphNode, attempt: number): void {
    this.#report({ type: 'node.started', node: node.id, at: this.#now(), attempt, ...durable(node) }, () => {
      if (this.#isEnding) this.#failed(node, attempt, runEnded);
      else this.#try(node, attempt);
    });
  }

  #try(node: GraphNode, attempt: number): void {
    const failed = (error: unknown) => this.#failed(node, attempt, describeFailure(error));
    try {
      const result = this.#tries.make(node, new RunScope(this.options, node, this.#contents));
      if ('then' in result) result.then(outcome => this.#succeeded(node, outcome)).catch(failed);
      else this.#succeeded(node, result);
    } catch (error) {
      failed(error);
    }
  }

  #succeeded(node: GraphNode, { content: text, usage, branch }: Outcome): void {
    const content = storable(text);
    this.#bytes += Buffer.byteLength(content);
    const { maxBytes } = this.options.limits ?? {};
    if (maxBytes !== undefined && this.#bytes > maxBytes) {
      const error = { code: 'run_too_large', message: `the results of the run grew beyond ${maxBytes} bytes` };
      this.#end(node, { error, isFinal: true, usage }, false);
      return;
    }
    this.#release(node);
    this.#contents[node.index] = new Content(content);
    this.#report(
      {
        type: 'node.succeeded',
        node: node.id,
        at: this.#now(),
        content,
        ...(branch === undefined ? {} : { branch }),
        ...(usage ? { usage } : {}),
        ...durable(node),
      },
      () => this.#leave(node, followers(node, branch)),
    );
  }

  /** One try failed: there is another one, or the node has failed. */
  #failed(node: GraphNode, attempt: number, failure: NodeFailure): void {
    const { policy } = prepare(node);
    if (this.#isEnding || failure.isFinal || policy.onError !== 'retry' || attempt >= policy.attempts) {
      this.#ended(node, failure);
      return;
    }
    this.#freePlace(node);
    const { error, usage } = failure;
    this.#report(
      {
        type: 'node.retrying',
        node: node.id,
        at: this.#now(),
        attempt,
        error,
        ...(usage ? { usage } : {}),
        ...durable(node),
      },
      () => {
        if (this.#isEnding) this.#ended(node, runEnded);
        else void this.#tryAgain(node, attempt + 1, policy.delayMs);
      },
    );
  }

  async #tryAgain(node: GraphNode, attempt: number, delayMs: number): Promise<void> {
    try {
      if (delayMs > 0) await this.#tries.pause(delayMs);
    } catch {
      // Only the end of the run cuts a pause short.
    }
    if (this.#isEnding) this.#ended(node, runEnded);
    else if (node.kind.effects === 'none') this.#announce(node, attempt);
    else this.#admit(node, attempt);
  }

  #ended(node: GraphNode, failure: NodeFailure): void {
    // Once the run has failed for another reason, what was in flight ends with it, whatever its own policy says.
    const error = this.#isEnding ? runEnded.error : failure.error;
    this.#end(node, { ...failure, error }, !this.#isEnding && prepare(node).policy.onError === 'continue');
  }

  #end(node: GraphNode, { error, usage }: NodeFailure, continued: boolean): void {
    this.#release(node);
    this.#report(
      {
        type: 'node.failed',
        node: node.id,
        at: this.#now(),
        error,
        continued,
        ...(usage ? { usage } : {}),
        ...durable(node),
      },
      continued ? () => this.#passOver(node) : undefined,
    );
    if (!continued) this.#fail(error);
  }

  /** Goes on behind a node that failed. A node that could not choose chooses none of its branches. */
  #passOver(node: GraphNode): void {
    this.#continued.add(node);
    this.#contents[node.index] = new Content('');
    this.#leave(node, node.kind.branches ? [] : node.next);
  }

  #leave(node: GraphNode, taken: readonly GraphNode[]): void {
    for (const follower of taken) this.#isWanted[follower.index] = 1;
    for (const follower of node.next) {
      const left = (this.#undecided[follower.index] ?? 0) - 1;
      this.#undecided[follower.index] = left;
      if (left === 0) this.#ready.push(follower);
    }
  }

  /** The first failure is the run's: what else is in flight is aborted, what is not begun never begins. */
  #fail(error: NodeError): void {
    if (this.#isEnding) return;
    this.#failure = error;
    // Announced and not yet told to anybody: these nodes never began.
    const kept: Report[] = [];
    for (const report of this.#reports.slice(this.#reported)) {
      const { event } = report;
      if (event.type === 'node.skipped') continue;
      if (event.type === 'node.started' && event.attempt === 1) {
        const node = this.#graph.byId.get(event.node);
        if (node) this.#release(node);
      } else kept.push(report);
    }
    this.#reports = kept;
    this.#reported = 0;
    for (const { node, attempt } of this.#waiting.splice(0)) {
      if (attempt === 1) this.#begun.delete(node);
      else this.#ended(node, runEnded);
    }
    this.#closeLeft();
    this.#tries.abort();
    this.#wake?.();
  }

  /** What was in flight when an earlier process died ends with the run as well. */
  #closeLeft(): void {
    for (const node of this.#left) this.#end(node, runEnded, false);
    this.#left.clear();
  }

  #release(node: GraphNode): void {
    this.#freePlace(node);
    this.#begun.delete(node);
  }

  #freePlace(node: GraphNode): void {
    if (!this.#placed.delete(node)) return;
    const waiting = this.#isEnding ? undefined : this.#waiting.shift();
    if (waiting) this.#admit(waiting.node, waiting.attempt);
  }

  #report(event: RunEvent, whenTaken?: () => void): void {
    this.#reports.push(whenTaken ? { event, whenTaken } : { event });
    this.#wake?.();
  }

  #now(): string {
    return this.options.ports.clock.now().toISOString();
  }
}

function triesAcrossDeaths(node: GraphNode): number {
  const { onError, attempts } = prepare(node).policy;
  return onError === 'retry' ? attempts : TRIES_ACROSS_DEATHS;
}

function durable(node: GraphNode): { durable?: true } {
  return node.kind.effects === 'outside' ? { durable: true } : {};
}

function followers(node: GraphNode, branch: string | undefined): readonly GraphNode[] {
  return node.kind.branches ? (node.branches.get(branch ?? '') ?? []) : node.next;
}
