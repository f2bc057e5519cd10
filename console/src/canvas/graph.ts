/** A graph as screens draw it. Malformed parts are skipped, so that drafts and imports from other products open too. */
export interface CanvasGraph {
  nodes: CanvasNode[];
  edges: CanvasEdge[];
}

export interface CanvasNode {
  id: string;
  /** The kind, for example `http-node`. */
  type: string;
  label: string;
  /** Null if the graph does not contain one. */
  position: { x: number; y: number } | null;
  data: Record<string, unknown>;
}

export interface CanvasEdge {
  id: string;
  source: string;
  target: string;
  /** The output of the source. Null for the only output of a node. */
  handle: string | null;
}

/** A JSON object. */
type Members = Record<string, unknown>;

const isMembers = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
const textOf = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);

/** Reads `data` of a workflow or a run. Links come from the edges and from members such as `next_nodes`. */
export function readGraph(data: unknown): CanvasGraph {
  const members = isMembers(data) ? data : {};
  const nodes = listOf(members.nodes).flatMap(readNode);
  const known = new Set(nodes.map(({ id }) => id));
  const edges = new Map<string, CanvasEdge>();
  for (const edge of [...listOf(members.edges).flatMap(readEdge), ...nodes.flatMap(edgesOfMembers)]) {
    const key = `${edge.source} ${edge.handle ?? ''} ${edge.target}`;
    if (known.has(edge.source) && known.has(edge.target) && !edges.has(key)) edges.set(key, edge);
  }
  return { nodes, edges: [...edges.values()] };
}

/**
 * Reads a graph from text: the graph itself, or a workflow of the API with its member `data`. Returns null if the text
 * contains no graph.
 */
export function parseGraph(text: string): { graph: Members; title: string | null } | null {
  // A chat puts the graph between Markdown fences.
  const [, fenced] = /^\s*```(?:json)?\s*\n([\s\S]*?)\n?```\s*$/.exec(text) ?? [];
  let value: unknown;
  try {
    value = JSON.parse(fenced ?? text);
  } catch {
    return null;
  }
  if (!isMembers(value)) return null;
  const inner = isMembers(value.data) && Array.isArray(value.data.nodes) ? value.data : value;
  return Array.isArray(inner.nodes) ? { graph: inner, title: textOf(value.title) } : null;
}

/** The graph inside a loop node. Null for other nodes. */
export function bodyOf({ data }: CanvasNode): CanvasGraph | null {
  return isMembers(data.body) ? readGraph(data.body) : null;
}

/** One node, or none if the value has no id. */
function readNode(value: unknown): CanvasNode[] {
  if (!isMembers(value)) return [];
  const id = textOf(value.id);
  if (id === null) return [];
  const data = isMembers(value.data) ? value.data : {};
  const type = textOf(value.type) ?? '';
  const { x, y } = isMembers(value.position) ? value.position : {};
  const position = typeof x === 'number' && typeof y === 'number' ? { x, y } : null;
  return [{ id, type, label: textOf(data.label) ?? textOf(data.name) ?? type, position, data }];
}

/** One edge, or none if the value does not name both nodes. */
function readEdge(value: unknown): CanvasEdge[] {
  if (!isMembers(value)) return [];
  const source = textOf(value.source);
  const target = textOf(value.target);
  const handle = textOf(value.sourceHandle);
  if (source === null || target === null) return [];
  return [{ id: textOf(value.id) ?? `${source} ${handle ?? ''} ${target}`, source, target, handle }];
}

/**
 * Links that a node states itself (docs/nodes.md, "How a graph runs"). A member such as `approved_nodes` lists the
 * nodes after the output `approved`.
 */
function edgesOfMembers({ id, data }: CanvasNode): CanvasEdge[] {
  const to = (targets: unknown, handle: string | null) =>
    (Array.isArray(targets) ? targets : [targets]).flatMap(target => {
      const text = textOf(target);
      return text === null ? [] : [{ id: `${id} ${handle ?? ''} ${text}`, source: id, target: text, handle }];
    });
  return [
    ...to(data.next_nodes, null),
    ...Object.entries(data).flatMap(([member, targets]) => {
      const output = /^([a-z_]+)_nodes$/.exec(member)?.[1]?.replaceAll('_', '-');
      return output === undefined || output === 'next' ? [] : to(targets, output);
    }),
    ...to(data.true_node, 'condition-true'),
    ...to(data.false_node, 'condition-false'),
    ...listOf(data.labels).flatMap((one, index) => to(isMembers(one) ? one.next_nodes : null, `label-${index}`)),
    ...listOf(data.cases).flatMap((one, index) => to(isMembers(one) ? one.next_nodes : null, `case-${index}`)),
  ];
}
