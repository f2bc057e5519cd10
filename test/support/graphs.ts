import { randomUUID } from 'node:crypto';

export type Json = Record<string, unknown>;

export interface GraphNode {
  id: string;
  type: string;
  position: { x: number; y: number };
  data: Json;
}

export interface GraphEdge {
  id: string;
  type: string;
  source: string;
  target: string;
  sourceHandle?: string;
}

export interface GraphData {
  nodes: GraphNode[];
  edges: GraphEdge[];
  viewport: { x: number; y: number; zoom: number };
  start_node?: string;
}

/** A node in the form in which a front end saves it. `data` adds to or replaces the members that all kinds share. */
export function node(type: string, data: Json = {}, id: string = randomUUID()): GraphNode {
  return { id, type, position: { x: 0, y: 0 }, data: { id, name: type, label: type, version: '1.0', ...data } };
}

/** An input field with every member that the specification lists. */
export function field(id: string, more: Json = {}): Json {
  return {
    id,
    title: id,
    type: 'text',
    input_requirements: false,
    placeholder: '',
    tooltip: '',
    default_value: '',
    is_secret: false,
    options: [],
    ...more,
  };
}

export const trigger = (...fields: Json[]) => node('trigger-node', { input_fields: fields });

export const ifElse = (left: string, operator: string, right: string) =>
  node('if-else-node', { condition: { left, operator, right } });

export const llm = (message: string, model = 'echo', more: Json = {}) =>
  node('basic-node', {
    messages: [{ role: 'user', message }],
    settings: { model_name: model, temperature: 0 },
    ...more,
  });

export const http = (url: string, more: Json = {}) => node('http-node', { url, ...more });

export const template = (text: string, more: Json = {}) => node('template-node', { template: text, ...more });

export const output = (value?: string) => node('output-node', value === undefined ? {} : { value });

export function edge(source: GraphNode, target: GraphNode, handle?: string): GraphEdge {
  return {
    id: randomUUID(),
    type: 'custom-edge',
    source: source.id,
    target: target.id,
    ...(handle === undefined ? {} : { sourceHandle: handle }),
  };
}

export function graph(nodes: GraphNode[], edges: GraphEdge[] = [], more: Json = {}): GraphData {
  return { nodes, edges, viewport: { x: 0, y: 0, zoom: 1 }, start_node: nodes[0]?.id ?? '', ...more };
}

/** Nodes in sequence. The first one is the start. */
export function chain(...nodes: GraphNode[]): GraphData {
  const edges = nodes.slice(1).map((target, index) => edge(nodes[index] as GraphNode, target));
  return graph(nodes, edges);
}

/** trigger → output of the input field `topic`. */
export function greeting(): GraphData {
  return chain(trigger(field('topic')), output('Hello {{ input.topic | default: "none" }}'));
}

/** A value with this nesting depth: `nested(1)` is `{}`. */
export function nested(depth: number): Json {
  let value: Json = {};
  for (let level = 1; level < depth; level++) value = { a: value };
  return value;
}
