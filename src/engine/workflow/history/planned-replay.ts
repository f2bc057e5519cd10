import type { Graph, GraphNode } from '../graph/graph.js';
import { nodesWithin } from '../graph/node-checks.js';
import type { Outcome } from '../graph/node-kind.js';
import { AttemptAborted } from '../run/node-failure.js';
import { type NodePlace, placeOf, type RecordedEnd } from '../run/recorded-state.js';
import type { NodeEvent } from '../run/run-event.js';
import { isResponseRead } from '../run/run-scope.js';
import type { Replay, ReplayAnswer } from './replay.js';
import { keyOf, type ReplayRecord } from './replay-record.js';
import { hasRequest } from './resolved-request.js';

/** Which results a new run takes over. */
export interface ReusePolicy {
  /** Returns true for a node that is executed again in any case, also inside of loops. */
  repeats(node: GraphNode): boolean;
  /** True: results of the other nodes are taken over even if their requests have changed. */
  ignoresRequests: boolean;
}

/** How a new run treats one execution of a node with external effects. */
export interface PlannedCall extends NodePlace {
  /** `reused`: not executed. `repeated`: executed in the earlier run and again. `new`: not executed in the earlier run. */
  kind: 'reused' | 'repeated' | 'new';
  /** False if the call depends on a decision that is made again. */
  isCertain: boolean;
}

/**
 * Answers nodes from a record and notes which results depend on calls that are made again. Sets of strings contain results
 * of `keyOf`.
 */
export class PlannedReplay implements Replay {
  readonly calls: PlannedCall[] = [];
  readonly #enclosing: ReadonlyMap<GraphNode, GraphNode>;
  /** Executions whose results are taken over. */
  readonly #reused = new Set<string>();
  /** Results that may differ from the recorded ones. */
  readonly #changed = new Set<string>();
  /** Loops whose further iterations may have other inputs than the recorded ones. */
  readonly #changedLoops = new Set<string>();
  /** Executions and skips that depend on a decision that is made again. */
  readonly #uncertain = new Set<string>();
  /** Executions that have ended, or were skipped. */
  readonly #settled = new Set<string>();
  /** Nodes that have begun. */
  readonly #observed = new Set<GraphNode>();
  /** Nodes that take the first inputs that arrive. */
  readonly #races: readonly GraphNode[];
  /** Nodes without effects of which a result is taken over, and those of which one is not. */
  readonly #kept = new Set<GraphNode>();
  readonly #executed = new Set<GraphNode>();
  /** The execution in progress: whether a value that it has read, or a call that it makes, may have changed. */
  #reader = { isChanged: false };

  constructor(
    private readonly graph: Graph,
    private readonly record: ReplayRecord,
    private readonly policy: ReusePolicy,
  ) {
    this.#enclosing = enclosingLoops(graph);
    const isRace = ({ arrivals, isReachable }: GraphNode) => arrivals !== undefined && isReachable;
    this.#races = [...nodesWithin(graph)].filter(isRace);
  }

  startedAt(node: GraphNode, iteration: string): string | undefined {
    return this.record.starts.get(keyOf(placeOf(node.id, iteration)));
  }

  /** An arrow function, because it is passed on without its object. */
  onRead = (node: GraphNode, iteration: string): void => {
    if (this.#changed.has(keyOf(placeOf(node.id, iteration)))) this.#reader.isChanged = true;
  };

  observe<T extends Outcome | Promise<Outcome>>(node: GraphNode, iteration: string, execute: () => T): T | Outcome {
    const place = placeOf(node.id, iteration);
    const key = keyOf(place);
    this.#observed.add(node);
    if (this.#dependsOnDecision(node, iteration)) this.#uncertain.add(key);
    const isKept = this.policy.ignoresRequests && !this.repeats(node) && node.kind.type !== 'trigger-node';
    const kept = isKept ? this.#resultOf(place) : undefined;
    if (kept) {
      this.#reused.add(key);
      if (hasRequest(node)) this.calls.push({ ...place, kind: 'reused', isCertain: true });
      if ('content' in kept) return kept;
      throw new AttemptAborted({ ...kept, isFinal: true });
    }
    const outer = this.#reader;
    const reader = { isChanged: this.#hasChangedInput(node, iteration) };
    this.#reader = reader;
    try {
      return execute();
    } finally {
      this.#reader = outer;
      if (reader.isChanged && node.body) this.#changedLoops.add(key);
      if (reader.isChanged) this.#change(node, iteration);
    }
  }

  answer(node: GraphNode, iteration: string, request: string | undefined): ReplayAnswer | undefined {
    const place = placeOf(node.id, iteration);
    const key = keyOf(place);
    const result = this.#resultOf(place);
    const isUncertain = this.#uncertain.has(key);
    const isExcluded = this.repeats(node) || this.#reader.isChanged || isUncertain || this.#lacksResponse(node, result);
    if (result && !isExcluded && this.#isUnchanged(key, request)) {
      this.#reused.add(key);
      this.calls.push({ ...place, kind: 'reused', isCertain: true });
      return result;
    }
    this.#reader.isChanged = true;
    this.calls.push({ ...place, kind: this.kindOf(place), isCertain: !isUncertain });
    return result;
  }

  /** Whether the graph reads the HTTP response of the node, which the graph of the recorded run did not. */
  #lacksResponse(node: GraphNode, result: RecordedEnd | undefined): boolean {
    if (!result || !('content' in result) || result.response !== undefined) return false;
    return node.kind.hasResponse === true && isResponseRead(this.graph, node.id);
  }

  #isUnchanged(key: string, request: string | undefined): boolean {
    return request !== undefined && this.record.requests.get(key) === request;
  }

  /** Notes the end of a node. A result without effects is taken over if it is the recorded one. */
  settle(node: GraphNode, event: NodeEvent): void {
    const key = keyOf(event);
    if (event.type === 'node.skipped' && this.#dependsOnDecision(node, event.iteration ?? '')) this.#uncertain.add(key);
    this.#settled.add(key);
    if (hasRequest(node) || node.kind.type === 'trigger-node' || event.type !== 'node.succeeded') return;
    const isExcluded = this.#changed.has(key) || this.#uncertain.has(key) || this.repeats(node);
    const isKept = !isExcluded && this.#isRecorded(event);
    (isKept ? this.#kept : this.#executed).add(node);
    if (isKept) this.#reused.add(key);
  }

  #isRecorded(event: Extract<NodeEvent, { type: 'node.succeeded' }>): boolean {
    const result = this.#resultOf(event);
    return result !== undefined && 'content' in result && result.content === event.content;
  }

  /** Returns true if the result of the execution, or of a loop around it, is taken over. */
  isReused(node: GraphNode, iteration: string): boolean {
    if (this.#reused.has(keyOf(placeOf(node.id, iteration)))) return true;
    const loop = this.#enclosing.get(node);
    return loop !== undefined && this.isReused(loop, outerIteration(iteration));
  }

  /** Returns true if the execution's own result is taken over, and not that of a loop around it. */
  isTakenOver(node: GraphNode, iteration: string): boolean {
    const loop = this.#enclosing.get(node);
    const isInside = loop !== undefined && this.isReused(loop, outerIteration(iteration));
    return !isInside && this.isReused(node, iteration);
  }

  /** Returns true if the node has begun. */
  isObserved(node: GraphNode): boolean {
    return this.#observed.has(node);
  }

  /** Returns true if the node has ended or was skipped. */
  isSettled(node: GraphNode): boolean {
    return this.#settled.has(keyOf({ node: node.id }));
  }

  /** True if a node is executed that takes inputs in the order of their arrival: it may find too few and fail the run. */
  get hasRaces(): boolean {
    return this.#races.some(node => this.#executed.has(node) || !this.#kept.has(node));
  }

  isUncertain(node: GraphNode): boolean {
    return this.#uncertain.has(keyOf({ node: node.id }));
  }

  /** Returns true if the node selects its followers from a result that may differ from the recorded one. */
  decidesAgain(node: GraphNode, iteration = ''): boolean {
    return decides(node) && this.#changed.has(keyOf(placeOf(node.id, iteration)));
  }

  kindOf(place: NodePlace): 'repeated' | 'new' {
    return this.record.starts.has(keyOf(place)) || this.#resultOf(place) ? 'repeated' : 'new';
  }

  /** Returns true if the node, or a loop around it, is executed again in any case. */
  repeats(node: GraphNode): boolean {
    for (let each: GraphNode | undefined = node; each; each = this.#enclosing.get(each))
      if (this.policy.repeats(each)) return true;
    return false;
  }

  #resultOf({ node, iteration = '' }: NodePlace): RecordedEnd | undefined {
    const end = this.record.levels.get(iteration)?.finished.get(node);
    return end && ('content' in end || end.continued) ? end : undefined;
  }

  #dependsOnDecision(node: GraphNode, iteration: string): boolean {
    const loop = this.#enclosing.get(node);
    if (loop) {
      const key = keyOf(placeOf(loop.id, outerIteration(iteration)));
      if (this.#uncertain.has(key) || (isRepeating(loop) && this.#changedLoops.has(key))) return true;
    }
    return node.previous.some(
      before => this.#uncertain.has(keyOf(placeOf(before.id, iteration))) || this.decidesAgain(before, iteration),
    );
  }

  /** The order in which predecessors arrive may change with their results. */
  #hasChangedInput(node: GraphNode, iteration: string): boolean {
    const loop = this.#enclosing.get(node);
    if (loop && this.#changedLoops.has(keyOf(placeOf(loop.id, outerIteration(iteration))))) return true;
    const isOpen = ({ id }: GraphNode) => {
      const key = keyOf(placeOf(id, iteration));
      return this.#changed.has(key) || !this.#settled.has(key);
    };
    return node.arrivals !== undefined && node.previous.some(isOpen);
  }

  /** Marks the result and those of the loops around it. */
  #change(node: GraphNode, iteration: string): void {
    this.#changed.add(keyOf(placeOf(node.id, iteration)));
    const loop = this.#enclosing.get(node);
    if (!loop) return;
    const outer = outerIteration(iteration);
    // Each iteration of a loop with a condition reads the output of the previous one.
    if (isRepeating(loop)) this.#changedLoops.add(keyOf(placeOf(loop.id, outer)));
    this.#change(loop, outer);
  }
}

/** Returns true if the result of the node selects its followers. */
export function decides({ kind, branches }: GraphNode): boolean {
  return kind.branches !== undefined || branches.size > 1;
}

function isRepeating({ data }: GraphNode): boolean {
  return (data.repeat ?? null) !== null;
}

function outerIteration(iteration: string): string {
  return iteration.includes('.') ? iteration.slice(0, iteration.lastIndexOf('.')) : '';
}

function enclosingLoops(graph: Graph): Map<GraphNode, GraphNode> {
  const loops = new Map<GraphNode, GraphNode>();
  for (const loop of nodesWithin(graph)) for (const inner of loop.body?.nodes ?? []) loops.set(inner, loop);
  return loops;
}
