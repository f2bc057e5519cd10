import { isObject, type JsonObject, setOwn, textOf } from '../../json-value.js';
import { nodeKindOf } from '../nodes/index.js';
import type { NodeReference } from './node-kind.js';
import { FILL_IN } from './secrets/credentials.js';

/** A reference with the id of its node. */
export interface GraphReference extends NodeReference {
  nodeId: string;
}

const OF_THE_PROJECT = new Set<NodeReference['kind']>([
  'workflow',
  'scenario',
  'document',
  'user',
  'connection',
  'key_value',
]);

/** Returns true if it refers to an object of the graph's own project. */
export function isOfProject({ kind }: NodeReference): boolean {
  return OF_THE_PROJECT.has(kind);
}

/** Returns the references of all nodes in order, including loop bodies and unreachable nodes. */
export function referencesOf(data: JsonObject): GraphReference[] {
  const references: GraphReference[] = [];
  eachNode(data, node => {
    references.push(...nodeReferences(node).map(reference => ({ nodeId: textOf(node.id), ...reference })));
    return node;
  });
  return references;
}

/**
 * Removes project references from a graph that is copied to another project. `<fill in>` replaces each reference, each
 * placeholder that would resolve to one, and an absent member that means all documents or entries. Validation fails until the
 * value is set.
 */
export function withoutReferences(data: JsonObject): JsonObject {
  return eachNode(data, node => {
    const cleared = structuredClone(node.data);
    for (const { path } of nodeReferences(node).filter(isOfProject)) setAt(cleared, path.split('.'));
    return { ...node, data: cleared };
  });
}

interface Node extends JsonObject {
  data: JsonObject;
}

/** Returns a copy of the graph with each node changed. A loop is changed before the nodes of its body. */
function eachNode(graph: JsonObject, change: (node: Node) => Node): JsonObject {
  if (!Array.isArray(graph.nodes)) return graph;
  const nodes = graph.nodes.map(node => {
    if (!isObject(node) || !isObject(node.data)) return node;
    const changed = change(node as Node);
    const member = kindOf(node)?.bodyMember;
    const body = member === undefined ? undefined : changed.data[member];
    if (member === undefined || !isObject(body)) return changed;
    return { ...changed, data: { ...changed.data, [member]: eachNode(body, change) } };
  });
  return { ...graph, nodes };
}

function kindOf({ type }: JsonObject) {
  return typeof type === 'string' ? nodeKindOf(type) : undefined;
}

/** Returns the references of one node, without those of its body. */
export function nodeReferences(node: Node): NodeReference[] {
  return kindOf(node)?.references?.(node.data) ?? [];
}

function setAt(target: JsonObject, [name = '', ...rest]: string[]): void {
  if (rest.length === 0) setOwn(target, name, FILL_IN);
  else if (isObject(target[name]) || Array.isArray(target[name])) setAt(target[name] as JsonObject, rest);
}
