import type { Graph } from '../graph/graph.js';
import { prepare } from '../graph/prepared-node.js';

/** Larger graphs are not executed synchronously. */
const MOST_NODES = 64;

/** How far a run gets synchronously: to its end, to its first external call, or unknown. */
export type InstantPart = 'all' | 'head' | 'unknown';

const instantParts = new WeakMap<Graph, InstantPart>();

/** Returns how far a run of the graph gets without external calls or waiting. */
export function instantPart(graph: Graph): InstantPart {
  let part = instantParts.get(graph);
  if (part === undefined) {
    part = findInstantPart(graph);
    instantParts.set(graph, part);
  }
  return part;
}

function findInstantPart({ order }: Graph): InstantPart {
  if (order.length > MOST_NODES) return 'unknown';
  const others = order.filter(node => !node.kind.isInstant || prepare(node).policy.onError === 'retry');
  if (others.length === 0) return 'all';
  return others.every(node => node.kind.effects === 'outside') ? 'head' : 'unknown';
}
