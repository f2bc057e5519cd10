import type { Graph } from '../graph/graph.js';
import { prepareNode } from '../graph/prepared-node.js';
import { errorWorkflowIdOf } from '../nodes/flow/trigger.js';

/** Larger graphs are not executed synchronously. */
const MAX_NODES = 64;

/** How far a run gets synchronously: to its end, to its first external call, or unknown. */
export type InstantPart = 'all' | 'start' | 'unknown';

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

function findInstantPart(graph: Graph): InstantPart {
  const { order } = graph;
  if (order.length > MAX_NODES) return 'unknown';
  const others = order.filter(node => !node.kind.isInstant || prepareNode(node).policy.attempts > 1);
  // Only a worker sends the job that starts the error workflow.
  if (others.length === 0) return errorWorkflowIdOf(graph) === null ? 'all' : 'unknown';
  return others.every(node => node.effects === 'external') ? 'start' : 'unknown';
}
