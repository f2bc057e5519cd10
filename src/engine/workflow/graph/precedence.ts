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
 * Proves that a node has run whenever a later one runs: every path to the later node contains the node itself, or a
 * node or output that implies it. The vertices of the proof are the nodes by index, then the outputs of branches.
 */
export class PrecedenceProof {
  /** Immediate dominator of each vertex. */
  readonly #parent: Int32Array;
  /** A farther ancestor of each vertex (skew-binary jump pointers): a search for an ancestor takes logarithmic time. */
  readonly #jump: Int32Array;
  readonly #depth: Int32Array;
  /** The vertices that lead to each node. */
  readonly #incoming: number[][];
  /** The node of each output. */
  readonly #sources: GraphNode[] = [];
  readonly #hasRaces: boolean;

  constructor(graph: Graph) {
    const size = graph.order.reduce((sum, node) => sum + outputsOf(node), graph.nodes.length);
    this.#parent = new Int32Array(size);
    this.#jump = new Int32Array(size);
    this.#depth = new Int32Array(size);
    this.#incoming = graph.nodes.map(() => []);
    this.#hasRaces = graph.order.some(node => node.arrivals !== undefined);
    for (const node of graph.order) {
      const incoming = this.#incoming[node.index] ?? [];
      this.#place(node.index, incoming.length === 0 ? node.index : incoming.reduce((a, b) => this.#meet(a, b)));
      for (const followers of node.branches.values()) {
        const vertex = outputsOf(node) === 0 ? node.index : this.#placeOutput(node);
        for (const { index } of followers) this.#incoming[index]?.push(vertex);
      }
    }
  }

  /** Returns true if the proof succeeds, or exceeds its step limit. */
  hasRun({ earlier, later }: PrecedenceQuestion): boolean {
    const waiting = [earlier.index];
    const seen = new Set(waiting);
    const provenOutputs = new Map<GraphNode, number>();
    for (let vertex = waiting.pop(); vertex !== undefined && seen.size < MAX_STEPS; vertex = waiting.pop()) {
      if (this.#dominates(vertex, later.index)) return true;
      // A node may start later than one that does not wait for all its predecessors.
      if (this.#hasRaces) continue;
      for (const before of this.#impliedBy(vertex, provenOutputs)) {
        if (seen.has(before)) continue;
        seen.add(before);
        waiting.push(before);
      }
    }
    return seen.size >= MAX_STEPS;
  }

  /** Returns vertices that imply a vertex. A branch implies it when each output does: it selects at least one. */
  #impliedBy(vertex: number, provenOutputs: Map<GraphNode, number>): readonly number[] {
    const source = this.#sources[vertex - this.#incoming.length];
    if (!source) return this.#incoming[vertex] ?? [];
    const proven = (provenOutputs.get(source) ?? 0) + 1;
    provenOutputs.set(source, proven);
    return proven === source.branches.size && alwaysSelects(source) ? [source.index] : [];
  }

  /** Adds an output below its node and returns its vertex. */
  #placeOutput(node: GraphNode): number {
    const vertex = this.#incoming.length + this.#sources.length;
    this.#sources.push(node);
    this.#place(vertex, node.index);
    return vertex;
  }

  /** Adds a vertex below its immediate dominator; the start is its own. */
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

  /** Returns the dominator of a vertex at a depth. */
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

/** The number of outputs that are vertices. Zero: the node has a single output, which is always followed. */
function outputsOf({ kind, branches }: GraphNode): number {
  return kind.branches || branches.size > 1 ? branches.size : 0;
}

/** Whether a node that has run has selected an output. A branch that continues after its failure may select none. */
function alwaysSelects({ kind, data }: GraphNode): boolean {
  return !kind.branches || (data.on_error !== 'continue' && data.on_error !== 'default');
}
