import { canonicalJson, isObject, type JsonObject } from '../../json-value.js';
import { parseTemplate } from '../../template-parser.js';
import { FILL_IN, withoutCredentials } from './credentials.js';
import { compileGraph, type Graph, GraphError, type GraphNode } from './graph.js';
import { nodesWithin } from './node-checks.js';

/** A short text for a longer one; different texts have different digests. */
export type Digest = (text: string) => string;

/** Members that a copier fills in: they refer to what one project has. */
const OF_ONE_PROJECT = new Set(['workflow_id', 'scenario_id', 'document_ids']);
/** What an input field does beside its texts for people. */
const FIELD_MEMBERS = ['id', 'type', 'options'];
const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi;

/**
 * What a graph does, as one text: equal for graphs that do the same. Left out are the ids and the order of nodes and
 * edges, positions, labels, common members such as `timeout_seconds`, nodes that never run, white space, credentials, the
 * texts and defaults of input fields, and references to workflows, scenarios and documents. Null: the graph is broken
 * and cannot run.
 */
export function fingerprintOf(data: JsonObject, digest: Digest): string | null {
  const graph = compiled(withoutCredentials(data, FILL_IN, '').data);
  if (!graph) return null;
  const shapes = new Map<string, string>();
  addShapes(graph, shapes, digest);
  const referring = [...nodesWithin(graph)].map(node => {
    const settings = settingsOf(node, id => shapes.get(id) ?? '');
    return digest(canonicalJson([shapes.get(node.id), settings]));
  });
  return digest(canonicalJson([shapes.get(graph.start.id), referring.toSorted()]));
}

function compiled(data: JsonObject): Graph | null {
  try {
    return compileGraph(data);
  } catch (error) {
    if (error instanceof GraphError) return null;
    throw error;
  }
}

/** Each node by its own settings and all that follows it. Nodes of loops' bodies come before their loops. */
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

/** The settings with `nameOf` in the place of each node's id; empty ones are left out. */
function settingsOf({ kind, data }: GraphNode, nameOf: (id: string) => string): JsonObject {
  const targets = new Set(kind.branches?.(data).map(({ member }) => member));
  const normal = (value: unknown, name: string, path: string): unknown => {
    if (typeof value === 'string') return normalText(value, nameOf);
    if (Array.isArray(value)) {
      const items = value.map((item, index) => normal(item, name, `${path}.${index}`));
      return name === 'input_fields' ? items.map(fieldOf) : items;
    }
    if (!isObject(value)) return value;
    const members = Object.entries(value).flatMap(([key, member]) => {
      const at = path === '' ? key : `${path}.${key}`;
      if (OF_ONE_PROJECT.has(key) || targets.has(at) || at === kind.bodyMember) return [];
      const kept = normal(member, key, at);
      return kept === null || kept === undefined || kept === '' ? [] : [[key, kept] as const];
    });
    return Object.fromEntries(members);
  };
  return normal(Object.fromEntries(kind.members.map(member => [member, data[member]])), '', '') as JsonObject;
}

function fieldOf(field: unknown): unknown {
  return isObject(field) ? Object.fromEntries(FIELD_MEMBERS.map(member => [member, field[member]])) : field;
}

function normalText(text: string, nameOf: (id: string) => string): unknown {
  const parts = parseTemplate(text).parts.map(part => {
    if (typeof part === 'string') return part.replace(UUID, nameOf).replace(/\s+/g, ' ');
    const { reference, filters } = part;
    return {
      reference: reference.node === undefined ? reference : { ...reference, node: nameOf(reference.node) },
      filters,
    };
  });
  const [only] = parts;
  return parts.length === 1 && typeof only === 'string' ? only.trim() : parts;
}
