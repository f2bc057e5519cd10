import type { Graph, GraphNode } from './graph.js';

/**
 * Returns the nodes whose settings a node may use, directly or through others, without the node itself. Example: the agents to which
 * an agent may hand over.
 */
export function peersOf(graph: Graph, node: GraphNode): GraphNode[] {
  if (!node.kind.peersOf) return [];
  const found = new Set([node]);
  for (const { kind, data } of found)
    for (const id of kind.peersOf?.(data) ?? []) {
      const peer = graph.byId.get(id);
      if (peer?.kind === node.kind) found.add(peer);
    }
  found.delete(node);
  return [...found];
}

/** Returns the unreachable nodes whose settings reachable nodes may use, each with the first of these nodes. */
export function unreachablePeers(graph: Graph): ReadonlyMap<GraphNode, GraphNode> {
  const users = new Map<GraphNode, GraphNode>();
  // `order` contains only reachable nodes.
  for (const node of graph.order)
    for (const peer of peersOf(graph, node)) if (!peer.isReachable && !users.has(peer)) users.set(peer, node);
  return users;
}
