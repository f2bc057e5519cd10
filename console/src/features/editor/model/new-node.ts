import { outputsOf } from '@/canvas/node-outputs';
import { isObject, listOf } from '@/shared/json/json-value';
import { allIds, connect, freshId, type Graph, type Link, linksOf, nodeOf, nodesOf, type Point } from './graph';
import type { Kind, Kinds } from './kinds';
import { freePlace, NODE_WIDTH } from './layout';

/** Distances in pixels: of a new node from its source, and between the nodes after the outputs of one source. */
const GAP = 84;
const BRANCH_DISTANCE = 110;

export interface NodePlace {
  /** Null: to the right of the source of the link, or of all nodes. */
  position: Point | null;
  /** The output that leads to the new node. */
  link: Omit<Link, 'target'> | null;
}

/** Adds a node. Returns the graph and the id of the node. */
export function addNode(root: Graph, graph: Graph, kinds: Kinds, kind: Kind, place: NodePlace) {
  const id = freshId(kind.title, allIds(root));
  const position = place.position ?? freePlace(graph, positionAfter(graph, kinds, place.link));
  const data = isObject(kind.defaults) ? kind.defaults : {};
  const nodes = [...listOf(graph.nodes), { id, type: kind.type, position, data }];
  // A graph without a start starts with its first trigger, the body of a loop with its first node.
  const isStart =
    nodeOf(graph, String(graph.start_node)) === undefined && (kind.category === 'START' || root !== graph);
  const added = { ...graph, nodes, edges: listOf(graph.edges), ...(isStart ? { start_node: id } : {}) };
  return { id, graph: place.link ? connect(added, kinds, { ...place.link, target: id }) : added };
}

function positionAfter(graph: Graph, kinds: Kinds, link: Omit<Link, 'target'> | null): Point {
  const source = nodeOf(graph, link?.source ?? null);
  if (source) {
    const outputs = outputsOf(kinds.get(source.type), source.data);
    const index = Math.max(
      0,
      outputs.findIndex(({ handle }) => handle === link?.handle),
    );
    const { x, y } = source.position;
    return { x: x + NODE_WIDTH + GAP, y: y + (index - (outputs.length - 1) / 2) * BRANCH_DISTANCE };
  }
  const last = nodesOf(graph).toSorted((one, other) => other.position.x - one.position.x)[0];
  return last ? { x: last.position.x + NODE_WIDTH + GAP, y: last.position.y } : { x: 0, y: 0 };
}

/** The first output of a node without a link. Null: there is none. */
export function openOutput(graph: Graph, kinds: Kinds, id: string): Omit<Link, 'target'> | null {
  const node = nodeOf(graph, id);
  const kind = node && kinds.get(node.type);
  if (!node || kind?.category === 'END') return null;
  const used = linksOf(graph, kinds).filter(({ source }) => source === id);
  const free = outputsOf(kind, node.data).find(({ handle }) => used.every(link => link.handle !== handle));
  return free ? { source: id, handle: free.handle } : null;
}
