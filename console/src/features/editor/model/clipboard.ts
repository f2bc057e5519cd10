import { allIds, freshId, type Graph, type GraphNode, linksOf, nodeOf, nodesOf, type Point } from './graph';
import { isMembers, listOf, type Members } from './json';
import type { Kinds } from './kinds';

/** The text of selected nodes with the links between them, for the clipboard. */
export function copyNodes(graph: Graph, kinds: Kinds, ids: ReadonlySet<string>): string {
  const nodes = listOf(graph.nodes).filter(node => isMembers(node) && ids.has(String(node.id)));
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

/** Adds nodes with new ids. Placeholders and links between them follow the new ids. */
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
  const offset = offsetOf(nodes, at);
  const added = nodes.map(node => ({
    ...node,
    position: { x: node.position.x + offset.x, y: node.position.y + offset.y },
  }));
  const edges = listOf(copy.edges).map(edge => ({ ...(edge as Members), id: crypto.randomUUID() }));
  return {
    graph: { ...graph, nodes: [...listOf(graph.nodes), ...added], edges: [...listOf(graph.edges), ...edges] },
    ids: added.map(({ id }) => id),
  };
}

function titleOf(fragment: Graph, id: string, kinds: Kinds): string {
  const type = nodeOf(fragment, id)?.type;
  return (type !== undefined && kinds.get(type)?.title) || id;
}

function offsetOf(nodes: readonly GraphNode[], at: Point | null): Point {
  if (at === null || nodes.length === 0) return { x: 40, y: 40 };
  const x = Math.min(...nodes.map(({ position }) => position.x));
  const y = Math.min(...nodes.map(({ position }) => position.y));
  return { x: Math.round(at.x - x), y: Math.round(at.y - y) };
}

type NewIds = ReadonlyMap<string, string>;

function renameGraph(graph: Graph, renamed: NewIds): Graph {
  return {
    ...graph,
    nodes: nodesOf(graph).map(node => ({ ...node, id: renamed.get(node.id), data: renameData(node.data, renamed) })),
    edges: listOf(graph.edges).flatMap(edge => {
      if (!isMembers(edge)) return [];
      const source = renamed.get(String(edge.source));
      const target = renamed.get(String(edge.target));
      return source && target ? [{ ...edge, source, target }] : [];
    }),
  };
}

/** Members of a node that name other nodes, or the node itself. */
const REFERENCES = new Set(['id', 'next_nodes', 'true_node', 'false_node', 'default_nodes']);

function renameData(data: Members, renamed: NewIds): Members {
  const copy = Object.fromEntries(
    Object.entries(data).map(([name, value]) => [
      name,
      REFERENCES.has(name) ? renameTargets(value, renamed) : renameTexts(value, renamed),
    ]),
  );
  if (Array.isArray(data.cases)) copy.cases = data.cases.map(one => renameCase(one, renamed));
  if (isMembers(data.body)) copy.body = renameGraph(data.body, renamed);
  return copy;
}

function renameCase(one: unknown, renamed: NewIds): unknown {
  if (!isMembers(one) || one.next_nodes === undefined) return renameTexts(one, renamed);
  return { ...one, next_nodes: renameTargets(one.next_nodes, renamed) };
}

function renameTargets(value: unknown, renamed: NewIds): unknown {
  if (Array.isArray(value)) return value.flatMap(id => renamed.get(String(id)) ?? []);
  return typeof value === 'string' ? renamed.get(value) : value;
}

/** Replaces ids in placeholders and in scripts. */
function renameTexts(value: unknown, renamed: NewIds): unknown {
  if (Array.isArray(value)) return value.map(item => renameTexts(item, renamed));
  if (isMembers(value)) {
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, renameTexts(member, renamed)]));
  }
  if (typeof value !== 'string' || !value.includes('nodes')) return value;
  return value.replaceAll(
    /\bnodes(?:\.([^\s.|{}:"'()[\],]+)|\[(["'])([^"']+)\2\])/g,
    (text, dotted?: string, _quote?: string, quoted?: string) => {
      const id = dotted ?? quoted ?? '';
      return text.replace(id, renamed.get(id) ?? id);
    },
  );
}
