import { isObject } from '../../json-value.js';
import { type GraphFaults, missingNode } from './graph-faults.js';
import { type Branch, ERROR_HANDLE, hasErrorOutput, type NodeKind } from './node-kind.js';

/** An edge that leaves a node. */
export interface Edge {
  id: string | null;
  target: string;
  /** The `sourceHandle`; empty if absent. */
  handle: string;
}

/** An output of a node with the ids of its targets. */
export interface LinkedOutput {
  handle: string;
  /** Dotted path inside the node's `data` of the member that can list the targets. */
  member: string;
  targets: readonly string[];
  /** True if the targets come from the node's data, false if they come from edges. */
  isListed: boolean;
}

/** The edges of a graph, by source node. */
export interface Edges {
  count: number;
  bySource: ReadonlyMap<string, Edge[]>;
  /** Ids that more than one edge has. */
  repeated: readonly string[];
}

/** Parses the edges of a graph. Malformed and dangling edges are left out and added to `faults`. */
export function readEdges(list: unknown, nodeIds: ReadonlySet<string>, faults: GraphFaults): Edges {
  const bySource = new Map<string, Edge[]>();
  if (list === undefined || list === null) return { count: 0, bySource, repeated: [] };
  if (!Array.isArray(list)) {
    faults.add('malformed', 'edges must be a list', { path: 'edges' });
    return { count: 0, bySource, repeated: [] };
  }
  const ids = new Set<string>();
  const repeated = new Set<string>();
  for (const [index, edge] of list.entries()) {
    const found = readEdge(edge, `edges.${index}`, nodeIds, faults);
    if (!found) continue;
    const { source, ...read } = found;
    if (read.id !== null) {
      if (ids.has(read.id)) repeated.add(read.id);
      ids.add(read.id);
    }
    const own = bySource.get(source) ?? [];
    own.push(read);
    bySource.set(source, own);
  }
  return { count: list.length, bySource, repeated: [...repeated] };
}

function readEdge(
  edge: unknown,
  path: string,
  nodeIds: ReadonlySet<string>,
  faults: GraphFaults,
): (Edge & { source: string }) | undefined {
  if (!isObject(edge)) {
    faults.add('malformed', `${path} must be an object`, { path });
    return undefined;
  }
  const id = typeof edge.id === 'string' ? edge.id : null;
  const place = { path, ...(id === null ? {} : { edge_id: id }) };
  const endOf = (member: 'source' | 'target'): string | undefined => {
    const end = edge[member];
    if (typeof end !== 'string') faults.add('malformed', `${path}.${member} must be a text`, place);
    else if (nodeIds.has(end)) return end;
    else faults.add('dangling_edge', `${path}.${member} refers to ${missingNode(end)}`, place);
    return undefined;
  };
  const { sourceHandle } = edge;
  const [source, target] = [endOf('source'), endOf('target')];
  if (source === undefined || target === undefined) return undefined;
  return { source, id, target, handle: typeof sourceHandle === 'string' ? sourceHandle : '' };
}

interface Source {
  id: string;
  kind: NodeKind;
  data: Record<string, unknown>;
}

/**
 * Returns the outputs of a node. Targets come from its data, or from the edges if the data lists none. Malformed outputs
 * are left out and added to `faults`.
 */
export function readOutputs(node: Source, edges: readonly Edge[], faults: GraphFaults): LinkedOutput[] {
  const onError: Branch[] = hasErrorOutput(node.data)
    ? [{ handle: ERROR_HANDLE, member: 'error_nodes', targets: node.data.error_nodes }]
    : [];
  const branches = node.kind.branches?.(node.data);
  const byHandle = Map.groupBy(edges, edge => edge.handle);
  const ofHandle = (branch: Branch) => linkedOutput(node, branch, byHandle.get(branch.handle) ?? [], faults);
  if (branches) return [...branches, ...onError].flatMap(ofHandle);
  const only = { handle: '', member: 'next_nodes', targets: node.data.next_nodes };
  // A node without branches has one output, to which edges with any other handle belong.
  const others = onError.length > 0 ? edges.filter(({ handle }) => handle !== ERROR_HANDLE) : edges;
  return [...linkedOutput(node, only, others, faults), ...onError.flatMap(ofHandle)];
}

/** Returns the output of a branch, or nothing if its targets are malformed. */
function linkedOutput(
  node: Source,
  { handle, member, targets }: Branch,
  edges: readonly Edge[],
  faults: GraphFaults,
): LinkedOutput[] {
  if (targets === undefined || targets === null || targets === '') {
    return [{ handle, member, targets: edges.map(edge => edge.target), isListed: false }];
  }
  const listed: unknown[] = Array.isArray(targets) ? targets : [targets];
  // Members of branches may also contain one id instead of a list.
  const mustBeList = member === 'next_nodes' || member === 'error_nodes';
  if ((!Array.isArray(targets) && mustBeList) || !listed.every(id => typeof id === 'string')) {
    faults.add('malformed', `${member} must be a list of node ids`, { node_id: node.id, path: member });
    return [];
  }
  return [{ handle, member, targets: listed, isListed: true }];
}
