import type { Graph } from '../graph/graph.js';
import { prepare } from '../graph/prepared-node.js';

/** More are no matter of an instant. */
const MOST_NODES = 64;

/** How far a run comes in an instant: to its end, to the first call to the outside, or nobody knows. */
export type InstantPart = 'all' | 'head' | 'unknown';

const known = new WeakMap<Graph, InstantPart>();

/** How far a run of the graph comes without calling or waiting for anybody. */
export function instantPart(graph: Graph): InstantPart {
  let answer = known.get(graph);
  if (answer === undefined) {
    answer = findInstantPart(graph);
    known.set(graph, answer);
  }
  return answer;
}

function findInstantPart({ order }: Graph): InstantPart {
  if (order.length > MOST_NODES) return 'unknown';
  const others = order.filter(node => !node.kind.isInstant || prepare(node).policy.onError === 'retry');
  if (others.length === 0) return 'all';
  return others.every(node => node.kind.effects === 'outside') ? 'head' : 'unknown';
}
