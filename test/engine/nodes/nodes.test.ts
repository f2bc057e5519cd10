import { describe, expect, test } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { JsonObject } from '../../../src/engine/json-value.js';
import { checkWorkflow } from '../../../src/engine/workflow/graph/validate.js';
import { nodeKinds } from '../../../src/engine/workflow/nodes/index.js';
import { nodeListing } from '../../../src/engine/workflow/nodes/listing.js';
import type { RunEvent } from '../../../src/engine/workflow/run/run-event.js';
import { fakePorts } from '../fake-ports.js';
import { http, llm, loop, output, run, template, trigger, workflow } from '../samples.js';

const t = trigger('t');
const FILE_ID = '01a1fccb-0000-7000-8000-000000000000';

describe('an HTTP request', () => {
  const send = async (data: JsonObject, input: JsonObject = {}) => {
    const ports = fakePorts();
    await run(workflow([t, http('h', data)], ['t>h']), { ports, input });
    return ports.httpRequests[0];
  };

  test('is a plain GET of the address by default', async () => {
    expect(await send({})).toEqual({
      method: 'GET',
      url: 'http://outside/h',
      headers: {},
      maxResponseBytes: 1_048_576,
      key: 'run-1:h',
    });
  });

  test('adds params to those in the URL', async () => {
    const params = { q: 'a b&{{ input.x }}', n: 5, list: [1, 'two'], none: null };
    expect((await send({ url: 'http://o/?z=1#f', params }, { x: '=?' }))?.url).toBe(
      'http://o/?z=1&q=a+b%26%3D%3F&n=5&list=1&list=two#f',
    );
  });

  test.each(['POST', 'PATCH', 'OPTIONS'])('by %s sends an Idempotency-Key from the first attempt on', async method => {
    expect((await send({ method }))?.headers).toEqual({ 'Idempotency-Key': 'run-1:h' });
    expect((await send({ method, headers: { 'idempotency-key': 'mine' } }))?.headers).toEqual({
      'idempotency-key': 'mine',
    });
  });

  test.each(['GET', 'HEAD', 'PUT', 'DELETE'])('by %s sends none', async method => {
    expect((await send({ method }))?.headers).toEqual({});
  });

  test.each<[unknown, string | undefined, string | undefined]>([
    [{ a: ['{{ input.n }}', 'n={{ input.n }}'] }, '{"a":[5,"n=5"]}', 'application/json'],
    ['{"n": {{ input.n }}}', '{"n": 5}', 'application/json'],
    ['{{ input.list }}', '[1]', 'application/json'],
    ['hello {{ input.n }}', 'hello 5', 'text/plain; charset=utf-8'],
    [0, '0', 'application/json'],
    [false, 'false', 'application/json'],
    ['', undefined, undefined],
    [null, undefined, undefined],
  ])('with the body %j sends %s as %s', async (body, text, type) => {
    const request = await send({ method: 'PUT', body }, { n: 5, list: [1] });
    expect([request?.body, request?.headers['Content-Type']]).toEqual([text, type]);
  });

  describe('whose response later nodes read', () => {
    const reading = (text: string, data: JsonObject = {}) =>
      workflow([t, http('h', data), output('o', { value: text })], ['t>h', 'h>o', 'h:error>o']);
    const responding = (status: number, headers: Record<string, string>) =>
      fakePorts({ http: () => ({ status, headers, body: 'x' }) });
    const outputOf = (events: readonly RunEvent[]) => events.find(event => event.type === 'run.succeeded')?.output;
    const TEXT = '{{ nodes.h.http_status }} {{ nodes.h.headers.x-next ?? "none" }} {{ nodes.h.headers }}';

    test.each<[status: number, data: JsonObject, headers: Record<string, string>, text: string]>([
      [404, { fail_on_error_status: false }, { 'X-Next': 'p2', 'set-cookie': 's' }, '404 p2 {"x-next":"p2"}'],
      [200, {}, {}, '200 none {}'],
      [200, {}, { a: 'x'.repeat(16_384), 'x-next': 'p2' }, '200 none {}'],
      [503, { on_error: 'branch' }, { 'x-next': 'p2' }, '503 none null'],
    ])('has its status and headers: %i %j', async (status, data, headers, text) => {
      const events = await run(reading(TEXT, data), { ports: responding(status, headers) });
      expect(outputOf(events)).toBe(text);
    });

    test('is recorded for a resumed run, which reads a record without it as null', async () => {
      const ports = responding(201, { 'x-next': 'p2' });
      const recorded = (await run(reading(TEXT), { ports })).filter(event => 'node' in event && event.node !== 'o');
      expect(outputOf(await run(reading(TEXT), { recorded }))).toBe('201 p2 {"x-next":"p2"}');
      const older = recorded.map(event => ({ ...event, response: undefined })) as RunEvent[];
      expect(outputOf(await run(reading(TEXT), { recorded: older }))).toBe('null none null');
    });

    test('is recorded only if a placeholder of the graph or of a loop body reads it', async () => {
      const ports = responding(200, { 'x-next': 'p2' });
      const recorded = async (graph: ReturnType<typeof workflow>) =>
        (await run(graph, { ports })).filter(event => event.type === 'node.succeeded' && event.response).length;
      expect(await recorded(reading('{{ nodes.h.content }}'))).toBe(0);
      expect(await recorded(reading('{{ nodes.h.http_status }}'))).toBe(1);
      const value = '{{ nodes.h.headers.x-next }}';
      const body = workflow([trigger('start'), output('end', { value })], ['start>end']);
      const looping = workflow(
        [t, http('h'), loop('l', [1], { body }), output('o', { value: 'x' })],
        ['t>h', 'h>l', 'l>o'],
      );
      expect(await recorded(looping)).toBe(1);
    });

    test.each(['http_status', 'headers.x ?? 1'])('is refused for a node without a response: %s', member => {
      const { issues } = checkWorkflow(workflow([t, output('o', { value: `{{ nodes.t.${member} }}` })], ['t>o']), {
        servesModel: () => true,
      });
      expect(issues).toMatchObject([
        {
          ...{ severity: 'error', code: 'unknown_reference', node_id: 'o', path: 'value' },
          message: 'refers to the HTTP response of a node of the type trigger-node, which has none',
        },
      ]);
    });
  });

  test('keeps a content type of its own and sends no body with GET', async () => {
    expect(await send({ method: 'PUT', body: { a: 1 }, headers: { 'content-type': 'x/y', 'X-N': 5 } })).toMatchObject({
      headers: { 'content-type': 'x/y', 'X-N': '5' },
    });
    expect(await send({ body: { a: 1 } })).not.toHaveProperty('body');
  });

  test.each([
    [404, {}, 'failed'],
    [500, { fail_on_error_status: true }, 'failed'],
    [500, { fail_on_error_status: false }, 'succeeded'],
    [304, {}, 'succeeded'],
  ])('answered with %d under %j has %s', async (status, data, end) => {
    const ports = fakePorts({ http: () => ({ status, body: '<html>' }) });
    const events = await run(workflow([t, http('h', data)], ['t>h']), { ports });
    expect(events.at(-1)?.type).toBe(`run.${end}`);
    if (end === 'failed')
      expect(events.at(-1)).toMatchObject({
        error: { code: 'http_status', message: `the server answered with status ${status}` },
      });
  });

  test('leaves nothing in its content that a database could not store', async () => {
    const ports = fakePorts({ http: () => ({ body: 'a\0b\ud800' }) });
    const events = await run(workflow([t, http('h'), output('o')], ['t>h', 'h>o']), { ports });
    expect(events.at(-1)).toMatchObject({ output: 'a\ufffdb\ufffd' });
  });

  test('has an idempotency key that is a valid header, whatever the id of the node is', async () => {
    const ports = fakePorts();
    const id = `ключ\r\n\ud800${'x'.repeat(500)}`;
    await run(workflow([t, http(id, { url: 'http://o/', method: 'POST' })], [`t>${id}`]), { ports });
    expect(ports.httpRequests[0]?.key).toMatch(/^[\x21-\x7e]{1,200}$/);
  });
});

describe('a language model', () => {
  test('is called with rendered messages and known settings only', async () => {
    const ports = fakePorts();
    const node = llm('m', 'Hi {{ input.who }}', {
      provider: 'fake',
      settings: {
        model_name: 'echo',
        temperature: '{{ input.heat }}',
        max_tokens: null,
        top_p: '{{ input.p }}',
        hidden: 1,
      },
    });
    const events = await run(workflow([t, node], ['t>m']), { ports, input: { who: ['Ada'], heat: 0.5, p: '0.9' } });
    expect(ports.prompts).toEqual([
      {
        provider: 'fake',
        messages: [{ role: 'user', content: 'Hi ["Ada"]' }],
        settings: { model_name: 'echo', temperature: 0.5, top_p: 0.9 },
      },
    ]);
    expect(events.find(event => event.type === 'node.succeeded' && event.node === 'm')).toMatchObject({
      content: 'Hi ["Ada"]',
      durable: true,
      usage: { model: 'echo', costUsd: '0.001' },
    });
  });
});

test.each<[unknown, string]>([
  ['{{ input.n }}', '5'],
  ['n={{ input.n }}', 'n=5'],
  [{ n: '{{ input.n }}' }, '{"n":5}'],
  [null, '{"n":5}'],
  [0, '0'],
  ['', ''],
])('an output of %j is %j', async (value, content) => {
  const events = await run(workflow([t, output('o', { value })], ['t>o']), { input: { n: 5 } });
  expect(events.at(-1)).toMatchObject({ output: content });
});

describe('the listing of nodes', () => {
  test('names every kind in order, with its outputs', () => {
    expect(nodeListing().map(({ type, node_type }) => [type, node_type])).toEqual([
      ['trigger-node', 'TriggerNode'],
      ['basic-node', 'BasicNode'],
      ['extractor-node', 'ExtractorNode'],
      ['classifier-node', 'ClassifierNode'],
      ['embedding-node', 'EmbeddingNode'],
      ['image-node', 'ImageNode'],
      ['speech-node', 'SpeechNode'],
      ['transcription-node', 'TranscriptionNode'],
      ['agent-node', 'AgentNode'],
      ['http-node', 'HTTPNodeInput'],
      ['graphql-node', 'GraphQLNode'],
      ['rss-node', 'RSSNode'],
      ['database-node', 'DatabaseNode'],
      ['email-node', 'EmailNode'],
      ['mcp-node', 'MCPNode'],
      ['code-node', 'CodeNode'],
      ['search-node', 'SearchNode'],
      ['file-node', 'FileNode'],
      ['key-value-node', 'KeyValueNode'],
      ['csv-node', 'CSVNode'],
      ['html-extract-node', 'HTMLExtractNode'],
      ['if-else-node', 'IfElseNode'],
      ['switch-node', 'SwitchNode'],
      ['loop-node', 'LoopNode'],
      ['merge-node', 'MergeNode'],
      ['subworkflow-node', 'SubworkflowNode'],
      ['scenario-node', 'ScenarioNode'],
      ['delay-node', 'DelayNode'],
      ['approval-node', 'ApprovalNode'],
      ['wait-node', 'WaitNode'],
      ['send-event-node', 'SendEventNode'],
      ['template-node', 'TemplateNode'],
      ['respond-node', 'RespondNode'],
      ['set-node', 'SetNode'],
      ['list-node', 'ListNode'],
      ['output-node', 'OutputNode'],
      ['note-node', 'NoteNode'],
    ]);
    expect(
      nodeListing()
        .find(({ type }) => type === 'if-else-node')
        ?.outputs.map(each => each.handle),
    ).toEqual(['condition-true', 'condition-false', 'error']);
    expect(nodeListing()).toBe(nodeListing());
  });

  test('has schemas that accept what a run accepts and describe every member', () => {
    const ajv = new Ajv2020({ strict: false });
    const samples: Record<string, JsonObject> = {
      'trigger-node': { input_fields: [{ id: 'a', is_secret: true, other: 1 }] },
      'basic-node': llm('m', 'x', { settings: { model_name: 'm', temperature: '{{ input.t }}' } }).data,
      'extractor-node': {
        ...{ text: '{{ input.letter }}', settings: { model_name: 'm' }, fallback_models: ['p/n'], repair: false },
        output_schema: { type: 'object', properties: { a: { type: 'string' } } },
      },
      'classifier-node': {
        ...{ text: 'x', settings: { model_name: 'm' }, min_confidence: '{{ input.c }}', instructions: 'Be fair.' },
        labels: [{ name: 'a', description: 'The first.', next_nodes: ['n'] }],
      },
      'agent-node': {
        ...llm('m', 'x').data,
        tools: [
          { kind: 'mcp', endpoint_url: 'http://o/mcp', allowed_tools: ['a'] },
          { kind: 'http', name: 'look_up', parameters: '{{ input.p }}', request: { url: 'http://o/{{ args.id }}' } },
          { kind: 'workflow', workflow_id: '{{ input.w }}' },
          { kind: 'search', document_ids: [1] },
        ],
        max_steps: 1,
        approval: 'always',
        approval_timeout_seconds: 2_592_000,
      },
      'http-node': http('h', { body: { any: [1] }, params: '{{ input.params }}', headers: { a: 5 } }).data,
      'mcp-node': {
        endpoint_url: 'http://o/mcp',
        tool: 't',
        arguments: '{{ input.a }}',
        timeout: 0.1,
        transport: 'sse',
      },
      'code-node': { code: 'return 1', memory_mb: 1, timeout_seconds: 0.1 },
      'graphql-node': { url: 'http://o/', query: '{ a }', variables: { a: '{{ input.a }}' }, operation_name: 'A' },
      'rss-node': { url: 'http://o/', limit: '{{ input.n }}', headers: { a: 5 } },
      'database-node': {
        connection: '{{ env.DB }}',
        query: 'select $1',
        parameters: '{{ input.list }}',
        read_only: false,
        max_rows: 1000,
        timeout_seconds: 300,
      },
      'email-node': {
        connection: '{{ env.SMTP }}',
        from: 'a@example.com',
        to: '{{ input.list }}',
        attachments: ['{{ input.file }}'],
      },
      'html-extract-node': {
        html: '{{ input.h }}',
        fields: [{ name: 'a', selector: 'a', value: 'attribute', all: true }],
      },
      'file-node': { operation: 'write', file_name: '{{ input.name }}', content: { a: 1 }, encoding: 'base64' },
      'embedding-node': {
        input: ['{{ input.a }}', 'b'],
        settings: { model_name: 'echo' },
        dimensions: '{{ input.n }}',
      },
      'image-node': {
        prompt: 'A cat',
        settings: { model_name: 'echo', size: '1024x1024', provider_options: { user: 'a' } },
      },
      'speech-node': { text: '{{ input.a }}', settings: { model_name: 'echo', speed: 1.5 }, format: '{{ input.f }}' },
      'transcription-node': {
        file: '{{ input.f }}',
        settings: { model_name: 'echo', language: 'de' },
        result: 'segments',
      },
      'key-value-node': {
        operation: 'compare_and_set',
        key: '{{ input.k }}',
        expected: null,
        value: [1],
        ttl_seconds: 60,
      },
      'csv-node': { operation: 'format', input: [{ a: 1 }], delimiter: ';', has_header: '{{ input.h }}' },
      'search-node': { query: '{{ input.q }}', document_ids: '{{ input.ids }}', limit: 50 },
      'if-else-node': { condition: { left: 1, operator: '<=', right: '{{ input.x }}' }, true_node: 'a' },
      'switch-node': { value: 1, cases: [{ equals: 'x', next_nodes: ['a'] }], default_nodes: [] },
      'template-node': template('x', { template: '' }).data,
      'respond-node': { body: 'x' },
      'output-node': {},
      'loop-node': { items: '{{ input.list }}', body: { nodes: [] }, concurrency: 2 },
      'subworkflow-node': { workflow_id: 7, input: { a: '{{ input.a }}' } },
      'scenario-node': { scenario_id: 7, variables: { topic: '{{ input.a }}' } },
      'delay-node': { seconds: '{{ input.seconds }}' },
      'approval-node': { title: 'Pay {{ input.a }}?', fields: [{ name: 'a', type: 'number' }], approvals: 2 },
      'send-event-node': { event: 'paid', correlation_key: '{{ input.a }}', payload: { n: '{{ input.a }}' } },
      'wait-node': { event: 'paid', correlation_key: '{{ input.a }}', event_timeout_seconds: 60 },
      'merge-node': { mode: 'any', count: 2 },
      'set-node': { values: { total: '{{ input.a }}' } },
      'list-node': { items: '{{ input.list }}', operations: [{ operation: 'sort', field: 'a.b', order: 'desc' }] },
      'note-node': { text: 'Pays the authors.' },
    };
    for (const { type, schema } of nodeListing()) {
      const accepts = ajv.compile(schema);
      expect([
        type,
        accepts({ ...samples[type], label: 'L', on_error: 'retry', retry: { attempts: 2 }, extra: true }),
        accepts.errors,
      ]).toEqual([type, true, null]);
      expect([type, accepts({ ...samples[type], on_error: 'panic' })]).toEqual([type, false]);
      expect(undescribed(schema)).toEqual([]);
    }
  });

  test.each<[type: string, data: JsonObject, member: string, value: unknown]>([
    ['code-node', { code: 'return 1' }, 'files', [FILE_ID]],
    ['email-node', { connection: 'smtp://o', from: 'a@b.c', to: 'd@e.f' }, 'attachments', [{ file_id: FILE_ID }]],
    ['http-node', { url: 'http://o/', method: 'POST' }, 'form', [{ name: 'a', value: 'b' }]],
    ['subworkflow-node', { workflow_id: 7 }, 'detached', true],
    ['csv-node', { operation: 'parse', input: 'a' }, 'delimiter', ';'],
  ])('takes a single placeholder: %s %j %s', (type, data, member, value) => {
    const kind = nodeKinds.find(each => each.type === type)!;
    expect(kind.written.safeParse({ ...data, [member]: '{{ input.x }}' }).error).toBeUndefined();
    expect(kind.written.safeParse({ ...data, [member]: 'x{{ input.x }}' }).success).toBe(false);
    expect(kind.resolved.safeParse({ ...data, [member]: value }).data).toMatchObject({ [member]: value });
  });

  test('takes a single placeholder for the files of a message', () => {
    const { written } = nodeKinds.find(({ type }) => type === 'basic-node')!;
    const data = llm('m', 'x', { messages: [{ role: 'user', message: 'x', files: '{{ input.files }}' }] }).data;
    expect(written.safeParse(data).error).toBeUndefined();
  });

  test('gives defaults that hold only members of the kind', () => {
    for (const kind of nodeKinds)
      for (const member of Object.keys(kind.defaults)) expect(kind.members).toContain(member);
  });
});

function undescribed(schema: unknown, path = ''): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  return Object.entries(schema).flatMap(([key, value]) => {
    if (key !== 'properties') return undescribed(value, `${path}.${key}`);
    return Object.entries(value as Record<string, JsonObject>).flatMap(([name, member]) => [
      ...(member.description === undefined ? [`${path}.${name}`] : []),
      ...undescribed(member, `${path}.${name}`),
    ]);
  });
}
