import { isObject, type JsonObject, setOwn } from '../../json-value.js';
import { nodeKindOf } from '../nodes/index.js';
import { FILL_IN } from './credentials.js';
import type { NodeReference } from './node-kind.js';

/** A reference, and the node that holds it. */
export interface GraphReference extends NodeReference {
  nodeId: string;
}

const OF_THE_PROJECT = new Set<NodeReference['kind']>(['workflow', 'scenario', 'document']);

/** Whether it names, or may come to name, something of the project that the graph stands in. */
export function isOfProject({ kind }: NodeReference): boolean {
  return OF_THE_PROJECT.has(kind);
}

/** The references of all nodes in the order of the graph, those in bodies of loops and out of reach included. */
export function referencesOf(data: JsonObject): GraphReference[] {
  const found: GraphReference[] = [];
  eachNode(data, node => {
    found.push(...nodeReferences(node).map(reference => ({ nodeId: String(node.id), ...reference })));
    return node;
  });
  return found;
}

/**
 * The graph for somebody else's project: `<fill in>` stands where it names something of a project, where a placeholder
 * would name it at run time, and where an absent member means all of the project's documents. A node that holds it fails
 * validation until it is set.
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

/** Rebuilds a graph with what `change` makes of each node; of a loop's body after the loop itself. */
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

function nodeReferences(node: Node): NodeReference[] {
  return kindOf(node)?.references?.(node.data) ?? [];
}

function setAt(target: JsonObject, [name = '', ...rest]: string[]): void {
  if (rest.length === 0) setOwn(target, name, FILL_IN);
  else if (isObject(target[name]) || Array.isArray(target[name])) setAt(target[name] as JsonObject, rest);
}
