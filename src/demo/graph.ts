/** A node in the format of the graph editor. */
export interface GraphNode {
  id: string;
  type: string;
  position: { x: number; y: number };
  data: Record<string, unknown> & { label: string };
}

export interface Graph {
  nodes: GraphNode[];
  edges: { id: string; type: 'custom-edge'; source: string; target: string; sourceHandle?: string }[];
  viewport: { x: number; y: number; zoom: number };
  start_node: string;
}

/** Creates a node. `data` contains its settings and `next_nodes` (or `true_node` and `false_node`). */
export function node(id: string, type: string, label: string, data: Record<string, unknown>): GraphNode {
  return { id, type, position: { x: 0, y: 0 }, data: { id, name: label, label, version: '1.0', ...data } };
}

/** Creates a graph from nodes in the order of execution: adds the edges from their data and starts with the first. */
export function graph(nodes: GraphNode[]): Graph {
  const edges = nodes.flatMap(edgesFrom);
  return { nodes: placeNodes(nodes, edges), edges, viewport: { x: 0, y: 0, zoom: 1 }, start_node: nodes[0]?.id ?? '' };
}

/** Places each node one column after the nodes before it; the nodes of a column stand around the same line. */
function placeNodes(nodes: GraphNode[], edges: Graph['edges']): GraphNode[] {
  const columns = new Map<string, number>();
  for (const { id } of nodes) {
    const before = edges.filter(({ target }) => target === id).map(({ source }) => columns.get(source) ?? 0);
    columns.set(id, before.length > 0 ? Math.max(...before) + 1 : 0);
  }
  const byColumn = Map.groupBy(nodes, ({ id }) => columns.get(id) ?? 0);
  return nodes.map(each => {
    const column = columns.get(each.id) ?? 0;
    const rows = byColumn.get(column) ?? [];
    return { ...each, position: { x: column * 300, y: (rows.indexOf(each) - (rows.length - 1) / 2) * 120 } };
  });
}

function edgesFrom({ id, data }: GraphNode): Graph['edges'] {
  const edge = (target: unknown, handle?: string) => ({
    id: `${id}-${handle ?? 'next'}-${target}`,
    type: 'custom-edge' as const,
    source: id,
    target: String(target),
    ...(handle ? { sourceHandle: handle } : {}),
  });
  if (data.true_node) return [edge(data.true_node, 'condition-true'), edge(data.false_node, 'condition-false')];
  return ((data.next_nodes as string[] | undefined) ?? []).map(target => edge(target));
}

/** Creates an input field of a trigger. */
export function inputField(id: string, title: string, type: 'text' | 'number', placeholder: string) {
  return {
    id,
    title,
    type,
    input_requirements: true,
    placeholder,
    tooltip: '',
    default_value: '',
    is_secret: false,
    options: [],
  };
}
