import { LateValue } from '../../expressions/template.js';
import { canonicalJson, isObject, type JsonObject } from '../../json-value.js';
import type { GraphNode } from '../graph/graph.js';
import type { NodeScope } from '../graph/node-kind.js';
import { prepareNode } from '../graph/prepared-node.js';

/** Returns true if the node has external effects of its own. Those of a loop are the effects of its body. */
export function hasRequest({ effects, body }: GraphNode): boolean {
  return effects !== 'none' && body === null;
}

/**
 * Returns the resolved request of a node as canonical JSON: its kind, its settings after expressions and everything else that
 * its execution reads. `peers` are nodes whose settings it may use. It contains secrets in plaintext and must be hashed with a key.
 */
export function canonicalRequest(
  node: GraphNode,
  settings: unknown,
  scope: NodeScope,
  peers: readonly GraphNode[] = [],
): string {
  const { kind } = node;
  const reads = kind.readsScope || kind.isLate ? scopeOf([node, ...peers], scope) : null;
  const parts = [kind.type, withoutLateValues(settings), reads];
  return canonicalJson(peers.length > 0 ? [...parts, peers.map(({ id, data }) => [id, data])] : parts);
}

/** The values that a script, or the request of a tool, can read when it is executed. */
function scopeOf([node, ...peers]: readonly [GraphNode, ...GraphNode[]], scope: NodeScope): JsonObject {
  const names = [node, ...peers].flatMap(each =>
    prepareNode(each).template.uses.flatMap(({ reference }) =>
      reference.root === 'env' ? reference.path.slice(0, 1).map(String) : [],
    ),
  );
  return {
    data: node.kind.isLate ? node.data : null,
    input: scope.input,
    nodes: [...scope.earlier()].map(([id, content]) => [id, content.text]),
    variables: scope.variables?.() ?? {},
    environment: names.map(name => [name, scope.env?.(name) ?? null]),
  };
}

function withoutLateValues(value: unknown): unknown {
  if (value instanceof LateValue) return null;
  if (Array.isArray(value)) return value.map(withoutLateValues);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, withoutLateValues(member)]));
}
