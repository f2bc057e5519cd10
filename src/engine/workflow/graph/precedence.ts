import type { Graph, GraphNode } from './graph.js';

/** Number of nodes whose ancestors are computed in one pass: the bits of an integer. */
const NODES_PER_PASS = 31;
/** Step limit of the search for a proof that a node always runs. Above it no warning is given. */
const MAX_STEPS = 1000;

/** Asks whether `earlier` has run when `later` begins. */
export interface PrecedenceQuestion {
  earlier: GraphNode;
  later: GraphNode;
}

/** Returns the questions whose `earlier` node can never be finished when `later` begins. */
export function findImpossible<Q extends PrecedenceQuestion>(graph: Graph, questions: readonly Q[]): Q[] {
  const impossible: Q[] = [];
  const byEarlier = Map.groupBy(questions, question => question.earlier);
  const open = [...byEarlier].filter(([earlier]) => earlier !== graph.start || !earlier.isReachable);
  impossible.push(...(byEarlier.get(graph.start) ?? []).filter(question => question.later === graph.start));
  for (let from = 0; from < open.length; from += NODES_PER_PASS) {
    const group = open.slice(from, from + NODES_PER_PASS);
    const bits = new Map(group.map(([earlier], bit) => [earlier, 1 << bit]));
    const before = ancestorBits(graph, bits);
    for (const [earlier, ownQuestions] of group) {
      const bit = bits.get(earlier)!;
      const isBefore = ({ index }: GraphNode) => earlier.isReachable && (before[index]! & bit) !== 0;
      impossible.push(...ownQuestions.filter(question => !isBefore(question.later)));
    }
  }
  return impossible;
}

/** Returns the ancestor bits of each node, by node index. */
function ancestorBits(graph: Graph, bits: ReadonlyMap<GraphNode, number>): Int32Array {
  const before = new Int32Array(graph.nodes.length);
  for (const node of graph.order) {
    const own = before[node.index]! | (bits.get(node) ?? 0);
    if (own !== 0) for (const { index } of node.next) before[index]! |= own;
  }
  return before;
}

/**
 * Proves that a node has run whenever a later one runs: every path to the later node contains the node itself or a node
 * that implies it.
 */
export class PrecedenceProof {
  /** Immediate dominator of each node. */
  readonly #parent: Int32Array;
  /** A farther ancestor of each node (skew-binary jump pointers), so that a search for an ancestor takes logarithmic time. */
  readonly #jump: Int32Array;
  readonly #depth: Int32Array;
  readonly #hasRaces: boolean;

  constructor(graph: Graph) {
    const size = graph.nodes.length;
    this.#parent = new Int32Array(size);
    this.#jump = new Int32Array(size);
    this.#depth = new Int32Array(size);
    this.#hasRaces = graph.order.some(node => node.arrivals !== undefined);
    for (const node of graph.order) {
      const [first, ...others] = node.previous;
      let parent = first && node !== graph.start ? first.index : node.index;
      for (const other of others) parent = this.#meet(parent, other.index);
      this.#place(node.index, parent);
    }
  }

  /** Returns true if the proof succeeds, or exceeds its step limit. */
  hasRun({ earlier, later }: PrecedenceQuestion): boolean {
    const waiting = [earlier];
    const seen = new Set(waiting);
    for (let node = waiting.pop(); node && seen.size < MAX_STEPS; node = waiting.pop()) {
      if (this.#dominates(node.index, later.index)) return true;
      // A node may start later than one that does not wait for all its predecessors.
      if (this.#hasRaces) continue;
      for (const before of node.previous) {
        if (before.kind.branches || before.branches.size > 1 || seen.has(before)) continue;
        seen.add(before);
        waiting.push(before);
      }
    }
    return seen.size >= MAX_STEPS;
  }

  /** Adds a node below its immediate dominator; the start is its own. */
  #place(index: number, parent: number): void {
    if (index === parent) {
      this.#jump[index] = this.#parent[index] = index;
      return;
    }
    const jump = this.#jump[parent] ?? 0;
    const far = this.#jump[jump] ?? 0;
    const depth = (node: number) => this.#depth[node] ?? 0;
    this.#parent[index] = parent;
    this.#depth[index] = depth(parent) + 1;
    this.#jump[index] = depth(parent) - depth(jump) === depth(jump) - depth(far) ? far : parent;
  }

  /** Returns the nearest common dominator. */
  #meet(a: number, b: number): number {
    const depth = (node: number) => this.#depth[node] ?? 0;
    let left = depth(a) > depth(b) ? this.#lift(a, depth(b)) : a;
    let right = depth(b) > depth(a) ? this.#lift(b, depth(a)) : b;
    while (left !== right) {
      const isFar = this.#jump[left] !== this.#jump[right];
      left = (isFar ? this.#jump[left] : this.#parent[left]) ?? 0;
      right = (isFar ? this.#jump[right] : this.#parent[right]) ?? 0;
    }
    return left;
  }

  /** Returns the dominator of a node at a depth. */
  #lift(from: number, depth: number): number {
    let node = from;
    while ((this.#depth[node] ?? 0) > depth) {
      const jump = this.#jump[node] ?? 0;
      node = (this.#depth[jump] ?? 0) >= depth ? jump : (this.#parent[node] ?? 0);
    }
    return node;
  }

  #dominates(a: number, b: number): boolean {
    const depth = this.#depth[a] ?? 0;
    return (this.#depth[b] ?? 0) >= depth && this.#lift(b, depth) === a;
  }
}
