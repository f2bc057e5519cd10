import { isObject, type JsonObject } from '../../json-value.js';
import { nodeKindOf, nodeKinds } from '../nodes/index.js';
import { GraphFaults, type GraphIssue, missingNode } from './graph-faults.js';
import { type InputField, parseInputFields } from './input-fields.js';
import { type Edge, type LinkedOutput, readEdges, readOutputs } from './links.js';
import { BRANCH_SEPARATOR, type NodeKind } from './node-kind.js';

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
  readonly effects: NodeKind['effects'];
  readonly data: JsonObject;
  readonly label: string;
  /** Following nodes by output handle. A node without branches has the handle `''`, and possibly `error`. */
  readonly branches: ReadonlyMap<string, readonly GraphNode[]>;
  /** All nodes that can follow, without duplicates. */
  readonly next: readonly GraphNode[];
  /** Reachable predecessors, in the order of `nodes`. */
  readonly previous: readonly GraphNode[];
  readonly isReachable: boolean;
  /** Number of predecessors after which the node starts; undefined: all of them. */
  readonly arrivals: number | undefined;
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
  /** Set only for the valid nodes of a graph with faults: the ids of all nodes of its level, also of invalid ones. */
  readonly knownIds?: ReadonlySet<string>;
}

/** The structure of a graph is invalid. A run of it is rejected with the inner status 400. */
export class GraphError extends Error {
  readonly status = 400;
  readonly code: GraphIssue['code'];
  readonly place: GraphIssue['place'];

  constructor(
    /** All faults, at most 100. Code, message and place of the error are those of the first. */
    readonly issues: readonly [GraphIssue, ...GraphIssue[]],
    /** The valid nodes of each level with faults, if it has any: of the graph itself first, then of loop bodies. */
    readonly parts: readonly Graph[],
  ) {
    super(issues[0].message);
    this.name = 'GraphError';
    this.code = issues[0].code;
    this.place = issues[0].place;
  }
}

/** A node while its graph is compiled. */
interface MutableNode extends GraphNode {
  branches: Map<string, MutableNode[]>;
  next: MutableNode[];
  previous: MutableNode[];
  isReachable: boolean;
  body: Graph | null;
}

/**
 * Compiles the structure of a workflow in linear time. Recursion is limited to loop bodies. Throws a GraphError with all
 * faults.
 */
export function compileGraph(data: unknown): Graph {
  return compileWithin(data, new Set());
}

/** `usedIds` contains the node ids of the enclosing graphs, because a node id is unique across all levels. */
function compileWithin(data: unknown, usedIds: Set<string>): Graph {
  const faults = new GraphFaults();
  const { byId, ids, repeatedIds, isComplete, bodyParts } = readNodes(data, usedIds, faults);
  const nodes = [...byId.values()];
  const edges = readEdges((data as JsonObject).edges, ids, faults);
  const warnings = connect(nodes, { byId, ids }, edges, faults);
  // Among the nodes that are left out, one may be the start.
  const start = isComplete ? startOf((data as JsonObject).start_node, nodes, byId, faults) : undefined;
  // A link to a repeated id may mean any of its nodes, so a cycle would not be certain.
  const sorted = repeatedIds.size === 0 ? topologicalOrder(nodes, faults) : [];
  if (faults.found) throw new GraphError(faults.found, [...validPart(nodes, byId, ids), ...bodyParts]);
  // A graph without faults is complete and has a start.
  markReachable(start!);
  for (const node of nodes) {
    if (node.isReachable) for (const follower of node.next) follower.previous.push(node);
    else if (!node.kind.isNote)
      warnings.push(warning('out_of_reach', 'the node cannot be reached from the start and never runs', node.id));
  }
  const order = sorted.filter(node => node.isReachable);
  return { nodes, byId, start: start!, order, inputFields: inputFieldsOf(start!), warnings };
}

function inputFieldsOf({ kind, data }: GraphNode): InputField[] {
  return kind.type === 'trigger-node' ? parseInputFields(data.input_fields) : [];
}

/** Returns the valid nodes of a graph with faults, each reachable and without connections. Empty: there are none. */
function validPart(
  nodes: readonly MutableNode[],
  byId: ReadonlyMap<string, MutableNode>,
  knownIds: ReadonlySet<string>,
): Graph[] {
  const isolated = nodes.map(node =>
    Object.assign(node, { branches: new Map(), next: [], previous: [], isReachable: true }),
  );
  const start = isolated.find(({ kind }) => kind.type === 'trigger-node') ?? isolated[0];
  if (!start) return [];
  const inputFields = inputFieldsOf(start);
  return [{ nodes: isolated, byId, start, order: isolated, inputFields, warnings: [], knownIds }];
}

interface ReadNodes {
  byId: Map<string, MutableNode>;
  /** Also the ids of invalid nodes, so that references to them are not faults of their own. */
  ids: Set<string>;
  /** Ids that several nodes have, of this level or of others. Only the first one is read. */
  repeatedIds: Set<string>;
  /** False: invalid nodes are left out. */
  isComplete: boolean;
  /** The valid nodes of bodies with faults. */
  bodyParts: readonly Graph[];
}

/** Throws a GraphError if there is no list of nodes. */
function readNodes(data: unknown, usedIds: Set<string>, faults: GraphFaults): ReadNodes {
  const list = isObject(data) ? data.nodes : undefined;
  if (!isObject(data)) faults.add('malformed', 'data must be an object');
  else if (list === undefined || list === null) faults.add('no_nodes', 'the workflow has no nodes');
  else if (!Array.isArray(list)) faults.add('malformed', 'nodes must be a list', { path: 'nodes' });
  else if (list.length === 0) faults.add('no_nodes', 'the workflow has no nodes');
  if (faults.found) throw new GraphError(faults.found, []);
  const byId = new Map<string, MutableNode>();
  const ids = new Set<string>();
  const repeatedIds = new Set<string>();
  for (const [index, node] of (list as unknown[]).entries()) {
    const draft = readNode(node, index, { usedIds, ids, repeatedIds }, faults);
    if (draft) byId.set(draft.id, draft);
  }
  // Bodies are compiled after all ids of this level are registered, because they must not repeat one.
  const bodyParts: Graph[] = [];
  for (const draft of byId.values()) draft.body = bodyOf(draft, { usedIds, bodyParts }, faults);
  return { byId, ids, repeatedIds, isComplete: byId.size === (list as unknown[]).length, bodyParts };
}

/** Parses a node without its connections and body, and registers its id. Undefined: the node has a fault. */
function readNode(
  node: unknown,
  index: number,
  { usedIds, ids, repeatedIds }: { usedIds: Set<string> } & Pick<ReadNodes, 'ids' | 'repeatedIds'>,
  faults: GraphFaults,
): MutableNode | undefined {
  const path = `nodes.${index}`;
  const refuse = (...fault: Parameters<GraphFaults['add']>) => void faults.add(...fault);
  if (!isObject(node)) return refuse('malformed', `${path} must be an object`, { path });
  const { id, type, data = {} } = node;
  if (typeof id !== 'string' || id === '') return refuse('malformed', `${path}.id must be a text`, { path });
  const place = { path, node_id: id };
  if (usedIds.has(id)) {
    repeatedIds.add(id);
    return refuse('duplicate_node_id', `${path}.id is already used by another node`, place);
  }
  usedIds.add(id);
  ids.add(id);
  if (!isObject(data)) return refuse('malformed', `${path}.data must be an object`, place);
  const kind = typeof type === 'string' ? nodeKindOf(type) : undefined;
  if (!kind) {
    const types = nodeKinds.map(each => each.type).join(', ');
    return refuse('unknown_node_type', `${path}.type must be one of ${types}`, place);
  }
  const label = labelOf(data) ?? kind.title;
  const arrivals = kind.arrivals?.(data);
  const unconnected = { arrivals, branches: new Map(), next: [], previous: [], isReachable: false, body: null };
  const effects = kind.hasSteps?.(data) ? 'steps' : kind.effects;
  return { id, index, kind, effects, data, label, ...unconnected };
}

function labelOf({ label, name }: JsonObject): string | undefined {
  return [label, name].find((text): text is string => typeof text === 'string' && text !== '');
}

/** Compiles the body of a loop. Null: there is none, or it has faults. */
function bodyOf(
  { id, index, kind, data }: MutableNode,
  { usedIds, bodyParts }: { usedIds: Set<string>; bodyParts: Graph[] },
  faults: GraphFaults,
): Graph | null {
  const body = kind.bodyMember === undefined ? undefined : data[kind.bodyMember];
  if (body === undefined || body === null) return null;
  try {
    return compileWithin(body, usedIds);
  } catch (error) {
    if (!(error instanceof GraphError)) throw error;
    const path = `nodes.${index}.data.${kind.bodyMember}`;
    for (const { code, message, place } of error.issues) {
      const inside = { ...place, node_id: place.node_id ?? id, path: join(path, place.path) };
      faults.add(code, `in the loop body: ${message}`, inside);
    }
    bodyParts.push(...error.parts);
    return null;
  }
}

function join(path: string, below: string | undefined): string {
  return below === undefined ? path : `${path}.${below}`;
}

/** Finds a node by id, in the graph or in a loop body. */
export function findNode(graph: Graph, id: string): GraphNode | undefined {
  const node = graph.byId.get(id);
  if (node) return node;
  for (const { body } of graph.nodes) {
    const inner = body ? findNode(body, id) : undefined;
    if (inner) return inner;
  }
  return undefined;
}

/**
 * Returns the nodes that follow the output, or several outputs joined by `BRANCH_SEPARATOR`. The output of a node
 * without branches has the handle `''`.
 */
export function followersOf(node: GraphNode, handles = ''): readonly GraphNode[] {
  return handles.split(BRANCH_SEPARATOR).flatMap(handle => node.branches.get(handle) ?? []);
}

function connect(
  nodes: readonly MutableNode[],
  { byId, ids }: Pick<ReadNodes, 'byId' | 'ids'>,
  edges: ReturnType<typeof readEdges>,
  faults: GraphFaults,
): GraphWarning[] {
  const warnings = edges.repeated.map(id => warning('duplicate_edge_id', 'another edge has the same id', null, id));
  for (const node of nodes) {
    const own = edges.bySource.get(node.id) ?? [];
    const outputs = readOutputs(node, own, faults);
    const next = new Set<MutableNode>();
    for (const { handle, targets, member } of outputs) {
      const followers = new Set<MutableNode>();
      for (const target of targets) {
        const follower = byId.get(target);
        if (follower) {
          followers.add(follower);
          next.add(follower);
        } else if (!ids.has(target)) {
          const place = { node_id: node.id, path: member };
          faults.add('dangling_next_node', `${member} refers to ${missingNode(target)}`, place);
        }
      }
      node.branches.set(handle, [...followers]);
    }
    node.next = [...next];
    if (edges.count > 0) warnings.push(...disagreements(node, own, outputs));
  }
  return warnings;
}

/** If next nodes are listed in the data, edges are only a drawing. Warns where the drawing differs. */
function disagreements(node: MutableNode, edges: readonly Edge[], outputs: readonly LinkedOutput[]): GraphWarning[] {
  const warnings: GraphWarning[] = [];
  const hasBranches = node.kind.branches !== undefined;
  const drawnTargets = new Map<string, Set<string>>();
  const listedTargets = new Map(outputs.map(({ handle, targets }) => [handle, new Set(targets)]));
  for (const edge of edges) {
    const handle = hasBranches || node.branches.has(edge.handle) ? edge.handle : '';
    if (!listedTargets.get(handle)?.has(edge.target)) {
      const message = 'the edge is not among the next nodes and is never followed';
      warnings.push(warning('edges_disagree', message, node.id, edge.id));
    }
    const targets = drawnTargets.get(handle) ?? new Set();
    drawnTargets.set(handle, targets.add(edge.target));
  }
  for (const { handle, member, targets, isListed } of outputs) {
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

/** Undefined: there is no start, which is added to `faults`. */
function startOf(
  startId: unknown,
  nodes: readonly MutableNode[],
  byId: ReadonlyMap<string, MutableNode>,
  faults: GraphFaults,
): MutableNode | undefined {
  const place = { path: 'start_node' };
  if (startId !== undefined && startId !== null && startId !== '') {
    const start = typeof startId === 'string' ? byId.get(startId) : undefined;
    if (!start) faults.add('no_start_node', 'start_node must be the id of a node', place);
    return start;
  }
  const [trigger, another] = nodes.filter(node => node.kind.type === 'trigger-node');
  if (!trigger) faults.add('no_start_node', 'the workflow has no start node', place);
  if (another) faults.add('no_start_node', 'start_node is required when there are several triggers', place);
  return trigger;
}

function markReachable(start: MutableNode): void {
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

/** Invalid nodes are not in `nodes`, so an index may exceed their number. */
function topologicalOrder(nodes: readonly MutableNode[], faults: GraphFaults): MutableNode[] {
  const open = new Uint32Array((nodes.at(-1)?.index ?? -1) + 1);
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
  if (order.length < nodes.length)
    faults.add('cycle', 'the workflow has a cycle', { node_id: findCycleNode(nodes, open) });
  return order;
}

/** Follows predecessors among the unordered nodes. The first node that repeats is on the cycle. */
function findCycleNode(nodes: readonly MutableNode[], open: Uint32Array): string {
  const before = new Map<MutableNode, MutableNode>();
  for (const node of nodes) {
    if ((open[node.index] ?? 0) > 0) for (const follower of node.next) before.set(follower, node);
  }
  let node = nodes.find(({ index }) => (open[index] ?? 0) > 0);
  const seen = new Set<MutableNode>();
  while (node && !seen.has(node)) {
    seen.add(node);
    node = before.get(node);
  }
  return node?.id ?? '';
}
