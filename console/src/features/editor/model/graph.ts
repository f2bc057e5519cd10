import { outputsOf } from '@/canvas/node-outputs';
import { isObject, type JsonObject, listOf, withValueAt } from '@/shared/json/json-value';
import type { Kinds } from './kinds';

/** A graph as it is stored. Members that the editor does not know are kept. */
export type Graph = JsonObject;

export interface GraphNode extends JsonObject {
  id: string;
  type: string;
  data: JsonObject;
  position: Point;
}

export interface Point {
  x: number;
  y: number;
}

/** A link that a run follows: an edge, or a member such as `next_nodes`. */
export interface Link {
  source: string;
  target: string;
  /** The output of the source; null for the only output of a node. */
  handle: string | null;
}

const isPoint = (value: unknown): value is Point =>
  isObject(value) && Number.isFinite(value.x) && Number.isFinite(value.y);

const isNode = (value: unknown): value is JsonObject & { id: string } =>
  isObject(value) && typeof value.id === 'string';

export const linkKey = ({ source, handle, target }: Link): string => JSON.stringify([source, handle, target]);

const nodeCache = new WeakMap<JsonObject, GraphNode>();

/** The nodes with an id. The same stored node is always the same object. */
export function nodesOf(graph: Graph): GraphNode[] {
  return listOf(graph.nodes)
    .filter(isNode)
    .map(stored => {
      const known = nodeCache.get(stored);
      if (known) return known;
      const node = {
        ...stored,
        type: typeof stored.type === 'string' ? stored.type : '',
        data: isObject(stored.data) ? stored.data : {},
        position: isPoint(stored.position) ? stored.position : { x: 0, y: 0 },
      };
      nodeCache.set(stored, node);
      return node;
    });
}

export function nodeOf(graph: Graph, id: string | null): GraphNode | undefined {
  return id === null ? undefined : nodesOf(graph).find(node => node.id === id);
}

export function labelOf({ data, type }: GraphNode, kinds: Kinds): string {
  for (const name of [data.label, data.name]) if (typeof name === 'string' && name !== '') return name;
  return kinds.get(type)?.title ?? (type || 'Node');
}

/** The lists with one output for each item, by the first part of its handle: `case-0`, `label-0`. */
const OUTPUT_LISTS: Record<string, string> = { case: 'cases', label: 'labels' };

/** The path of the member that lists the targets of an output (docs/nodes.md, "How a graph runs"). */
function memberOf(handle: string | null): string[] {
  if (handle === null) return ['next_nodes'];
  if (handle === 'condition-true') return ['true_node'];
  if (handle === 'condition-false') return ['false_node'];
  const [, item = '', index = ''] = /^([a-z]+)-(\d+)$/.exec(handle) ?? [];
  const list = OUTPUT_LISTS[item];
  return list === undefined ? [`${handle.replaceAll('-', '_')}_nodes`] : [list, index, 'next_nodes'];
}

function listedTargets(data: JsonObject, handle: string | null): string[] | null {
  let value: unknown = data;
  const path = memberOf(handle);
  for (const name of path) value = (value as JsonObject | undefined)?.[name];
  if (value === undefined || value === null || value === '') return null;
  return (Array.isArray(value) ? value : [value]).filter(id => typeof id === 'string');
}

interface EdgeLike extends JsonObject {
  source: string;
  target: string;
}

const isEdge = (value: unknown): value is EdgeLike =>
  isObject(value) && typeof value.source === 'string' && typeof value.target === 'string';

const handleOf = (edge: JsonObject): string | null =>
  typeof edge.sourceHandle === 'string' ? edge.sourceHandle : null;

/** The output of failures; other nodes may have usual edges with this handle. */
const ERROR_HANDLE = 'error';

/** Whether an edge belongs to an output. The output without a handle has all edges that no other output has. */
const belongsTo = (edge: JsonObject, handle: string | null, data: JsonObject): boolean =>
  handle === null ? data.on_error !== 'branch' || handleOf(edge) !== ERROR_HANDLE : handleOf(edge) === handle;

/** The links that a run follows: members such as `next_nodes` take precedence over edges. */
export function linksOf(graph: Graph, kinds: Kinds): Link[] {
  const nodes = nodesOf(graph);
  const known = new Set(nodes.map(({ id }) => id));
  const edges = Map.groupBy(listOf(graph.edges).filter(isEdge), ({ source }) => source);
  const links = new Map<string, Link>();
  for (const { id: source, type, data } of nodes) {
    const own = edges.get(source) ?? [];
    for (const { handle } of outputsOf(kinds.get(type), data)) {
      const targets =
        listedTargets(data, handle) ?? own.filter(edge => belongsTo(edge, handle, data)).map(({ target }) => target);
      for (const target of targets) {
        const link = { source, target, handle };
        if (known.has(target)) links.set(linkKey(link), link);
      }
    }
  }
  return [...links.values()];
}

/** Whether a path leads from one node to another. */
export function leadsTo(links: readonly Link[], from: string, to: string): boolean {
  return reachableIds(links, from, 'target').has(to);
}

/** The nodes that run before a node, nearest first. */
export function upstreamOf(links: readonly Link[], id: string): string[] {
  return [...reachableIds(links, id, 'source')].filter(other => other !== id);
}

function reachableIds(links: readonly Link[], start: string, end: 'source' | 'target'): Set<string> {
  const from = end === 'target' ? 'source' : 'target';
  const next = Map.groupBy(links, link => link[from]);
  const seen = new Set([start]);
  // The loop also visits the ids that it adds.
  for (const id of seen) for (const link of next.get(id) ?? []) seen.add(link[end]);
  return seen;
}

/** Replaces the targets of one output. They become edges, also if a member listed them. */
export function setTargets(graph: Graph, source: string, handle: string | null, targets: readonly string[]): Graph {
  const existing = listOf(graph.edges);
  const data = nodeOf(graph, source)?.data ?? {};
  const own = existing.filter(
    edge => isEdge(edge) && edge.source === source && belongsTo(edge, handle, data),
  ) as EdgeLike[];
  const kept = new Map(own.map(edge => [edge.target, edge]));
  const added = targets.map(
    target =>
      kept.get(target) ?? { id: crypto.randomUUID(), source, target, ...(handle ? { sourceHandle: handle } : {}) },
  );
  const edges = [...existing.filter(edge => !own.includes(edge as EdgeLike)), ...added];
  const path = memberOf(handle);
  return updateData({ ...graph, edges }, source, data =>
    listedTargets(data, handle) === null ? data : (withValueAt(data, path, undefined) as JsonObject),
  );
}

const targetsOf = (links: readonly Link[], source: string, handle: string | null) =>
  links.filter(link => link.source === source && link.handle === handle).map(({ target }) => target);

/** Adds a target to an output. An existing link leaves the graph unchanged. */
export function connect(graph: Graph, kinds: Kinds, { source, handle, target }: Link): Graph {
  const targets = targetsOf(linksOf(graph, kinds), source, handle);
  return targets.includes(target) ? graph : setTargets(graph, source, handle, [...targets, target]);
}

export function disconnect(graph: Graph, kinds: Kinds, removed: readonly Link[]): Graph {
  return removed.reduce((at, { source, handle, target }) => {
    const targets = targetsOf(linksOf(at, kinds), source, handle);
    return setTargets(
      at,
      source,
      handle,
      targets.filter(id => id !== target),
    );
  }, graph);
}

/** Removes nodes with their edges and the references of other nodes to them. */
export function removeNodes(graph: Graph, kinds: Kinds, ids: ReadonlySet<string>): Graph {
  const lost = linksOf(graph, kinds).filter(({ source, target }) => ids.has(target) && !ids.has(source));
  const { start_node: start, ...rest } = disconnect(graph, kinds, lost);
  return {
    ...rest,
    ...(start !== undefined && !ids.has(String(start)) ? { start_node: start } : {}),
    nodes: listOf(rest.nodes).filter(node => !isNode(node) || !ids.has(node.id)),
    edges: listOf(rest.edges).filter(edge => !isEdge(edge) || !(ids.has(edge.source) || ids.has(edge.target))),
  };
}

/** Changes a stored node. A change that returns the same object leaves the graph unchanged. */
export function replaceNode(graph: Graph, id: string, change: (stored: JsonObject) => JsonObject): Graph {
  const nodes = listOf(graph.nodes);
  const index = nodes.findIndex(node => isNode(node) && node.id === id);
  const stored = nodes[index];
  if (!isObject(stored)) return graph;
  const next = change(stored);
  return next === stored ? graph : { ...graph, nodes: nodes.with(index, next) };
}

export function updateData(graph: Graph, id: string, change: (data: JsonObject) => JsonObject): Graph {
  return replaceNode(graph, id, stored => {
    const data = isObject(stored.data) ? stored.data : {};
    const next = change(data);
    return next === data ? stored : { ...stored, data: next };
  });
}

export function moveNodes(graph: Graph, positions: ReadonlyMap<string, Point>): Graph {
  const stored = listOf(graph.nodes);
  const nodes = stored.map(node => {
    if (!isNode(node)) return node;
    const position = positions.get(node.id);
    const { x, y } = isPoint(node.position) ? node.position : {};
    return !position || (x === position.x && y === position.y) ? node : { ...node, position };
  });
  return nodes.every((node, index) => node === stored[index]) ? graph : { ...graph, nodes };
}

/** Renumbers the outputs of a list after its items changed. `mapping` has the new index of each old item, or null. */
export function remapOutputs(graph: Graph, source: string, handle: string, mapping: readonly (number | null)[]): Graph {
  const prefix = handle.replace(/\d+$/, '');
  const edges = listOf(graph.edges).flatMap(edge => {
    if (!isEdge(edge) || edge.source !== source) return [edge];
    const own = handleOf(edge);
    if (own === null || !own.startsWith(prefix) || !/^\d+$/.test(own.slice(prefix.length))) return [edge];
    const next = mapping[Number(own.slice(prefix.length))];
    if (next === undefined || next === null) return [];
    return [{ ...edge, sourceHandle: `${prefix}${next}` }];
  });
  return { ...graph, edges };
}

/** Returns a graph inside loop nodes. The second argument has the ids of the loops, outermost first. Empty: the root. */
export function graphAt(root: Graph, [loop, ...rest]: readonly string[]): Graph {
  if (loop === undefined) return root;
  const body = nodeOf(root, loop)?.data.body;
  return graphAt(isObject(body) ? body : {}, rest);
}

/** Returns a copy of the root with `next` instead of the graph inside the given loops. */
export function withGraphAt(root: Graph, [loop, ...rest]: readonly string[], next: Graph): Graph {
  if (loop === undefined) return next;
  return updateData(root, loop, data => ({
    ...data,
    body: withGraphAt(isObject(data.body) ? data.body : {}, rest, next),
  }));
}

/** All ids in a graph and in its loops: they are unique in the whole workflow. */
export function allIds(graph: Graph): Set<string> {
  const ids = new Set<string>();
  for (const { id, data } of nodesOf(graph)) {
    ids.add(id);
    if (isObject(data.body)) for (const inner of allIds(data.body)) ids.add(inner);
  }
  return ids;
}

/** A short id for placeholders, for example `http-request-2`. */
export function freshId(title: string, used: ReadonlySet<string>): string {
  const base =
    title
      .toLowerCase()
      .replaceAll(/[^a-z0-9]+/g, '-')
      .replaceAll(/^-+|-+$/g, '') || 'node';
  if (!used.has(base)) return base;
  let number = 2;
  while (used.has(`${base}-${number}`)) number++;
  return `${base}-${number}`;
}

/** The ids of the loops that contain a node, outermost first. Null: the graph does not contain the node. */
export function scopeOf(graph: Graph, id: string): string[] | null {
  for (const node of nodesOf(graph)) {
    if (node.id === id) return [];
    const inner = isObject(node.data.body) ? scopeOf(node.data.body, id) : null;
    if (inner) return [node.id, ...inner];
  }
  return null;
}

/** A node of the workflow or of the body of one of its loops. */
export function findNode(root: Graph, id: string): GraphNode | undefined {
  return nodeOf(graphAt(root, scopeOf(root, id) ?? []), id);
}
