import { eachReference } from '../../expressions/each-reference.js';
import type { Expression } from '../../expressions/expression.js';
import { parseTemplate } from '../../expressions/template-parser.js';
import { isObject, type JsonObject, setOwn, textOf } from '../../json-value.js';
import { nodeKindOf } from '../nodes/index.js';
import type { NodeReference } from './node-kind.js';
import { FILL_IN, FILL_IN_PLACEHOLDER } from './secrets/credentials.js';

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
  'event',
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
 * placeholder that would resolve to one, and an absent member that means all documents or entries. In all other texts it is
 * added to the placeholders with project variables. Validation fails until the value is set.
 */
export function withoutReferences(data: JsonObject): JsonObject {
  return eachNode(data, node => {
    const cleared = structuredClone(node.data);
    for (const { path } of nodeReferences(node).filter(isOfProject)) setAt(cleared, path.split('.'));
    const kind = kindOf(node);
    const isRendered = (member: string) => !kind?.isVerbatim && !kind?.verbatimMembers?.includes(member);
    const entries = Object.entries(cleared).map(([member, value]) => [
      member,
      isRendered(member) ? withoutVariables(value) : value,
    ]);
    return { ...node, data: Object.fromEntries(entries) };
  });
}

/** Returns a value in whose texts the placeholders with project variables are invalid. */
function withoutVariables(value: unknown): unknown {
  if (typeof value === 'string') return withoutVariablesInText(value);
  if (Array.isArray(value)) return value.map(withoutVariables);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, withoutVariables(member)]));
}

function withoutVariablesInText(text: string): string {
  const parts = parseTemplate(text).parts.map(part => {
    if (typeof part === 'string') return part;
    if (!usesVariable(part.expression)) return part.source;
    const inner = part.source.slice(2, -2);
    // Braces inside could end the placeholder early, and the rest would be literal text.
    return `${FILL_IN_PLACEHOLDER}${/\{\{|\}\}/.test(inner) ? ' ' : inner}}}`;
  });
  return parts.join('');
}

function usesVariable(expression: Expression): boolean {
  let isFound = false;
  eachReference(expression, ({ root }) => {
    isFound ||= root === 'env';
  });
  return isFound;
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
