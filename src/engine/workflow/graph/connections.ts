import { isObject } from '../../json-value.js';
import { GraphError } from './graph-error.js';
import type { Branch, NodeKind } from './node-kind.js';

/** An edge that leaves a node. */
export interface Edge {
  id: string | null;
  target: string;
  /** The `sourceHandle`; empty if absent. */
  handle: string;
}

/** An output of a node with the ids of its targets. */
export interface Connection {
  handle: string;
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

/** Parses the edges of a graph. Throws a GraphError for a malformed or dangling edge. */
export function readEdges(list: unknown, nodes: ReadonlyMap<string, unknown>): Edges {
  const bySource = new Map<string, Edge[]>();
  if (list === undefined || list === null) return { count: 0, bySource, repeated: [] };
  if (!Array.isArray(list)) throw new GraphError('malformed', 'edges must be a list', { path: 'edges' });
  const ids = new Set<string>();
  const repeated = new Set<string>();
  for (const [index, edge] of list.entries()) {
    const { source, ...read } = readEdge(edge, `edges.${index}`, nodes);
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

function readEdge(edge: unknown, path: string, nodes: ReadonlyMap<string, unknown>): Edge & { source: string } {
  if (!isObject(edge)) throw new GraphError('malformed', `${path} must be an object`, { path });
  const id = typeof edge.id === 'string' ? edge.id : null;
  const place = { path, ...(id === null ? {} : { edge_id: id }) };
  const endOf = (member: 'source' | 'target'): string => {
    const end = edge[member];
    if (typeof end !== 'string') throw new GraphError('malformed', `${path}.${member} must be a text`, place);
    if (!nodes.has(end))
      throw new GraphError('dangling_edge', `${path}.${member} refers to a node that does not exist`, place);
    return end;
  };
  const { sourceHandle } = edge;
  const handle = typeof sourceHandle === 'string' ? sourceHandle : '';
  return { source: endOf('source'), id, target: endOf('target'), handle };
}

interface Source {
  id: string;
  kind: NodeKind;
  data: Record<string, unknown>;
}

/** Returns the outputs of a node. Targets come from its data, or from the edges if the data lists none. */
export function connectionsOf(node: Source, edges: readonly Edge[]): Connection[] {
  const branches = node.kind.branches?.(node.data);
  if (!branches) {
    const only = { handle: '', member: 'next_nodes', targets: node.data.next_nodes };
    return [connection(node, only, edges)];
  }
  const byHandle = Map.groupBy(edges, edge => edge.handle);
  return branches.map(branch => connection(node, branch, byHandle.get(branch.handle) ?? []));
}

function connection(node: Source, { handle, member, targets }: Branch, edges: readonly Edge[]): Connection {
  if (targets === undefined || targets === null || targets === '') {
    return { handle, member, targets: edges.map(edge => edge.target), isListed: false };
  }
  const listed: unknown[] = Array.isArray(targets) ? targets : [targets];
  if ((!Array.isArray(targets) && member === 'next_nodes') || !listed.every(id => typeof id === 'string')) {
    throw new GraphError('malformed', `${member} must be a list of node ids`, { node_id: node.id, path: member });
  }
  return { handle, member, targets: listed, isListed: true };
}
