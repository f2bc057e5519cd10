import { storable } from '../../storable.js';
import { Content } from '../../template.js';
import type { Graph, GraphNode } from '../graph/graph.js';
import type { Outcome } from '../graph/node-kind.js';
import { prepare } from '../graph/prepared-node.js';
import type { Place } from './concurrency-slots.js';
import { NodeAttempts } from './node-attempts.js';
import { AttemptAborted, describeFailure, interrupted, type NodeFailure, runEnded } from './node-failure.js';
import { placeOf, type RecordedTry } from './recorded.js';
import type { GraphRunParts, Report, Round, RunCore } from './run-core.js';
import type { NodeError, NodeEvent, RunEvent, UntimedEvent } from './run-event.js';
import { RunScope } from './run-scope.js';

interface StartedNode {
  attempt: number;
  place: Place;
}

/** State of one execution of a graph: which nodes are pending, in flight and finished. */
export class GraphRun implements Round {
  readonly #graph: Graph;
  readonly #tries: NodeAttempts;

  /** By node index: number of incoming edges without a decision, and whether one of them was taken. */
  readonly #undecided: Uint32Array;
  readonly #isWanted: Uint8Array;
  readonly #contents: (Content | undefined)[];

  /** Nodes to enter, in order. Read by position to avoid shifting long arrays. */
  #ready: GraphNode[] = [];
  #entered = 0;
  /** Nodes that began and are not finished: in flight, waiting, or between two attempts. */
  readonly #begun = new Set<GraphNode>();
  /** Nodes that occupy or wait for a concurrency slot. */
  readonly #places = new Map<GraphNode, StartedNode>();
  /** Nodes that an earlier execution began and this one has not reached yet. */
  readonly #left = new Set<GraphNode>();
  /** Nodes that failed with `on_error: continue`. Their content is the empty text. */
  readonly #continued = new Set<GraphNode>();
  /** Number of reports that the caller has not taken yet. */
  #untaken = 0;
  #failure: NodeError | undefined;
  #onEnd: (() => void) | undefined;

  constructor(
    private readonly core: RunCore,
    private readonly parts: GraphRunParts,
  ) {
    const { graph } = parts;
    this.#graph = graph;
    this.#undecided = new Uint32Array(graph.nodes.length);
    this.#isWanted = new Uint8Array(graph.nodes.length);
    this.#contents = new Array(graph.nodes.length);
    for (const node of graph.order) this.#undecided[node.index] = node.previous.length;
    this.#tries = new NodeAttempts(core, {
      iteration: parts.iteration,
      outerTimer: parts.outerTimer,
      onDeadline: error => this.#fail(error),
      tell: event => new Promise(resolve => this.#report(event, resolve)),
    });
  }

  begin(): void {
    const { recorded } = this.parts;
    for (const [id, result] of recorded?.finished ?? []) {
      const node = this.#graph.byId.get(id);
      if (!node) continue;
      if ('content' in result) {
        this.#contents[node.index] = new Content(result.content);
        this.core.grow(result.content);
      } else if (!result.continued && (!this.#failure || this.#failure.code === runEnded.error.code)) {
        this.#failure = result.error;
      }
    }
    for (const id of recorded?.begun.keys() ?? []) {
      const node = this.#graph.byId.get(id);
      if (node) this.#left.add(node);
    }
    if (this.#failure) this.#closeLeft();
    else this.#ready.push(this.#graph.start);
    this.core.hasReady(this);
  }

  /**
   * Executes a round and resolves with its output. Rejects with the failure of the round. Aborting the signal fails it.
   */
  async toEnd(signal: AbortSignal): Promise<unknown> {
    const onAbort = () => this.fail(runEnded.error);
    if (!signal.aborted) signal.addEventListener('abort', onAbort);
    await new Promise<void>(resolve => {
      this.#onEnd = resolve;
      this.begin();
      if (signal.aborted) onAbort();
    });
    signal.removeEventListener('abort', onAbort);
    if (this.#failure) throw new AttemptAborted({ error: this.#failure, isFinal: false });
    return this.#output();
  }

  get isOver(): boolean {
    return this.#begun.size === 0;
  }

  startReady(): void {
    while (this.#entered < this.#ready.length && !this.#isEnding) {
      const node = this.#ready[this.#entered++];
      if (node) this.#decide(node);
    }
    this.#ready = [];
    this.#entered = 0;
    this.#endIfOver();
  }

  settle(): void {
    this.#untaken--;
    this.#endIfOver();
  }

  /** Fails the execution. Nodes in flight are aborted and no further node begins. */
  fail(error: NodeError): void {
    if (!this.core.isAbandoned) this.#fail(error);
  }

  /** Aborts nodes in flight without any further event. */
  abandon(): void {
    this.#tries.abort();
  }

  ending(): RunEvent {
    const at = this.core.now();
    const output = this.#output();
    return this.#failure
      ? { type: 'run.failed', at, error: this.#failure, output }
      : { type: 'run.succeeded', at, output };
  }

  #endIfOver(): void {
    if (this.#onEnd && this.#untaken === 0 && this.#ready.length === 0 && this.#begun.size === 0) this.#onEnd();
  }

  #output(): unknown {
    const outputs = this.#graph.nodes.filter(node => node.kind.isOutput && this.#contents[node.index] !== undefined);
    const succeeded = outputs.filter(node => !this.#continued.has(node));
    const [only, another] = succeeded;
    if (!only) return null;
    if (!another) return this.#contents[only.index]?.text ?? null;
    return Object.fromEntries(succeeded.map(node => [node.id, this.#contents[node.index]?.text]));
  }

  #decide(node: GraphNode): void {
    if (this.#isWanted[node.index] || node === this.#graph.start) this.#enter(node);
    else if (this.parts.recorded?.skipped.has(node.id)) this.#leave(node, []);
    else this.#report({ type: 'node.skipped', node: node.id }, () => this.#leave(node, []));
  }

  get #isEnding(): boolean {
    return this.#failure !== undefined || this.core.isAbandoned;
  }

  #enter(node: GraphNode): void {
    const result = this.parts.recorded?.finished.get(node.id);
    if (result) {
      if ('content' in result) {
        const branch = result.branch ?? node.kind.branchOf?.(result.content, node.data);
        this.#leave(node, followers(node, branch));
      } else this.#passOver(node);
      return;
    }
    this.#begun.add(node);
    this.#left.delete(node);
    const earlier = this.parts.recorded?.begun.get(node.id);
    const attempt = (earlier?.attempt ?? 0) + 1;
    if (node.kind.effects === 'none') this.#announce(node, 1);
    else if (node.kind.effects === 'steps') {
      // Continues the open attempt, because results of recorded steps stay valid.
      if (earlier?.isOpen) this.#try(node, earlier.attempt, earlier);
      else this.#announce(node, attempt);
    } else if (earlier?.isOpen && this.core.options.isUninterrupted) this.#goOn(node, earlier);
    else if (attempt > prepare(node).policy.triesAcrossDeaths) this.#ended(node, interrupted);
    else this.#admit(node, attempt);
  }

  #admit(node: GraphNode, attempt: number, begin = () => this.#announce(node, attempt)): void {
    const entered: StartedNode = { attempt, place: NO_PLACE };
    this.#places.set(node, entered);
    entered.place = this.core.places.take(begin);
  }

  /** Executes an attempt that was reported as started but did not begin. */
  #goOn(node: GraphNode, open: RecordedTry): void {
    const { attempt } = open;
    const begin = () => (this.#isEnding ? this.#failed(node, attempt, runEnded) : this.#try(node, attempt, open));
    // Deferred until the slot is assigned, because a synchronous failure releases it.
    this.#admit(node, attempt, () => queueMicrotask(begin));
  }

  #announce(node: GraphNode, attempt: number): void {
    const startedAt = this.core.now();
    this.#report({ type: 'node.started', node: node.id, attempt, ...durable(node) }, () => {
      if (this.#isEnding) this.#failed(node, attempt, runEnded);
      else this.#try(node, attempt, { attempt, startedAt, isOpen: true, steps: new Map(), workedMs: 0 });
    });
  }

  #try(node: GraphNode, attempt: number, from: RecordedTry): void {
    const failed = (error: unknown) => this.#failed(node, attempt, describeFailure(error));
    try {
      const { graph, input, outer } = this.parts;
      const { runId } = this.core.options;
      const scope = new RunScope({ runId, graph, input, of: node, now: from.startedAt, outer }, this.#contents);
      const result = this.#tries.make(node, scope, from);
      if ('then' in result) result.then(outcome => this.#succeeded(node, outcome)).catch(failed);
      else this.#succeeded(node, result);
    } catch (error) {
      failed(error);
    }
  }

  #succeeded(node: GraphNode, { content: text, usage, branch }: Outcome): void {
    const content = storable(text);
    const tooLarge = this.core.grow(content);
    if (tooLarge) {
      this.#end(node, { error: tooLarge, isFinal: true, usage }, false);
      return;
    }
    this.#release(node);
    this.#contents[node.index] = new Content(content);
    this.#report(
      {
        type: 'node.succeeded',
        node: node.id,
        content,
        ...(branch === undefined ? {} : { branch }),
        ...(usage ? { usage } : {}),
        ...this.#tries.takeWaited(node),
        ...durable(node),
      },
      () => this.#leave(node, followers(node, branch)),
    );
  }

  /** Handles a failed attempt: starts the next one or fails the node. */
  #failed(node: GraphNode, attempt: number, failure: NodeFailure): void {
    const { policy } = prepare(node);
    if (this.#isEnding || failure.isFinal || policy.onError !== 'retry' || attempt >= policy.attempts) {
      this.#ended(node, failure);
      return;
    }
    this.#freePlace(node);
    const { error, usage } = failure;
    const measured = { ...(usage ? { usage } : {}), ...this.#tries.takeWaited(node) };
    this.#report({ type: 'node.retrying', node: node.id, attempt, error, ...measured, ...durable(node) }, () => {
      if (this.#isEnding) this.#ended(node, runEnded);
      else void this.#tryAgain(node, attempt + 1, policy.delayMs);
    });
  }

  async #tryAgain(node: GraphNode, attempt: number, delayMs: number): Promise<void> {
    try {
      if (delayMs > 0) await this.core.busyWith(this.#tries.pause(delayMs));
    } catch {
      // A pause is interrupted only by the end of the run.
    }
    if (this.#isEnding) this.#ended(node, runEnded);
    else if (node.kind.effects === 'outside') this.#admit(node, attempt);
    else this.#announce(node, attempt);
  }

  #ended(node: GraphNode, failure: NodeFailure): void {
    // After the run has failed, nodes in flight are aborted regardless of their own policy.
    const error = this.#isEnding ? runEnded.error : failure.error;
    this.#end(node, { ...failure, error }, !this.#isEnding && prepare(node).policy.onError === 'continue');
  }

  #end(node: GraphNode, { error, usage }: NodeFailure, continued: boolean): void {
    this.#release(node);
    const measured = { ...(usage ? { usage } : {}), ...this.#tries.takeWaited(node) };
    this.#report(
      { type: 'node.failed', node: node.id, error, continued, ...measured, ...durable(node) },
      continued ? () => this.#passOver(node) : undefined,
    );
    if (!continued) this.#fail(error);
  }

  /** Continues after a failed node. A failed node with branches selects none of them. */
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
    if (this.#ready.length > 0) this.core.hasReady(this);
  }

  /** Fails the run with its first failure. Nodes in flight are aborted and no further node begins. */
  #fail(error: NodeError): void {
    if (this.#isEnding) return;
    this.#failure = error;
    // Nodes whose start was not delivered yet never began.
    this.core.withdraw(report => this.#neverBegan(report));
    for (const [node, { attempt, place }] of [...this.#places]) {
      if (place.isGranted) continue;
      this.#freePlace(node);
      if (attempt === 1) this.#begun.delete(node);
      else this.#ended(node, runEnded);
    }
    this.#closeLeft();
    this.#tries.abort();
    this.core.hasReady(this);
  }

  #neverBegan({ owner, event }: Report): boolean {
    if (owner !== this) return false;
    const isStart = event.type === 'node.started' && event.attempt === 1;
    if (!isStart && event.type !== 'node.skipped') return false;
    this.#untaken--;
    const node = isStart ? this.#graph.byId.get(event.node) : undefined;
    if (node) this.#release(node);
    return true;
  }

  /** Reports nodes that an earlier process left in flight as aborted. Nodes inside a loop come first. */
  #closeLeft(): void {
    for (const node of this.#left) {
      for (const place of this.#tries.leftInside(node, this.parts.recorded?.begun.get(node.id)?.attempt ?? 1))
        this.#report({ type: 'node.failed', ...place, error: runEnded.error, continued: false, durable: true });
      this.#end(node, runEnded, false);
    }
    this.#left.clear();
  }

  #release(node: GraphNode): void {
    this.#freePlace(node);
    this.#begun.delete(node);
  }

  #freePlace(node: GraphNode): void {
    const entered = this.#places.get(node);
    this.#places.delete(node);
    entered?.place.leave();
  }

  #report(event: UntimedEvent, whenTaken?: () => void): void {
    if (this.core.isAbandoned) return;
    this.#untaken++;
    const told = { at: this.core.now(), ...placeOf(event.node, this.parts.iteration), ...event } as NodeEvent;
    this.core.report({ event: told, owner: this, whenTaken });
  }
}

const NO_PLACE: Place = { isGranted: true, leave: () => {} };

function durable(node: GraphNode): { durable?: true } {
  return node.kind.effects === 'none' ? {} : { durable: true };
}

function followers(node: GraphNode, branch: string | undefined): readonly GraphNode[] {
  return node.kind.branches ? (node.branches.get(branch ?? '') ?? []) : node.next;
}
