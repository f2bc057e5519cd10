import { isObject, type JsonObject } from '../../json-value.js';
import { nodeKindOf, nodeKinds } from '../nodes/index.js';
import { type Connection, connectionsOf, type Edge, readEdges } from './connections.js';
import { GraphError } from './graph-error.js';
import { type InputField, parseInputFields } from './input-fields.js';
import type { NodeKind } from './node-kind.js';
import { wellFormedFaults } from './well-formed.js';

export { GraphError };

/** A probable mistake that does not prevent a run. */
export interface GraphWarning {
  code: 'out_of_reach' | 'edges_disagree' | 'duplicate_edge_id';
  node_id: string | null;
  edge_id: string | null;
  path: string | null;
  message: string;
}

/** A node of a compiled graph. */
export interface GraphNode {
  readonly id: string;
  /** Position in `nodes`. */
  readonly index: number;
  readonly kind: NodeKind;
  readonly data: JsonObject;
  readonly label: string;
  /** Following nodes by output handle. A node without branches has only the handle `''`. */
  readonly branches: ReadonlyMap<string, readonly GraphNode[]>;
  /** All nodes that can follow, without duplicates. */
  readonly next: readonly GraphNode[];
  /** Reachable predecessors, in the order of `nodes`. */
  readonly previous: readonly GraphNode[];
  readonly isReachable: boolean;
  /** The body of a loop; null for other nodes. */
  readonly body: Graph | null;
}

/** The compiled graph of a workflow. Revisions are immutable, so all runs of a revision share it. */
export interface Graph {
  readonly nodes: readonly GraphNode[];
  readonly byId: ReadonlyMap<string, GraphNode>;
  readonly start: GraphNode;
  /** The reachable nodes in topological order. */
  readonly order: readonly GraphNode[];
  /** Input fields of the start node. Secret defaults are masked, as in `data`. */
  readonly inputFields: readonly InputField[];
  readonly warnings: readonly GraphWarning[];
}

interface Draft extends GraphNode {
  branches: Map<string, Draft[]>;
  next: Draft[];
  previous: Draft[];
  isReachable: boolean;
  body: Graph | null;
}

/** Returns the faults that prevent saving `data` as a draft; empty: it can be saved. */
export function isWellFormed(data: unknown): string[] {
  return wellFormedFaults(data);
}

/**
 * Compiles the structure of a workflow in linear time. Recursion is limited to loop bodies. Throws the first GraphError
 * found.
 */
export function compileGraph(data: unknown): Graph {
  return compileWithin(data, new Set());
}

/** `usedIds` contains the node ids of the enclosing graphs, because a node id is unique across all levels. */
function compileWithin(data: unknown, usedIds: Set<string>): Graph {
  if (!isObject(data)) throw new GraphError('malformed', 'data must be an object');
  const byId = readNodes(data.nodes, usedIds);
  const nodes = [...byId.values()];
  const edges = readEdges(data.edges, byId);
  const warnings = connect(nodes, byId, edges);
  const start = startOf(data.start_node, nodes, byId);
  markReachable(start);
  for (const node of nodes) {
    if (node.isReachable) for (const follower of node.next) follower.previous.push(node);
    else warnings.push(warning('out_of_reach', 'the node cannot be reached from the start and never runs', node.id));
  }
  const order = topologicalOrder(nodes).filter(node => node.isReachable);
  const inputFields = start.kind.type === 'trigger-node' ? parseInputFields(start.data.input_fields) : [];
  return { nodes, byId, start, order, inputFields, warnings };
}

function readNodes(list: unknown, usedIds: Set<string>): Map<string, Draft> {
  if (list === undefined || list === null) throw new GraphError('no_nodes', 'the workflow has no nodes');
  if (!Array.isArray(list)) throw new GraphError('malformed', 'nodes must be a list', { path: 'nodes' });
  if (list.length === 0) throw new GraphError('no_nodes', 'the workflow has no nodes');
  const byId = new Map<string, Draft>();
  for (const [index, node] of list.entries()) {
    const draft = readNode(node, index, usedIds);
    byId.set(draft.id, draft);
  }
  // Bodies are compiled after all ids of this level are registered, because they must not repeat one.
  for (const draft of byId.values()) draft.body = bodyOf(draft, usedIds);
  return byId;
}

/** Parses a node without its connections and body, and registers its id. */
function readNode(node: unknown, index: number, usedIds: Set<string>): Draft {
  const path = `nodes.${index}`;
  if (!isObject(node)) throw new GraphError('malformed', `${path} must be an object`, { path });
  const { id, type, data = {} } = node;
  if (typeof id !== 'string' || id === '') throw new GraphError('malformed', `${path}.id must be a text`, { path });
  if (usedIds.has(id)) {
    throw new GraphError('duplicate_node_id', `${path}.id is already used by another node`, { path, node_id: id });
  }
  usedIds.add(id);
  if (!isObject(data)) throw new GraphError('malformed', `${path}.data must be an object`, { path, node_id: id });
  const kind = typeof type === 'string' ? nodeKindOf(type) : undefined;
  if (!kind) {
    const types = nodeKinds.map(each => each.type).join(', ');
    throw new GraphError('unknown_node_type', `${path}.type must be one of ${types}`, { path, node_id: id });
  }
  const label = labelOf(data) ?? kind.title;
  const unconnected = { branches: new Map(), next: [], previous: [], isReachable: false, body: null };
  return { id, index, kind, data, label, ...unconnected };
}

function labelOf({ label, name }: JsonObject): string | undefined {
  return [label, name].find((text): text is string => typeof text === 'string' && text !== '');
}

function bodyOf({ id, index, kind, data }: Draft, usedIds: Set<string>): Graph | null {
  const body = kind.bodyMember === undefined ? undefined : data[kind.bodyMember];
  if (body === undefined || body === null) return null;
  try {
    return compileWithin(body, usedIds);
  } catch (error) {
    if (!(error instanceof GraphError)) throw error;
    const path = `nodes.${index}.data.${kind.bodyMember}`;
    const place = { ...error.place, node_id: error.place.node_id ?? id, path: join(path, error.place.path) };
    throw new GraphError(error.code, `in the loop body: ${error.message}`, place);
  }
}

function join(path: string, below: string | undefined): string {
  return below === undefined ? path : `${path}.${below}`;
}

/** Finds a node by id, in the graph or in a loop body. */
export function findNode(graph: Graph, id: string): GraphNode | undefined {
  const found = graph.byId.get(id);
  if (found) return found;
  for (const { body } of graph.nodes) {
    const inner = body ? findNode(body, id) : undefined;
    if (inner) return inner;
  }
  return undefined;
}

function connect(
  nodes: readonly Draft[],
  byId: ReadonlyMap<string, Draft>,
  edges: ReturnType<typeof readEdges>,
): GraphWarning[] {
  const warnings = edges.repeated.map(id => warning('duplicate_edge_id', 'another edge has the same id', null, id));
  for (const node of nodes) {
    const own = edges.bySource.get(node.id) ?? [];
    const connections = connectionsOf(node, own);
    const next = new Set<Draft>();
    for (const { handle, targets, member } of connections) {
      const followers = new Set<Draft>();
      for (const target of targets) {
        const follower = byId.get(target);
        if (!follower) {
          const place = { node_id: node.id, path: member };
          throw new GraphError('dangling_next_node', `${member} refers to a node that does not exist`, place);
        }
        followers.add(follower);
        next.add(follower);
      }
      node.branches.set(handle, [...followers]);
    }
    node.next = [...next];
    if (edges.count > 0) warnings.push(...disagreements(node, own, connections));
  }
  return warnings;
}

/** If next nodes are listed in the data, edges are only a drawing. Warns where the drawing differs. */
function disagreements(node: Draft, edges: readonly Edge[], connections: readonly Connection[]): GraphWarning[] {
  const warnings: GraphWarning[] = [];
  const hasBranches = node.kind.branches !== undefined;
  const drawnTargets = new Map<string, Set<string>>();
  const listedTargets = new Map(connections.map(({ handle, targets }) => [handle, new Set(targets)]));
  for (const edge of edges) {
    const handle = hasBranches ? edge.handle : '';
    if (!listedTargets.get(handle)?.has(edge.target)) {
      const message = 'the edge is not among the next nodes and is never followed';
      warnings.push(warning('edges_disagree', message, node.id, edge.id));
    }
    const targets = drawnTargets.get(handle) ?? new Set();
    drawnTargets.set(handle, targets.add(edge.target));
  }
  for (const { handle, member, targets, isListed } of connections) {
    if (!isListed || targets.every(target => drawnTargets.get(handle)?.has(target))) continue;
    warnings.push(warning('edges_disagree', 'a next node has no edge that leads to it', node.id, null, member));
  }
  return warnings;
}

function warning(
  code: GraphWarning['code'],
  message: string,
  node_id: string | null,
  edge_id: string | null = null,
  path: string | null = null,
): GraphWarning {
  return { code, node_id, edge_id, path, message };
}

function startOf(startId: unknown, nodes: readonly Draft[], byId: ReadonlyMap<string, Draft>): Draft {
  if (startId !== undefined && startId !== null && startId !== '') {
    const start = typeof startId === 'string' ? byId.get(startId) : undefined;
    if (!start) throw new GraphError('no_start_node', 'start_node must be the id of a node', { path: 'start_node' });
    return start;
  }
  const [trigger, another] = nodes.filter(node => node.kind.type === 'trigger-node');
  if (!trigger) throw new GraphError('no_start_node', 'the workflow has no start node', { path: 'start_node' });
  if (another) {
    throw new GraphError('no_start_node', 'start_node is required when there are several triggers', {
      path: 'start_node',
    });
  }
  return trigger;
}

function markReachable(start: Draft): void {
  const waiting = [start];
  start.isReachable = true;
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    for (const follower of node.next) {
      if (follower.isReachable) continue;
      follower.isReachable = true;
      waiting.push(follower);
    }
  }
}

function topologicalOrder(nodes: readonly Draft[]): Draft[] {
  const open = new Uint32Array(nodes.length);
  for (const node of nodes) for (const { index } of node.next) open[index] = (open[index] ?? 0) + 1;
  const order = nodes.filter(({ index }) => open[index] === 0);
  // The array grows during iteration: a node is appended after its last predecessor.
  for (const node of order) {
    for (const follower of node.next) {
      const left = (open[follower.index] ?? 0) - 1;
      open[follower.index] = left;
      if (left === 0) order.push(follower);
    }
  }
  if (order.length < nodes.length) {
    throw new GraphError('cycle', 'the workflow has a cycle', { node_id: findCycleNode(nodes, open) });
  }
  return order;
}

/** Follows predecessors among the unordered nodes. The first node that repeats lies on the cycle. */
function findCycleNode(nodes: readonly Draft[], open: Uint32Array): string {
  const before = new Map<Draft, Draft>();
  for (const node of nodes) {
    if ((open[node.index] ?? 0) > 0) for (const follower of node.next) before.set(follower, node);
  }
  let node = nodes.find(({ index }) => (open[index] ?? 0) > 0);
  const seen = new Set<Draft>();
  while (node && !seen.has(node)) {
    seen.add(node);
    node = before.get(node);
  }
  return node?.id ?? '';
}
