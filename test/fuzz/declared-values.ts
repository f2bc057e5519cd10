import fc from 'fast-check';
import { arbitraryValue, RawJson } from './arbitrary-values.js';
import { type Kind, type Slot, slotOf } from './fuzz-target.js';
import type { JsonSchema } from './rest-operations.js';

/** A graph with nodes of many kinds, in which faults are placed. */
export const RICH_GRAPH = {
  nodes: [
    node('start', 'trigger-node', {
      input_fields: [
        { id: 'topic', title: 'Topic', type: 'text', input_requirements: true, default_value: 'cats' },
        { id: 'token', title: 'Token', type: 'text', is_secret: true, default_value: 'hidden-secret' },
        { id: 'kind', type: 'select', options: [{ title: 'A', value: 'a', is_default: true }] },
      ],
      next_nodes: ['check', 'switch'],
    }),
    node('check', 'if-else-node', {
      condition: { left: '{{ input.topic }}', operator: '==', right: 'cats' },
      true_node: 'model',
      false_node: 'call',
    }),
    node('model', 'basic-node', {
      messages: [{ role: 'user', message: '{{ input.topic | upper }}' }],
      settings: { model_name: 'echo', temperature: 0.5, max_tokens: 10 },
    }),
    node('call', 'http-node', {
      method: 'POST',
      url: 'https://example.com/{{ input.topic }}',
      headers: { a: 'b' },
      params: { c: 1 },
      body: { d: ['{{ run.id }}'] },
      on_error: 'retry',
      retry: { attempts: 2, delay_seconds: 1 },
    }),
    node('switch', 'switch-node', {
      value: '{{ input.kind }}',
      cases: [{ equals: 'a', next_nodes: ['loop'] }],
      default_nodes: ['code'],
    }),
    node('loop', 'loop-node', {
      items: '[1, 2]',
      concurrency: 2,
      max_items: 10,
      body: { nodes: [node('inner', 'trigger-node', { input_fields: [] })], edges: [], start_node: 'inner' },
    }),
    node('code', 'code-node', { code: 'return input', memory_mb: 16, timeout_seconds: 5 }),
    node('agent', 'agent-node', {
      messages: [{ role: 'user', message: 'go' }],
      settings: { model_name: 'echo' },
      tools: [
        {
          kind: 'http',
          name: 'get',
          description: 'd',
          parameters: { type: 'object' },
          request: { url: 'https://e.com' },
        },
      ],
      max_steps: 2,
      approval: 'tools',
    }),
    node('wait', 'delay-node', { seconds: 1 }),
    node('sub', 'subworkflow-node', { workflow_id: 1, input: { a: 1 } }),
    node('out', 'output-node', { value: '{{ nodes.model.json.a | default: "x" }}' }),
  ],
  edges: [
    { id: 'e1', type: 'custom-edge', source: 'model', target: 'out', animated: true, style: { stroke: '#000' } },
    { id: 'e2', source: 'check', target: 'model', sourceHandle: 'condition-true' },
  ],
  viewport: { x: 0, y: 0, zoom: 1 },
  start_node: 'start',
};

function node(id: string, type: string, data: Record<string, unknown>) {
  return { id, type, position: { x: 0, y: 0 }, data: { id, label: id, ...data } };
}

/** The graph as it is, or with wild values in one to three places. */
export const graphValue: fc.Arbitrary<unknown> = fc
  .array(fc.tuple(fc.nat(300), arbitraryValue), { maxLength: 3 })
  .map(faults =>
    faults.reduce<unknown>((graph, [place, value]) => replaced(graph, { left: place }, value), RICH_GRAPH),
  );

/** A copy whose n-th value, counted depth first, is replaced. */
function replaced(value: unknown, count: { left: number }, by: unknown): unknown {
  if (count.left-- === 0) return by;
  if (Array.isArray(value)) return value.map(item => replaced(item, count, by));
  if (typeof value !== 'object' || value === null || value instanceof RawJson) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, replaced(item, count, by)]));
}

const BY_NAME: Record<string, fc.Arbitrary<unknown>> = {
  project: slotOf('project'),
  document: slotOf('document'),
  recognitionrun: slotOf('recognitionRun'),
  // Bodies with an id enable a chunk or change a part of a scenario run.
  id: slotOf('chunk'),
  key: fc.uuid(),
  // Members of prompts and of messages.
  role: fc.constantFrom('user', 'system', 'assistant', 'viewer', 'editor', 'admin'),
  content: fc.constantFrom('Write.', 'Write about cats.'),
  return_type: fc.constantFrom('text', 'variables', 'image'),
  variable_names: fc.constantFrom([{ name: 'a' }], [{ name: 'b', value: 'c', is_active: false }]),
  prompts: fc.constant([]),
  // Members of scenarios and of chats.
  messages: fc.constantFrom([], [{ role: 'user', content: 'Hello' }]),
  model: fc.constantFrom('echo', 'gpt-4o-mini', 'echo/echo'),
  stream: fc.constantFrom(null, false),
  conditions: fc.constant([]),
  prompt_conditions: fc.constant([]),
  parameters: fc.constantFrom({}, { model_name: 'echo', temperature: 0.5 }),
  market_permission: fc.constantFrom('private', 'market_available'),
  keywordrun: fc.oneof({ weight: 3, arbitrary: fc.constant(null) }, slotOf('keywordRun')),
  keyword_cluster: fc.constant(null),
  url: fc.constantFrom(null, 'https://example.com/', 'http://127.0.0.1:1/'),
  preset: fc.constantFrom(1, 2, 4),
  keywordrun_mode: fc.constant(null),
  variables: fc.constant([]),
  inserted_variables: fc.constant([]),
  scenario: slotOf('scenario'),
  loop_variable: fc.constant(null),
  loop_count: fc.constantFrom(null, 2),
  scenariorun: fc.constantFrom('false', 'true'),
  chunk_size: fc.constantFrom(50, 500),
  workflow_id: slotOf('workflow'),
  user: slotOf('user'),
  email: fc.constantFrom('Outsider@example.com', 'bystander@example.com', 'unknown@example.com'),
  password: fc.constantFrom('wrong', 'a password of twenty characters'),
  webhook_url: fc.constantFrom('', 'https://example.com/hook'),
  endpoint_url: fc.constantFrom('http://127.0.0.1:1/mcp', 'http://[::1]/', 'ftp://example.com/'),
  // A node of `pureGraph`, which the runs of the target execute, and one of `RICH_GRAPH`.
  node_id: fc.constantFrom('if', 'call'),
  status: fc.constantFrom('in queue', 'in progress', 'succeed', 'failed'),
  input_data: fc.constantFrom({ topic: 'cats' }, {}),
  categories: fc.constantFrom('1', '2'),
  subcategories: fc.constantFrom('1', '2'),
  languages: fc.constantFrom('en', 'de,pt-BR'),
  headers: fc.constantFrom({}, { Authorization: 'Bearer 1' }, { 'x-a': '********' }),
  available_languages: fc.constantFrom([], ['en', 'pt-BR']),
  category: fc.integer({ min: 1, max: 8 }),
  subcategory: fc.constant(null),
  output: fc.constantFrom(null, 'out', { a: 1 }),
  error: fc.constantFrom(null, { code: 'a', message: 'b' }),
  transactions: fc.constantFrom([], [{ node_id: 'if', operation: 'if-else-node', amount: { USD: '0.01' } }]),
};

/** A value that the schema allows, if possible a meaningful one. */
export function declaredValue(name: string, schema: JsonSchema, isGraph: boolean): fc.Arbitrary<unknown> {
  if (name === 'data') return isGraph ? graphValue : fc.constantFrom({}, { if: { id: 'if', status: 'succeed' } });
  // In a query `scenariorun` is a flag, in a body it is an id.
  if (name === 'scenariorun' && [schema.type].flat().includes('integer')) return fc.constant(null);
  const known = BY_NAME[name];
  if (known) return known;
  if (schema.enum) return fc.constantFrom(...schema.enum);
  const types = [schema.type ?? 'string'].flat();
  const [type = 'string'] = types;
  const value = declaredOfType(type, schema);
  return types.includes('null') ? fc.oneof({ weight: 4, arbitrary: value }, fc.constant(null)) : value;
}

function declaredOfType(type: string, schema: JsonSchema): fc.Arbitrary<unknown> {
  const { minimum: min = 0, maximum: max = 1_000 } = schema;
  switch (type) {
    case 'integer':
      return fc.oneof(fc.constantFrom(min, max), fc.integer({ min, max }));
    case 'number':
      return fc.constantFrom(min, max, (min + max) / 2);
    case 'boolean':
      return fc.boolean();
    case 'array':
      return fc.array(fc.constantFrom('one', 'Two ', 'drei'), { maxLength: 3 });
    default:
      if (schema.format === 'uuid') return slotOf('run');
      if (schema.format === 'date') return fc.constantFrom('2026-01-31', '2030-12-31');
      if (schema.format === 'date-time') return fc.constant('2030-01-01T00:00:00.000Z');
      return fc.constantFrom('a', 'Text', 'Zwölf Boxkämpfer', '100 %');
  }
}

/** The id for a path parameter. Most deletions get an id that does not exist, so that objects remain to be used. */
export function pathSlot(route: string, name: string, method: string): fc.Arbitrary<Slot> {
  const weight = method === 'DELETE' ? 1 : 12;
  return slotOf(kindOfPathParameter(route, name), weight);
}

/** The kind of object that a path parameter names. */
export function kindOfPathParameter(route: string, name: string): Kind {
  if (name === 'member_id') return 'member';
  if (name === 'invitation_id') return 'invitation';
  if (name === 'request_id') return 'approval';
  if (name === 'recognitionrun') return 'recognitionRun';
  if (name === 'slug') return 'slug';
  if (name === 'rehearsal_id') return 'rehearsal';
  if (name === 'project') return 'project';
  if (name === 'environment_id') return 'environment';
  if (name === 'number') return 'revision';
  if (route.includes('/marketplace/')) return 'example';
  if (route.includes('/scenarioruns/')) return 'scenarioRun';
  if (name !== 'id') return 'run';
  const own: [part: string, kind: Kind][] = [
    ['/api-keys/', 'apiKey'],
    ['/v1/invitations/', 'invitation'],
    ['/variables/', 'variable'],
    ['/project-variables/', 'projectVariable'],
    ['/project-environments/', 'environment'],
    ['/connections/', 'connection'],
    ['/api-definitions/', 'apiDefinition'],
    ['/v1/triggers/', 'trigger'],
    ['/prompts/', 'prompt'],
    ['/messages/', 'message'],
    ['/scenarios/', 'scenario'],
    ['/documents/', 'document'],
    ['/v1/files/', 'file'],
    ['/v1/key-value-entries/', 'keyValueEntry'],
    ['/recognitionruns/', 'recognitionRun'],
    ['/recognitionrun-chunks/', 'chunk'],
    ['/keywords/', 'keyword'],
    ['/keywordruns/', 'keywordRun'],
  ];
  const found = own.find(([part]) => route.includes(part));
  if (found) return found[1];
  return route.includes('/projects/') ? 'project' : 'workflow';
}
