import { isObject } from '../../json-value.js';
import { GraphError } from './graph-error.js';
import type { Branch, NodeKind } from './node-kind.js';

export interface Edge {
  id: string | null;
  target: string;
  /** `sourceHandle`, empty when there is none. */
  handle: string;
}

/** One way out of a node with the ids it leads to. */
export interface Connection {
  handle: string;
  member: string;
  targets: readonly string[];
  /** The targets are listed in the node's data; otherwise the edges gave them. */
  isListed: boolean;
}

export interface Edges {
  count: number;
  bySource: ReadonlyMap<string, Edge[]>;
  /** Ids that several edges bear. */
  repeated: readonly string[];
}

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
      throw new GraphError('dangling_edge', `${path}.${member} names a node that does not exist`, place);
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

/** What the node's data lists; for a way out that it does not list, the edges. */
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
    throw new GraphError('malformed', `${member} must hold ids of nodes`, { node_id: node.id, path: member });
  }
  return { handle, member, targets: listed, isListed: true };
}
