import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  chain,
  edge,
  field,
  type GraphData,
  graph,
  ifElse,
  type Json,
  llm,
  nested,
  node,
  output,
  template,
  trigger,
} from '../../support/graphs.js';
import { type RestOptions, startTestService, type TestService } from '../../support/service.js';
import { restAsDeclared } from '../declared-answers.js';
import { awaitFinish } from './finished-run.js';

const BASE = '/api/v1/workflows/';
const UUID = expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);

let service: TestService;
let project: number;
const call = (method: string, path: string, options: RestOptions = {}) =>
  restAsDeclared(service, method, path, options);
const save = async (data: unknown): Promise<number> =>
  (await call('POST', BASE, { body: { project, title: 'a', data } })).body.id;
const start = async (data: unknown, body: unknown = {}) => {
  const { status, body: envelope } = await call('POST', `${BASE}${await save(data)}/run/`, { body });
  expect(status).toBe(200);
  return envelope;
};

beforeAll(async () => {
  service = await startTestService();
  project = (await call('POST', '/api/v1/projects/', { body: { name: 'Home' } })).body.id;
});
afterAll(() => service?.stop());

describe('an accepted run', () => {
  it('is answered 200 with the inner status 201 and its id', async () => {
    const id = await save(chain(trigger(), output('hello')));
    for (const path of [`${BASE}${id}/run/`, `${BASE}${id}/run`]) {
      const { status, body } = await call('POST', path, { body: {} });
      expect({ status, body }).toEqual({
        status: 200,
        body: { status: 201, data: { id: UUID, status: 'in queue', data: null } },
      });
    }
  });

  it('returns what each executed node produced, and the output separately', async () => {
    const [begin, condition, yes, no, end] = [
      trigger(field('n', { type: 'number' })),
      ifElse('{{ input.n }}', '>', '5'),
      llm('big {{ input.n }}'),
      template('small'),
      output(),
    ];
    const edges = [
      edge(begin, condition),
      edge(condition, yes, 'condition-true'),
      edge(condition, no, 'condition-false'),
      edge(yes, end),
      edge(no, end),
    ];
    const { data } = await start(graph([begin, condition, yes, no, end], edges), { n: 7 });
    const entry = (id: string, content: string) => ({ id, status: 'succeed', result: { content } });
    expect(await awaitFinish(service, data.id)).toEqual({
      id: data.id,
      status: 'succeed',
      data: {
        [begin.id]: entry(begin.id, '{"n":7}'),
        [condition.id]: entry(condition.id, 'true'),
        [yes.id]: {
          ...entry(yes.id, 'big 7'),
          usage: { prompt_tokens: 2, completion_tokens: 2, total_tokens: 4, cost_usd: '0', finish_reason: 'stop' },
        },
        [end.id]: entry(end.id, 'big 7'),
      },
      output: 'big 7',
    });
  });
});

describe('the body of a run', () => {
  let id: number;
  beforeAll(async () => {
    id = await save(chain(trigger(field('topic'), field('tone')), output('{{ input | json }}')));
  });
  const run = (body: string | undefined, type?: string) =>
    call('POST', `${BASE}${id}/run/`, { body, headers: type === undefined ? {} : { 'Content-Type': type } });
  /** Starts a run and returns its recorded input. */
  const startAndReadInput = async (body: string | undefined, type?: string) => {
    const answer = await run(body, type);
    expect(answer).toMatchObject({ status: 200, body: { status: 201 } });
    const item = await call('GET', `${BASE}${id}/history/${answer.body.data.id}/`);
    return item.body.input_data;
  };

  it.each([
    ['flat JSON', '{"topic":"cats","extra":[1]}', 'application/json', { topic: 'cats', extra: [1] }],
    ['JSON of another type', '{"topic":"cats"}', 'application/vnd.x+json; charset=utf-8', { topic: 'cats' }],
    ['the text of an object', ' {"tone":"dry"} ', 'text/plain', { tone: 'dry' }],
    ['another text', 'cats & dogs', 'text/plain; charset=utf-8', { topic: 'cats & dogs' }],
    ['a text that begins like an object', '{topic: cats}', 'text/plain', { topic: '{topic: cats}' }],
    ['a number as text', '42', 'text/plain', { topic: '42' }],
    ['curl’s default type with JSON', '{"topic":"cats"}', 'application/x-www-form-urlencoded', { topic: 'cats' }],
    ['curl’s default type with text', 'topic=cats', 'application/x-www-form-urlencoded', { topic: 'topic=cats' }],
    ['nothing as JSON', '', 'application/json', {}],
    ['nothing as text', '', 'text/plain', {}],
    ['nothing at all', undefined, undefined, {}],
    ['emoji', '"\u{1f600}" ✓', 'text/plain', { topic: '"\u{1f600}" ✓' }],
  ])('may be %s', async (_what, body, type, input) => {
    expect(await startAndReadInput(body, type)).toEqual(input);
  });

  it('keeps unknown members, also __proto__, which pollutes no prototype', async () => {
    const body = '{"topic":"a","__proto__":{"polluted":true},"constructor":"x"}';
    const input = await startAndReadInput(body, 'application/json');
    expect(JSON.parse(JSON.stringify(input))).toEqual(JSON.parse(body));
    expect(JSON.stringify(input)).toContain('"__proto__":{"polluted":true}');
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });

  it.each(['[]', '[{"topic":"a"}]', '7', 'null', '"text"', 'true'])(
    'is refused inside the envelope when it is %s',
    async body => {
      const answer = await run(body, 'application/json');
      expect(answer).toMatchObject({
        status: 200,
        body: { status: 400, data: { id: UUID, status: 'failed', data: null, error: { code: expect.any(String) } } },
      });
    },
  );

  it.each(['{"topic": ', '{"topic": "a",}', '{} {}', "{'topic': 1}", '\u0000'])('is a parse error: %j', async body => {
    const answer = await run(body, 'application/json');
    expect(answer).toMatchObject({
      status: 400,
      body: { code: 'parse_error', detail: expect.stringMatching(/^JSON parse error - /) },
    });
  });

  it('is a parse error when it nests deeper than 64', async () => {
    expect((await run(JSON.stringify(nested(65)), 'application/json')).body.code).toBe('parse_error');
    expect((await run(JSON.stringify(nested(64)), 'application/json')).body.status).toBe(201);
  });

  it.each(['application/octet-stream', 'image/png', 'application/zip'])('is refused as %s', async type => {
    expect(await run('{"topic":"a"}', type)).toMatchObject({ status: 415, body: { code: 'unsupported_media_type' } });
  });

  it('is a parse error as a form without parts', async () => {
    expect(await run('{"topic":"a"}', 'multipart/form-data; boundary=x')).toMatchObject({
      status: 400,
      body: { code: 'parse_error' },
    });
  });

  it.each(['{"topic":"a\\u0000b"}', '{"topic":"\\ud800"}', '{"a\\u0000":1}'])('cannot hold %s', async body => {
    expect((await run(body, 'application/json')).status).toBe(400);
  });

  it('is refused over the limit', async () => {
    const answer = await run(JSON.stringify({ topic: 'x'.repeat(5 * 1024 * 1024) }), 'application/json');
    expect(answer).toMatchObject({ status: 413, body: { code: 'payload_too_large' } });
  });
});

describe('input fields', () => {
  it('are validated, and every fault is an error of the trigger', async () => {
    const begin = trigger(
      field('name', { input_requirements: true }),
      field('age', { type: 'number' }),
      field('tone', { type: 'select', options: [{ title: 'Dry', value: 'dry' }] }),
    );
    const envelope = await start(chain(begin, output('x')), { age: 'old', tone: 'loud' });
    expect(envelope).toEqual({
      status: 422,
      data: {
        id: UUID,
        status: 'failed',
        data: {
          [begin.id]: {
            id: begin.id,
            status: 'failed',
            result: [
              { 'input_fields.name': 'required' },
              { 'input_fields.age': 'must be a number' },
              { 'input_fields.tone': 'must be one of dry' },
            ],
          },
        },
      },
    });
    expect(await awaitFinish(service, envelope.data.id)).toEqual({ ...envelope.data, output: null });
  });

  it('use their defaults', async () => {
    const data = chain(
      trigger(
        field('a', { default_value: 'first' }),
        field('b', { type: 'select', options: [{ title: 'B', value: 'second', is_default: true }] }),
      ),
      output('{{ input.a }}, {{ input.b }}'),
    );
    const { data: run } = await start(data, { a: null });
    expect((await awaitFinish(service, run.id)).output).toBe('first, second');
  });

  it('insert text that looks like a placeholder as text', async () => {
    const { data } = await start(chain(trigger(field('topic')), output('{{ input.topic }}!')), {
      topic: '{{ run.id }} {{ constructor }}',
    });
    expect((await awaitFinish(service, data.id)).output).toBe('{{ run.id }} {{ constructor }}!');
  });
});

describe('a broken structure', () => {
  const begin = () => trigger();
  const cases: [string, () => unknown][] = [
    ['no nodes', () => ({ nodes: [], edges: [] })],
    ['nothing at all', () => ({})],
    ['no start', () => graph([output('x')], [], { start_node: undefined })],
    ['a start that is not there', () => graph([begin()], [], { start_node: 'nowhere' })],
    ['two triggers and no start', () => graph([begin(), begin()], [], { start_node: undefined })],
    ['an unknown node type', () => chain(begin(), node('teleport-node'))],
    ['duplicate ids', () => graph([begin(), node('output-node', {}, 'twin'), node('output-node', {}, 'twin')])],
    ['an edge that points nowhere', () => dangling(chain(begin(), output('x')))],
    ['a next node that is not there', () => chain(node('trigger-node', { input_fields: [], next_nodes: ['nowhere'] }))],
    ['a cycle', () => cycle()],
  ];

  function dangling(data: GraphData): GraphData {
    return {
      ...data,
      edges: [...data.edges, { id: 'loose', type: 'custom-edge', source: data.nodes[0]?.id ?? '', target: 'nowhere' }],
    };
  }
  function cycle(): GraphData {
    const [first, second, third] = [begin(), template('a'), template('b')];
    return graph([first, second, third], [edge(first, second), edge(second, third), edge(third, second)]);
  }

  it.each(cases)('is refused with the inner status 400: %s', async (_what, data) => {
    const envelope = await start(data());
    expect(envelope).toEqual({
      status: 400,
      data: {
        id: UUID,
        status: 'failed',
        data: null,
        error: { code: expect.any(String), message: expect.any(String) },
      },
    });
    expect(await awaitFinish(service, envelope.data.id)).toEqual({ ...envelope.data, output: null });
  });
});

describe('the validation of nodes', () => {
  const nodeErrorsOf = async (data: GraphData, body: Json = {}) => {
    const envelope = await start(data, body);
    expect(envelope).toMatchObject({ status: 422, data: { status: 'failed' } });
    return envelope.data.data;
  };

  it.each([
    '{{ nodes.missing.content }}',
    '{{ input.undeclared }}',
    '{{ constructor }}',
    '{{ __proto__ }}',
    '{{ input.constructor }}',
    '{{ input.__proto__.polluted }}',
    '{{ nodes.constructor.content }}',
    '{{ nodes.__proto__.json.x }}',
    '{{ run.constructor }}',
    '{{ previous.constructor }}',
    '{{ process.env }}',
    '{{ run.id | constructor }}',
    '{{ 1 + }}',
    '{{ }}',
  ])('reports a reference that cannot be resolved: %s', async text => {
    const [begin, end] = [trigger(field('topic')), template(text)];
    expect(await nodeErrorsOf(chain(begin, end))).toEqual({
      [end.id]: { id: end.id, status: 'failed', result: [{ template: expect.any(String) }] },
    });
  });

  it('reports an unknown model', async () => {
    const asking = llm('hello', 'unknown-model');
    expect(await nodeErrorsOf(chain(trigger(), asking))).toEqual({
      [asking.id]: { id: asking.id, status: 'failed', result: [{ 'settings.model_name': expect.any(String) }] },
    });
  });

  it('reports all errors of all invalid nodes', async () => {
    const [condition, asking] = [ifElse('1', 'like', '1'), node('basic-node', { messages: [], settings: {} })];
    const data = await nodeErrorsOf(chain(trigger(), asking, condition));
    expect(data[condition.id].result).toEqual([
      { 'condition.operator': expect.stringContaining('must be one of ==, !=, >, <, >=, <=, ') },
    ]);
    const paths = data[asking.id].result.flatMap((fault: Json) => Object.keys(fault));
    expect(paths.toSorted()).toEqual(['messages', 'settings.model_name']);
  });

  it('leaves references to run time that cannot be checked before: the node then fails', async () => {
    const [begin, end] = [trigger(field('topic')), template('{{ previous.json.topic.deeper }}')];
    const { data } = await start(chain(begin, end), { topic: 'x' });
    const run = await awaitFinish(service, data.id);
    expect(run.status).toBe('failed');
    expect(run.data[end.id]).toEqual({
      id: end.id,
      status: 'failed',
      error: { code: expect.any(String), message: expect.any(String) },
    });
  });
});
