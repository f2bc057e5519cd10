import { Content } from '../../expressions/scope.js';
import { storable } from '../../storable.js';
import { followersOf, type Graph, type GraphNode } from '../graph/graph.js';
import type { Outcome } from '../graph/node-kind.js';
import { prepareNode } from '../graph/prepared-node.js';
import { NO_SLOT, type Slot } from './concurrency-slots.js';
import { continuationOf, emptyContinuation, permitsRetry, retryDelayMs } from './failure-policy.js';
import { NodeAttempts } from './node-attempts.js';
import { AttemptAborted, describeFailure, interrupted, type NodeFailure, runEnded } from './node-failure.js';
import { placeOf, type RecordedAttempt, type RecordedEnd } from './recorded-state.js';
import type { GraphRunParts, LoopIteration, Report, RunCore } from './run-core.js';
import type { NodeError, NodeEvent, RunEvent, UntimedEvent } from './run-event.js';
import { isResponseRead, NodeResults, RunScope } from './run-scope.js';

interface StartedNode {
  attempt: number;
  slot: Slot;
}

/** State of one execution of a graph: which nodes are pending, in flight and finished. */
export class GraphRun implements LoopIteration {
  readonly #graph: Graph;
  readonly #attempts: NodeAttempts;

  /** By node index: number of incoming edges without a decision, and whether one of them was taken. */
  readonly #undecided: Uint32Array;
  readonly #isSelected: Uint8Array;
  readonly #results: NodeResults;
  /** Predecessors that have arrived at nodes that do not wait for all of them. */
  readonly #arrivals: Map<GraphNode, GraphNode[]>;

  /** Nodes to start or skip, in order. Read by position to avoid shifting long arrays. */
  #ready: GraphNode[] = [];
  #position = 0;
  /** Nodes that began and are not finished: in flight, waiting, or between two attempts. */
  readonly #unfinished = new Set<GraphNode>();
  /** Nodes that occupy or wait for a concurrency slot. */
  readonly #slots = new Map<GraphNode, StartedNode>();
  /** Nodes that an earlier execution began and this one has not reached yet. */
  readonly #interrupted = new Set<GraphNode>();
  /** Number of reports that the caller has not taken yet. */
  #pendingReports = 0;
  #failure: NodeError | undefined;
  #onEnd: (() => void) | undefined;

  constructor(
    private readonly core: RunCore,
    private readonly parts: GraphRunParts,
  ) {
    const { graph } = parts;
    this.#graph = graph;
    this.#undecided = new Uint32Array(graph.nodes.length);
    this.#isSelected = new Uint8Array(graph.nodes.length);
    this.#results = new NodeResults(graph, parts.recorded);
    for (const node of graph.order) this.#undecided[node.index] = node.previous.length;
    this.#arrivals = new Map(graph.order.filter(node => node.arrivals !== undefined).map(node => [node, []]));
    this.#attempts = new NodeAttempts(core, {
      graph,
      iteration: parts.iteration,
      outerTimer: parts.outerTimer,
      onDeadline: error => this.#fail(error),
      report: event => new Promise(resolve => this.#report(event, resolve)),
    });
  }

  /** Restores the recorded state and schedules the start node. */
  begin(): void {
    const { recorded } = this.parts;
    for (const [id, result] of recorded?.finished ?? []) {
      const node = this.#graph.byId.get(id);
      if (!node) continue;
      if ('content' in result) {
        this.#results.contents[node.index] = new Content(result.content);
        this.core.addSize(result.content);
        this.core.addSize(this.#results.keepResponse(node, result.response));
      } else if (!result.continued && (!this.#failure || this.#failure.code === runEnded.error.code)) {
        this.#failure = result.error;
      }
    }
    for (const id of recorded?.unfinished.keys() ?? []) {
      const node = this.#graph.byId.get(id);
      if (node) this.#interrupted.add(node);
    }
    if (this.#failure) this.#failInterrupted();
    else this.#ready.push(this.#graph.start);
    this.core.scheduleStart(this);
  }

  /**
   * Executes an iteration and resolves with its output. Rejects with the failure of the iteration. Aborting the signal fails it.
   */
  async execute(signal: AbortSignal): Promise<unknown> {
    const onAbort = () => this.fail(runEnded.error);
    if (!signal.aborted) signal.addEventListener('abort', onAbort);
    await new Promise<void>(resolve => {
      this.#onEnd = resolve;
      this.begin();
      if (signal.aborted) onAbort();
    });
    signal.removeEventListener('abort', onAbort);
    if (this.#failure) throw new AttemptAborted({ error: this.#failure, isFinal: false });
    return this.#results.outputOf(this.#graph);
  }

  /** True if no node is unfinished. */
  get isOver(): boolean {
    return this.#unfinished.size === 0;
  }

  startReady(): void {
    while (this.#position < this.#ready.length && !this.#isEnding) {
      const node = this.#ready[this.#position++];
      if (node) this.#startOrSkip(node);
    }
    this.#ready = [];
    this.#position = 0;
    this.#endIfOver();
  }

  onReportTaken(): void {
    this.#pendingReports--;
    this.#endIfOver();
  }

  /** Fails the execution. Nodes in flight are aborted and no further node begins. */
  fail(error: NodeError): void {
    if (!this.core.isAbandoned) this.#fail(error);
  }

  /** Aborts nodes in flight without any further event. */
  abandon(): void {
    this.#attempts.abort();
  }

  /** Returns the last event of the run. */
  endEvent(): RunEvent {
    const at = this.core.now();
    const output = this.#results.outputOf(this.#graph);
    return this.#failure
      ? { type: 'run.failed', at, error: this.#failure, output }
      : { type: 'run.succeeded', at, output };
  }

  #endIfOver(): void {
    if (this.#onEnd && this.#pendingReports === 0 && this.#ready.length === 0 && this.#unfinished.size === 0)
      this.#onEnd();
  }

  #startOrSkip(node: GraphNode): void {
    if (this.#isSelected[node.index] || node === this.#graph.start) this.#startNode(node);
    else if (this.parts.recorded?.skipped.has(node.id)) this.#completeNode(node, []);
    else this.#report({ type: 'node.skipped', node: node.id }, () => this.#completeNode(node, []));
  }

  get #isEnding(): boolean {
    return this.#failure !== undefined || this.core.isAbandoned;
  }

  #startNode(node: GraphNode): void {
    const result = this.parts.recorded?.finished.get(node.id);
    if (result) {
      if ('content' in result) {
        const branch = result.branch ?? node.kind.branchOf?.(result.content, node.data);
        this.#completeNode(node, followersOf(node, branch));
      } else this.#continueAfterFailure(node, result);
      return;
    }
    this.#unfinished.add(node);
    this.#interrupted.delete(node);
    const earlier = this.parts.recorded?.unfinished.get(node.id);
    const attempt = (earlier?.attempt ?? 0) + 1;
    // A node without effects is computed again in any case, so its earlier attempts do not count.
    if (node.effects === 'none') this.#reportStart(node, 1);
    else if (node.effects === 'steps') {
      // Continues the open attempt, because results of recorded steps stay valid.
      if (earlier?.isOpen) this.#executeAttempt(node, earlier.attempt, earlier);
      else this.#reportStart(node, attempt);
    } else if (earlier?.isOpen && this.core.options.isUninterrupted) this.#continueAttempt(node, earlier);
    else if (attempt > prepareNode(node).policy.attemptsAcrossCrashes) this.#failNode(node, interrupted, attempt - 1);
    else this.#acquireSlot(node, attempt);
  }

  #acquireSlot(node: GraphNode, attempt: number, begin = () => this.#reportStart(node, attempt)): void {
    const started: StartedNode = { attempt, slot: NO_SLOT };
    this.#slots.set(node, started);
    started.slot = this.core.slots.request(begin);
  }

  /** Executes an attempt that was reported as started but did not begin. */
  #continueAttempt(node: GraphNode, from: RecordedAttempt): void {
    const { attempt } = from;
    const begin = () =>
      this.#isEnding ? this.#handleFailedAttempt(node, attempt, runEnded) : this.#executeAttempt(node, attempt, from);
    // Deferred until the slot is assigned, because a synchronous failure releases it.
    this.#acquireSlot(node, attempt, () => queueMicrotask(begin));
  }

  #reportStart(node: GraphNode, attempt: number): void {
    const startedAt = this.core.now();
    const event = { type: 'node.started', at: startedAt, node: node.id, attempt, ...durable(node) } as const;
    this.#report(event, () => {
      if (this.#isEnding) this.#handleFailedAttempt(node, attempt, runEnded);
      else this.#executeAttempt(node, attempt, { attempt, startedAt, isOpen: true, steps: new Map(), workedMs: 0 });
    });
  }

  #executeAttempt(node: GraphNode, attempt: number, from: RecordedAttempt): void {
    const onError = (error: unknown) => this.#handleFailedAttempt(node, attempt, describeFailure(error));
    try {
      const { graph, input, outer, iteration } = this.parts;
      const { runId, replay } = this.core.options;
      const arrivals = this.#arrivals.get(node)?.slice(0, node.arrivals);
      const now = replay?.startedAt(node, iteration) ?? from.startedAt;
      const values = { runId, run: this.core.values, graph, input, now, onRead: replay?.onRead };
      const scope = new RunScope({ ...values, reader: node, arrivals, outer, iteration }, this.#results);
      const result = this.#attempts.execute(node, scope, from);
      if ('then' in result) result.then(outcome => this.#handleSuccess(node, outcome)).catch(onError);
      else this.#handleSuccess(node, result);
    } catch (error) {
      onError(error);
    }
  }

  #handleSuccess(node: GraphNode, { content: text, usage, branch, response: received }: Outcome): void {
    const content = storable(text);
    const response = received && isResponseRead(this.#graph, node.id) ? received : undefined;
    const tooLarge = this.core.addSize(content) ?? this.core.addSize(this.#results.keepResponse(node, response));
    if (tooLarge) {
      this.#reportFailure(node, { error: tooLarge, isFinal: true, usage });
      return;
    }
    this.#release(node);
    this.#results.contents[node.index] = new Content(content);
    this.#report(
      {
        type: 'node.succeeded',
        node: node.id,
        content,
        ...(branch === undefined ? {} : { branch }),
        ...(response ? { response } : {}),
        ...(usage ? { usage } : {}),
        ...this.#attempts.takeEnd(node),
        ...durable(node),
      },
      () => this.#completeNode(node, followersOf(node, branch)),
    );
  }

  /** Handles a failed attempt: starts the next one or fails the node. */
  #handleFailedAttempt(node: GraphNode, attempt: number, failure: NodeFailure): void {
    const { policy } = prepareNode(node);
    if (this.#isEnding || !permitsRetry(policy, attempt, failure)) {
      this.#failNode(node, failure, attempt);
      return;
    }
    this.#releaseSlot(node);
    const { error, usage } = failure;
    const measured = { ...(usage ? { usage } : {}), ...this.#attempts.takeMeasures(node) };
    this.#report({ type: 'node.retrying', node: node.id, attempt, error, ...measured, ...durable(node) }, () => {
      if (this.#isEnding) this.#failNode(node, runEnded);
      else {
        const seed = JSON.stringify([this.core.options.runId, this.parts.iteration, node.id, attempt]);
        void this.#retry(node, attempt + 1, retryDelayMs(policy, attempt, seed));
      }
    });
  }

  async #retry(node: GraphNode, attempt: number, delayMs: number): Promise<void> {
    try {
      if (delayMs > 0) await this.core.trackBusy(this.#attempts.pause(delayMs));
    } catch {
      // A pause is interrupted only by the end of the run.
    }
    if (this.#isEnding) this.#failNode(node, runEnded);
    else if (node.effects === 'external') this.#acquireSlot(node, attempt);
    else this.#reportStart(node, attempt);
  }

  #failNode(node: GraphNode, failure: NodeFailure, attempts = 1): void {
    // After the run has failed, nodes in flight are aborted regardless of their own policy.
    if (this.#isEnding) this.#reportFailure(node, { ...failure, error: runEnded.error });
    else if (continuationOf(node)) this.#reportContinued(node, failure, attempts);
    else this.#reportFailure(node, failure);
  }

  /** Reports a failure that ends the run. */
  #reportFailure(node: GraphNode, { error, usage }: NodeFailure): void {
    this.#release(node);
    const measured = { ...(usage ? { usage } : {}), ...this.#attempts.takeEnd(node) };
    this.#report({ type: 'node.failed', node: node.id, error, continued: false, ...measured, ...durable(node) });
    this.#fail(error);
  }

  #reportContinued(node: GraphNode, { error, usage, status }: NodeFailure, attempts: number): void {
    this.#release(node);
    const details = { ...(attempts > 1 ? { attempts } : {}), ...(status === undefined ? {} : { status }) };
    const end = { error, continued: true, ...details };
    const measured = { ...(usage ? { usage } : {}), ...this.#attempts.takeEnd(node) };
    this.#report({ type: 'node.failed', node: node.id, ...end, ...measured, ...durable(node) }, () =>
      this.#continueAfterFailure(node, end),
    );
  }

  #continueAfterFailure(node: GraphNode, end: Extract<RecordedEnd, { error: unknown }>): void {
    // A fork may take over a failure of a node whose policy it changed.
    const { content, handle } = continuationOf(node) ?? emptyContinuation(node);
    this.#results.errors.set(node.index, { ...end.error, status: end.status ?? null, attempts: end.attempts ?? 1 });
    this.#results.contents[node.index] = content;
    this.#completeNode(node, handle === undefined ? [] : followersOf(node, handle));
  }

  #completeNode(node: GraphNode, selected: readonly GraphNode[]): void {
    for (const follower of selected) this.#isSelected[follower.index] = 1;
    for (const follower of node.next) {
      const left = (this.#undecided[follower.index] ?? 0) - 1;
      this.#undecided[follower.index] = left;
      if (follower.arrivals === undefined ? left === 0 : this.#arrive(node, follower, selected))
        this.#ready.push(follower);
    }
    if (this.#ready.length > 0) this.core.scheduleStart(this);
  }

  /** Returns true once for a node that does not wait for all predecessors, when it can start or is to be skipped. */
  #arrive(from: GraphNode, at: GraphNode, selected: readonly GraphNode[]): boolean {
    const arrived = this.#arrivals.get(at) ?? [];
    const needed = at.arrivals ?? 0;
    if (arrived.length >= needed) return false;
    if (selected.includes(at)) arrived.push(from);
    return arrived.length >= needed || this.#undecided[at.index] === 0;
  }

  /** Fails the run with its first failure. Nodes in flight are aborted and no further node begins. */
  #fail(error: NodeError): void {
    if (this.#isEnding) return;
    this.#failure = error;
    // Nodes whose start was not delivered yet never began.
    this.core.removeQueued(report => this.#discardStart(report));
    for (const [node, { attempt, slot }] of [...this.#slots]) {
      if (slot.isGranted) continue;
      this.#releaseSlot(node);
      if (attempt === 1) this.#unfinished.delete(node);
      else this.#failNode(node, runEnded);
    }
    this.#failInterrupted();
    this.#attempts.abort();
    this.core.scheduleStart(this);
  }

  #discardStart({ owner, event }: Report): boolean {
    if (owner !== this) return false;
    const isStart = event.type === 'node.started' && event.attempt === 1;
    if (!isStart && event.type !== 'node.skipped') return false;
    this.#pendingReports--;
    const node = isStart ? this.#graph.byId.get(event.node) : undefined;
    if (node) this.#release(node);
    return true;
  }

  /** Reports nodes that an earlier process left in flight as aborted. Nodes inside a loop come first. */
  #failInterrupted(): void {
    for (const node of this.#interrupted) {
      for (const place of this.#attempts.unfinishedInside(
        node,
        this.parts.recorded?.unfinished.get(node.id)?.attempt ?? 1,
      ))
        this.#report({ type: 'node.failed', ...place, error: runEnded.error, continued: false, durable: true });
      this.#reportFailure(node, runEnded);
    }
    this.#interrupted.clear();
  }

  #release(node: GraphNode): void {
    this.#releaseSlot(node);
    this.#unfinished.delete(node);
  }

  #releaseSlot(node: GraphNode): void {
    const started = this.#slots.get(node);
    this.#slots.delete(node);
    started?.slot.release();
  }

  #report(event: UntimedEvent, onTaken?: () => void): void {
    if (this.core.isAbandoned) return;
    this.#pendingReports++;
    this.#results.addUsage(event);
    const nodeEvent = { at: this.core.now(), ...placeOf(event.node, this.parts.iteration), ...event } as NodeEvent;
    this.core.report({ event: nodeEvent, owner: this, onTaken });
  }
}

/** The caller must commit events of nodes with effects before the run continues. */
function durable(node: GraphNode): { durable?: true } {
  return node.effects === 'none' ? {} : { durable: true };
}
