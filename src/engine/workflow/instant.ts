import type { Graph } from './graph.js';
import { prepare } from './prepared-node.js';

/** More are no matter of an instant. */
const MOST_NODES = 64;

const known = new WeakMap<Graph, boolean>();

/** Whether a run of the graph comes to its end without calling or waiting for anybody. */
export function isInstant(graph: Graph): boolean {
  let answer = known.get(graph);
  if (answer === undefined) {
    answer =
      graph.order.length <= MOST_NODES &&
      graph.order.every(node => node.kind.isInstant === true && prepare(node).policy.onError !== 'retry');
    known.set(graph, answer);
  }
  return answer;
}
