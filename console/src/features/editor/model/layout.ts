import { layoutBoxes } from '@/canvas/layout';
import { outputsOf } from '@/canvas/node-outputs';
import { type Graph, type Link, linksOf, moveNodes, nodesOf, type Point } from './graph';
import type { Kinds } from './kinds';

/** Sizes of nodes in pixels, as in canvas/editor-canvas.css. */
export const NODE_WIDTH = 224;
export const HEADER_HEIGHT = 60;
export const OUTPUT_HEIGHT = 26;
const BOTTOM_PADDING = 6;

/** The height of a node: several outputs have a row each. */
export function heightOf(outputs: number): number {
  return outputs > 1 ? HEADER_HEIGHT + outputs * OUTPUT_HEIGHT + BOTTOM_PADDING : HEADER_HEIGHT;
}

/** The vertical center of an output's handle, from the top of its node, in pixels. */
export function outputCenter(index: number, outputs: number): number {
  return outputs > 1 ? HEADER_HEIGHT + OUTPUT_HEIGHT * (index + 0.5) : HEADER_HEIGHT / 2;
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

/** Vertical distances in pixels: below which nodes touch, and between tried places. */
const MIN_DISTANCE = HEADER_HEIGHT + 20;
const TRIED_DISTANCE = HEADER_HEIGHT + 36;
/** Places that are tried for a node or for nodes that are pasted. */
export const MAX_TRIES = 200;

/** The wanted place, or the next free one below it. After `MAX_TRIES` places nodes may overlap. */
export function freePlace(graph: Graph, wanted: Point): Point {
  const nodes = nodesOf(graph);
  const place = { x: Math.round(wanted.x), y: Math.round(wanted.y) };
  const isTaken = () =>
    nodes.some(({ position: { x, y } }) => Math.abs(x - place.x) < NODE_WIDTH && Math.abs(y - place.y) < MIN_DISTANCE);
  for (let tries = 0; tries < MAX_TRIES && isTaken(); tries++) place.y += TRIED_DISTANCE;
  return place;
}
