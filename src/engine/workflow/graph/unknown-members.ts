import { z } from 'zod';
import { joinPath } from '../../json-schema/keywords.js';
import { isObject, type JsonObject, textOf } from '../../json-value.js';
import { MODEL_PARAMETER_NAMES } from '../../model-parameters.js';
import { nearestName, unknownMember } from '../../nearest-name.js';
import { nodeKindOf } from '../nodes/index.js';
import type { KindWarning, NodeKind } from './node-kind.js';
import type { Fault } from './settings.js';

/** Maximum number of reported members. */
const MAX_REPORTED = 50;

/** A warning about a member of a node; `node_id` null: of the graph or an edge. */
export interface MemberWarning extends KindWarning {
  node_id: string | null;
}

const GRAPH_MEMBERS = ['nodes', 'edges', 'viewport', 'start_node', 'notes'];
const NODE_MEMBERS = ['id', 'type', 'position', 'data'];
const EDGE_MEMBERS = [
  'id',
  'type',
  'source',
  'target',
  'sourceHandle',
  'targetHandle',
  'style',
  'animated',
  'markerEnd',
  'markerStart',
  'data',
  'label',
];

/**
 * Returns the unknown members of a graph, which are kept but have no effect. In settings of nodes all are reported. Front
 * ends store members of their own in graphs, nodes and edges: there only misspelt names are reported.
 */
export function unknownGraphMembers(data: unknown): MemberWarning[] {
  return collect(data, kind => kind.warnings);
}

/** Like `unknownGraphMembers`, with values that no run accepts. A graph is saved with them, because it may be a draft. */
export function savedGraphWarnings(data: unknown): MemberWarning[] {
  return collect(data, ({ warnings, refusals }) => settings => [
    ...(warnings?.(settings) ?? []),
    ...(refusals?.(settings) ?? []),
  ]);
}

type WarningsOf = (kind: NodeKind) => ((settings: JsonObject) => KindWarning[]) | undefined;

interface Collection {
  found: MemberWarning[];
  warningsOf: WarningsOf;
}

function collect(data: unknown, warningsOf: WarningsOf): MemberWarning[] {
  const found: MemberWarning[] = [];
  collectGraph(data, '', { found, warningsOf });
  return found.slice(0, MAX_REPORTED);
}

/** Returns the unknown parameters of a text message of a scenario. */
export function unknownParameters(parameters: unknown): Fault[] {
  if (!isObject(parameters)) return [];
  const known = ['model_name', 'provider_options', ...MODEL_PARAMETER_NAMES];
  return Object.keys(parameters)
    .filter(name => !known.includes(name))
    .slice(0, MAX_REPORTED)
    .map(name => ({ path: name, message: unknownMember(name, known) }));
}

function collectGraph(graph: unknown, at: string, collection: Collection): void {
  const { found } = collection;
  if (!isObject(graph) || found.length >= MAX_REPORTED) return;
  const addMisspelt = (value: JsonObject, known: readonly string[], path: string, node_id: string | null) => {
    for (const name of Object.keys(value)) {
      if (known.includes(name) || nearestName(name, known) === undefined) continue;
      found.push({ node_id, path: joinPath(path, name), message: unknownMember(name, known) });
    }
  };
  addMisspelt(graph, GRAPH_MEMBERS, at, null);
  for (const [index, node] of listOf(graph.nodes)) {
    const id = textOf(node.id ?? '');
    addMisspelt(node, NODE_MEMBERS, joinPath(at, `nodes.${index}`), id);
    const kind = typeof node.type === 'string' ? nodeKindOf(node.type) : undefined;
    if (kind && isObject(node.data)) collectSettings(kind, id, node.data, collection);
    if (found.length >= MAX_REPORTED) return;
  }
  for (const [index, edge] of listOf(graph.edges))
    addMisspelt(edge, EDGE_MEMBERS, joinPath(at, `edges.${index}`), null);
}

function collectSettings(kind: NodeKind, node_id: string, data: JsonObject, collection: Collection): void {
  const { bodyMember } = kind;
  // The body of a loop is a graph and is checked as one.
  const { [bodyMember ?? '']: body, ...settings } = data;
  for (const fault of [...unknownIn(kind.written, settings, ''), ...(collection.warningsOf(kind)?.(data) ?? [])])
    collection.found.push({ node_id, ...fault });
  if (bodyMember !== undefined) collectGraph(body, bodyMember, collection);
}

/** Compares the members of a value with those of its schema. */
function unknownIn(schema: z.core.$ZodType, value: unknown, path: string): Fault[] {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable)
    return unknownIn(schema.unwrap(), value, path);
  if (schema instanceof z.ZodUnion) {
    const option = schema.options.find(each => fits(each, value));
    return option ? unknownIn(option, value, path) : [];
  }
  if (schema instanceof z.ZodArray && Array.isArray(value))
    return value.flatMap((item, index) => unknownIn(schema.element, item, joinPath(path, String(index))));
  if (!(schema instanceof z.ZodObject) || !isObject(value)) return [];
  const shape: Record<string, z.core.$ZodType> = schema.shape;
  return Object.entries(value).flatMap(([name, member]) =>
    Object.hasOwn(shape, name)
      ? unknownIn(shape[name]!, member, joinPath(path, name))
      : [{ path: joinPath(path, name), message: unknownMember(name, Object.keys(shape)) }],
  );
}

/** Whether an option of a union describes the kind of value. The literal members of an object select it. */
function fits(schema: z.core.$ZodType, value: unknown): boolean {
  if (schema instanceof z.ZodArray) return Array.isArray(value);
  if (!(schema instanceof z.ZodObject) || !isObject(value)) return false;
  const literals = Object.entries(schema.shape).filter(([, member]) => member instanceof z.ZodLiteral);
  return literals.every(([name, literal]) => (literal as z.ZodLiteral).safeParse(value[name]).success);
}

function* listOf(list: unknown): Generator<[number, JsonObject]> {
  if (!Array.isArray(list)) return;
  for (const [index, item] of list.entries()) if (isObject(item)) yield [index, item];
}
