import { layoutBoxes } from '@/canvas/layout';
import { type Graph, type Link, linksOf, moveNodes, nodesOf, type Point } from './graph';
import { type Kinds, outputsOf } from './kinds';

export const NODE_WIDTH = 224;
export const HEADER_HEIGHT = 60;
export const OUTPUT_HEIGHT = 26;

/** The height of a node: several outputs have a row each. */
export function heightOf(outputs: number): number {
  return outputs > 1 ? HEADER_HEIGHT + outputs * OUTPUT_HEIGHT + 6 : HEADER_HEIGHT;
}

/** Places all nodes from left to right in the order of execution. */
export function layout(graph: Graph, kinds: Kinds): Graph {
  const boxes = nodesOf(graph).map(({ id, type, data }) => ({
    id,
    width: NODE_WIDTH,
    height: heightOf(outputsOf(kinds.get(type), data).length),
  }));
  return moveNodes(graph, layoutBoxes(boxes, sortByHandle(linksOf(graph, kinds))));
}

const sortByHandle = (links: readonly Link[]) =>
  links.toSorted((one, other) => (one.handle ?? '').localeCompare(other.handle ?? ''));

/** Lays the graph out if nodes have no positions or overlap, as in graphs of other clients. */
export function withPositions(graph: Graph, kinds: Kinds): Graph {
  const nodes = nodesOf(graph);
  const places = new Set(nodes.map(({ position: { x, y } }) => `${x} ${y}`));
  return places.size === nodes.length ? graph : layout(graph, kinds);
}

/** A free place near a wanted one. */
export function freePlace(graph: Graph, wanted: Point): Point {
  const nodes = nodesOf(graph);
  const place = { x: Math.round(wanted.x), y: Math.round(wanted.y) };
  const isTaken = () =>
    nodes.some(
      ({ position: { x, y } }) => Math.abs(x - place.x) < NODE_WIDTH && Math.abs(y - place.y) < HEADER_HEIGHT + 20,
    );
  for (let tries = 0; tries < 200 && isTaken(); tries++) place.y += HEADER_HEIGHT + 36;
  return place;
}
