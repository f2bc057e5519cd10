import { isObject, type JsonObject, listOf } from '@/shared/json/json-value';
import { allIds, freshId, type Graph, type GraphNode, linksOf, nodeOf, nodesOf, type Point } from './graph';
import type { Kinds } from './kinds';
import { MAX_TRIES } from './layout';

/** The text of selected nodes with the links between them, for the clipboard. */
export function copyNodes(graph: Graph, kinds: Kinds, ids: ReadonlySet<string>): string {
  const nodes = listOf(graph.nodes).filter(node => isObject(node) && ids.has(String(node.id)));
  const edges = linksOf(graph, kinds)
    .filter(({ source, target }) => ids.has(source) && ids.has(target))
    .map(({ source, target, handle }) => ({
      id: crypto.randomUUID(),
      source,
      target,
      ...(handle === null ? {} : { sourceHandle: handle }),
    }));
  return JSON.stringify({ nodes, edges }, null, 2);
}

export interface Insertion {
  graph: Graph;
  /** The new ids. */
  ids: string[];
}

/**
 * Adds the nodes of a fragment to a graph. An id that the workflow (`root`) already uses is replaced, also in links and
 * placeholders. `at` is the place of the top left corner; null is the place of the fragment. The nodes are moved by
 * `COPY_OFFSET` until none of them covers a node of the graph, at most `MAX_TRIES` times.
 */
export function insertNodes(root: Graph, graph: Graph, fragment: Graph, at: Point | null, kinds: Kinds): Insertion {
  const used = allIds(root);
  const renamed = new Map<string, string>();
  for (const id of allIds(fragment)) {
    const next = used.has(id) ? freshId(titleOf(fragment, id, kinds), used) : id;
    used.add(next);
    renamed.set(id, next);
  }
  const copy = renameGraph(fragment, renamed);
  const nodes = nodesOf(copy);
  const added = moveToFreePlace(at === null ? nodes : moveTo(nodes, at), nodesOf(graph));
  const edges = listOf(copy.edges).map(edge => ({ ...(edge as JsonObject), id: crypto.randomUUID() }));
  return {
    graph: { ...graph, nodes: [...listOf(graph.nodes), ...added], edges: [...listOf(graph.edges), ...edges] },
    ids: added.map(({ id }) => id),
  };
}

function titleOf(fragment: Graph, id: string, kinds: Kinds): string {
  const type = nodeOf(fragment, id)?.type;
  return (type !== undefined && kinds.get(type)?.title) || id;
}

/** Distance of a copy from its original, so that both are visible. */
const COPY_OFFSET: Point = { x: 40, y: 40 };

/** Moves nodes so that their top left corner is at a place. */
function moveTo(nodes: readonly GraphNode[], at: Point): readonly GraphNode[] {
  const x = Math.min(...nodes.map(({ position }) => position.x));
  const y = Math.min(...nodes.map(({ position }) => position.y));
  return moveBy(nodes, { x: Math.round(at.x - x), y: Math.round(at.y - y) });
}

function moveToFreePlace(nodes: readonly GraphNode[], present: readonly GraphNode[]): readonly GraphNode[] {
  let moved = nodes;
  const isTaken = () => moved.some(node => present.some(other => areClose(node.position, other.position)));
  for (let tries = 0; tries < MAX_TRIES && isTaken(); tries++) moved = moveBy(moved, COPY_OFFSET);
  return moved;
}

/** Whether only a part of one of two nodes would be visible. */
function areClose(one: Point, other: Point): boolean {
  return Math.abs(one.x - other.x) < COPY_OFFSET.x && Math.abs(one.y - other.y) < COPY_OFFSET.y;
}

function moveBy(nodes: readonly GraphNode[], { x, y }: Point): readonly GraphNode[] {
  return nodes.map(node => ({ ...node, position: { x: node.position.x + x, y: node.position.y + y } }));
}

type NewIds = ReadonlyMap<string, string>;

function renameGraph(graph: Graph, renamed: NewIds): Graph {
  return {
    ...graph,
    nodes: nodesOf(graph).map(node => ({ ...node, id: renamed.get(node.id), data: renameData(node.data, renamed) })),
    edges: listOf(graph.edges).flatMap(edge => {
      if (!isObject(edge)) return [];
      const source = renamed.get(String(edge.source));
      const target = renamed.get(String(edge.target));
      return source && target ? [{ ...edge, source, target }] : [];
    }),
  };
}

/** Settings with ids of nodes, other than the lists of next nodes: of the node itself, of branches, of other agents. */
const ID_SETTINGS = new Set(['id', 'true_node', 'false_node', 'handoffs']);

/** Lists of next nodes are `next_nodes` and one list for each other output, such as `error_nodes` (docs/nodes.md). */
const hasNodeIds = (name: string) => ID_SETTINGS.has(name) || name.endsWith('_nodes');

function renameData(data: JsonObject, renamed: NewIds): JsonObject {
  const copy = Object.fromEntries(
    Object.entries(data).map(([name, value]) => [
      name,
      hasNodeIds(name) ? renameTargets(value, renamed) : renameTexts(value, renamed),
    ]),
  );
  if (isObject(data.body)) copy.body = renameGraph(data.body, renamed);
  return copy;
}

/** Ids that were not copied are dropped. */
function renameTargets(value: unknown, renamed: NewIds): unknown {
  if (Array.isArray(value)) return value.flatMap(id => renamed.get(String(id)) ?? []);
  return typeof value === 'string' ? renamed.get(value) : value;
}

/** Replaces ids in placeholders, in scripts and in the next nodes of the items of a list, such as `cases`. */
function renameTexts(value: unknown, renamed: NewIds): unknown {
  if (Array.isArray(value)) return value.map(item => renameTexts(item, renamed));
  if (isObject(value)) {
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => [
        name,
        name === 'next_nodes' ? renameTargets(member, renamed) : renameTexts(member, renamed),
      ]),
    );
  }
  if (typeof value !== 'string' || !value.includes('nodes')) return value;
  return value.replaceAll(
    /\bnodes(?:\.([^\s.|{}:"'()[\],]+)|\[(["'])([^"']+)\2\])/g,
    (_text, dotted?: string, quote = '', quoted = '') =>
      dotted === undefined
        ? `nodes[${quote}${renamed.get(quoted) ?? quoted}${quote}]`
        : `nodes.${renamed.get(dotted) ?? dotted}`,
  );
}
