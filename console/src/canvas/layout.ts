import dagre from '@dagrejs/dagre';
import type { CanvasGraph } from './graph';

/** In graphs with more nodes, only visible nodes are rendered. */
export const MANY_NODES = 150;
/** The size of a node in pixels, as canvas.css draws it. */
export const NODE_WIDTH = 216;
export const NODE_HEIGHT = 60;

/** The upper left corners of nodes, by id. */
export type Positions = ReadonlyMap<string, { x: number; y: number }>;

/** Returns the stored positions, or computed ones if a node has none or two nodes have the same. */
export function positionsOf(graph: CanvasGraph): Positions {
  const stored = new Map(graph.nodes.flatMap(({ id, position }) => (position === null ? [] : [[id, position]])));
  const distinct = new Set([...stored.values()].map(({ x, y }) => `${x} ${y}`));
  return distinct.size === graph.nodes.length ? stored : layoutGraph(graph);
}

/** Computes positions of all nodes, from left to right. */
export function layoutGraph({ nodes, edges }: CanvasGraph): Positions {
  return layoutBoxes(
    nodes.map(({ id }) => ({ id, width: NODE_WIDTH, height: NODE_HEIGHT })),
    edges,
  );
}

/** Places boxes from left to right in the order of execution. */
export function layoutBoxes(
  boxes: readonly { id: string; width: number; height: number }[],
  links: readonly { source: string; target: string }[],
): Positions {
  // Several outputs of a node may lead to the same node.
  const layout = new dagre.graphlib.Graph({ multigraph: true });
  layout.setGraph({ rankdir: 'LR', nodesep: 34, ranksep: 78 });
  for (const { id, width, height } of boxes) layout.setNode(id, { width, height });
  for (const [index, { source, target }] of links.entries()) layout.setEdge(source, target, {}, String(index));
  dagre.layout(layout);
  return new Map(
    boxes.map(({ id, width, height }) => {
      const { x, y } = layout.node(id) as { x: number; y: number };
      return [id, { x: Math.round(x - width / 2), y: Math.round(y - height / 2) }];
    }),
  );
}
