import type { Expression, Literal, Reference } from '../../expressions/expression.js';
import { parseTemplate } from '../../expressions/template-parser.js';
import { canonicalJson, isObject, type JsonObject } from '../../json-value.js';
import { compileGraph, type Graph, GraphError, type GraphNode } from './graph.js';
import { nodesWithin } from './node-checks.js';
import { FILL_IN, withoutCredentials } from './secrets/credentials.js';

/** A collision-resistant hash of a text. */
export type Digest = (text: string) => string;

/** Members that refer to objects of one project. They differ between copies. */
const OF_ONE_PROJECT = new Set(['workflow_id', 'scenario_id', 'document_ids']);
/** Members of an input field that affect execution. */
const FIELD_MEMBERS = ['id', 'type', 'options'];
/** Ids of nodes in texts, such as those of scripts. */
const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi;

/**
 * Computes a hash of a graph's behavior, equal for graphs that behave alike. It ignores ids and order of nodes and
 * edges, positions, labels, common members such as `timeout_seconds`, unreachable nodes, white space, credentials,
 * texts and defaults of input fields, and references to workflows, scenarios and documents. Returns null for an invalid
 * graph.
 */
export function fingerprintOf(data: JsonObject, digest: Digest): string | null {
  const graph = tryCompile(withoutCredentials(data, FILL_IN, '').data);
  if (!graph) return null;
  const shapes = new Map<string, string>();
  addShapes(graph, shapes, digest);
  // The second pass includes references between nodes, with the shape of the referenced node in place of its id.
  const nodeHashes = [...nodesWithin(graph)].map(node => {
    const settings = settingsOf(node, id => shapes.get(id) ?? '');
    return digest(canonicalJson([shapes.get(node.id) ?? null, settings]));
  });
  return digest(canonicalJson([shapes.get(graph.start.id), nodeHashes.toSorted()]));
}

function tryCompile(data: JsonObject): Graph | null {
  try {
    return compileGraph(data);
  } catch (error) {
    if (error instanceof GraphError) return null;
    throw error;
  }
}

/** Hashes each node with its settings and all its successors. Loop bodies are hashed before their loops. */
function addShapes(graph: Graph, shapes: Map<string, string>, digest: Digest): void {
  for (const { body } of graph.order) if (body) addShapes(body, shapes, digest);
  for (const node of graph.order.toReversed()) {
    const shapeOf = ({ id }: GraphNode) => shapes.get(id) ?? '';
    const shape = {
      type: node.kind.type,
      settings: settingsOf(node, () => ''),
      branches: [...node.branches.values()].map(followers => followers.map(shapeOf).toSorted()),
      body: node.body ? [shapeOf(node.body.start), node.body.order.map(shapeOf).toSorted()] : null,
    };
    shapes.set(node.id, digest(canonicalJson(shape)));
  }
}

/** Returns the settings with each node id replaced by `nameOf`, without empty values. */
function settingsOf({ kind, data }: GraphNode, nameOf: (id: string) => string): JsonObject {
  const targets = new Set(kind.branches?.(data).map(({ member }) => member));
  const normalize = (value: unknown, name: string, path: string): unknown => {
    if (typeof value === 'string') return normalText(value, nameOf);
    if (Array.isArray(value)) {
      const items = value.map((item, index) => normalize(item, name, `${path}.${index}`));
      return name === 'input_fields' ? items.map(fieldOf) : items;
    }
    if (!isObject(value)) return value;
    const members = Object.entries(value).flatMap(([key, member]) => {
      const at = path === '' ? key : `${path}.${key}`;
      if (OF_ONE_PROJECT.has(key) || targets.has(at) || at === kind.bodyMember) return [];
      const normalized = normalize(member, key, at);
      return normalized === null || normalized === undefined || normalized === '' ? [] : [[key, normalized] as const];
    });
    return Object.fromEntries(members);
  };
  return normalize(Object.fromEntries(kind.members.map(member => [member, data[member]])), '', '') as JsonObject;
}

function fieldOf(field: unknown): unknown {
  return isObject(field) ? Object.fromEntries(FIELD_MEMBERS.map(member => [member, field[member]])) : field;
}

function normalText(text: string, nameOf: (id: string) => string): unknown {
  const parts = parseTemplate(text).parts.map(part => {
    if (typeof part === 'string') return part.replace(UUID, nameOf).replace(/\s+/g, ' ');
    const expression = withNodeNames(part.expression, nameOf);
    return pathOf(expression) ?? expression;
  });
  const [only] = parts;
  return parts.length === 1 && typeof only === 'string' ? only.trim() : parts;
}

/** Returns a copy of an expression, or part of one, with each node id replaced by `nameOf`. */
function withNodeNames<Part>(part: Part, nameOf: (id: string) => string): Part {
  if (Array.isArray(part)) return part.map(item => withNodeNames(item, nameOf)) as Part;
  if (!isObject(part)) return part;
  const isReference = 'root' in part && typeof part.node === 'string';
  const members = Object.entries(part).map(([name, member]) => [
    name,
    isReference && name === 'node' ? nameOf(String(member)) : withNodeNames(member, nameOf),
  ]);
  return Object.fromEntries(members) as Part;
}

/** A reference and its filters, if the expression is nothing else. Stored fingerprints contain this form. */
function pathOf(expression: Expression): { reference: Reference; filters: unknown[] } | undefined {
  if (expression.kind === 'reference') return { reference: expression.reference, filters: [] };
  if (expression.kind !== 'call' || !expression.isFilter) return undefined;
  const [value, argument, ...others] = expression.args;
  const path = value && value.kind !== 'lambda' ? pathOf(value) : undefined;
  if (!path || others.length > 0 || (argument && argument.kind !== 'literal')) return undefined;
  const given: { argument?: Literal } = argument ? { argument: argument.value } : {};
  return { ...path, filters: [...path.filters, { name: expression.name, ...given }] };
}
