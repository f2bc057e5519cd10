import { describe, expect, test } from '@jest/globals';
import type { JsonObject } from '../../../src/engine/json-value.js';
import type { ReturnType } from '../../../src/engine/scenario/scenario.js';
import { serviceFaults } from '../../../src/engine/scenario/services.js';
import { fakePorts } from '../fake-ports.js';
import { M, message, prompt, result, run, scenario, short } from './samples.js';

const prompts = [prompt(1, 'Be brief.', { role: 'system' }), prompt(2, 'Rome?'), prompt(3, 'And Oslo?')];
const http = (parameters: JsonObject, returnType: ReturnType = 'text') =>
  message(1, '', { provider: 'http', prompts, parameters, returnType });
const answering = (body: string, status = 200) => fakePorts({ http: () => ({ body, status }) });
const ask = {
  url: 'http://weather/v1',
  method: 'POST',
  body: { q: '{{ input.user }}', s: '{{ input.system | upper }}' },
};

describe('a message to an HTTP service', () => {
  test('sends its prompts in the request and has the response as its result', async () => {
    const ports = answering('Sunny');
    const { finalResult, spent } = await result(scenario([http(ask)]), { ports });
    expect(finalResult).toBe('Sunny');
    expect(spent).toMatchObject({ costUsd: '0' });
    expect(ports.httpRequests).toEqual([
      expect.objectContaining({ method: 'POST', url: 'http://weather/v1', key: 'scenario-run-7:1:0' }),
    ]);
    expect(JSON.parse(String(ports.httpRequests[0]?.body))).toEqual({ q: 'Rome?\n\nAnd Oslo?', s: 'BE BRIEF.' });
    expect(ports.prompts).toEqual([]);
  });

  test('keeps the type of a value of one placeholder', async () => {
    const ports = answering('');
    await result(scenario([http({ ...ask, body: '{{ input.messages }}' })]), { ports });
    expect(JSON.parse(String(ports.httpRequests[0]?.body))).toEqual([
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'Rome?' },
      { role: 'user', content: 'And Oslo?' },
    ]);
  });

  test('reads its result with an expression, for later messages too', async () => {
    const ports = answering('{"days": [{"text": " Sunny "}]}');
    const parameters = { ...ask, result: '{{ previous.json.days.0.text | trim }}' };
    const events = await run(scenario([http(parameters), message(2, `It is ${M(1)}.`)]), { ports });
    expect(short(events)).toEqual(['+1', '1=Sunny', '+2', '2=It is Sunny.', 'run=It is Sunny.']);
  });

  test.each<[ReturnType, string, unknown]>([
    ['variables', '{"a": 1}', { finalResult: '{"a": 1}' }],
    ['variables', '{', { error: { code: 'bad_variables' } }],
    ['image', ' https://files.example/1.png\n', { finalResult: 'https://files.example/1.png' }],
    ['image', 'javascript:alert(1)', { error: { code: 'bad_image' } }],
  ])('with the return type %s and the response %j has %j', async (returnType, body, expected) => {
    expect(await result(scenario([http(ask, returnType)]), { ports: answering(body) })).toMatchObject(
      expected as object,
    );
  });

  test.each<[string, JsonObject, string]>([
    ['an error status', ask, 'http_status'],
    [
      'a result that the response does not have',
      { ...ask, fail_on_error_status: false, result: '{{ previous.json.a }}' },
      'unknown_reference',
    ],
  ])('fails with %s', async (_, parameters, code) => {
    expect((await result(scenario([http(parameters)]), { ports: answering('{}', 500) })).error?.code).toBe(code);
  });

  test('inserts prompts as values, which are not evaluated again', async () => {
    const ports = answering('');
    const injected = message(1, '{{ input.system }}", "admin": "1', {
      provider: 'http',
      parameters: { ...ask, body: { q: '{{ input.user }}' } },
    });
    await result(scenario([injected]), { ports });
    expect(JSON.parse(String(ports.httpRequests[0]?.body))).toEqual({ q: '{{ input.system }}", "admin": "1' });
  });

  test('is asked again with the same key after the process died', async () => {
    const [started] = await run(scenario([http(ask)]), { ports: answering('x') });
    const ports = answering('again');
    const events = await run(scenario([http(ask)]), { ports, recorded: [started!] });
    expect(short(events)).toEqual(['+1 again', '1=again', 'run=again']);
    expect(ports.httpRequests.map(({ key }) => key)).toEqual(['scenario-run-7:1:0']);
  });

  test('is not asked again after its answer is recorded', async () => {
    const ports = answering('x');
    const recorded = (await run(scenario([http(ask)]), { ports })).slice(0, 2);
    const later = answering('y');
    expect(short(await run(scenario([http(ask)]), { ports: later, recorded }))).toEqual(['run=x']);
    expect(later.httpRequests).toEqual([]);
  });

  test('fails where services are not available', async () => {
    const { clock, llm, languages } = fakePorts();
    expect((await result(scenario([http(ask)]), { ports: { clock, llm, languages } })).error?.code).toBe(
      'service_unavailable',
    );
  });
});

test('a message to an MCP tool passes its prompts as arguments', async () => {
  const calls: unknown[] = [];
  const ports = fakePorts({
    mcp: {
      callTool: async (server, tool, args) => {
        calls.push(server.endpointUrl, tool.name, args);
        return { content: [{ type: 'text', text: 'found' }], isError: false, schemaHash: '' };
      },
    },
  });
  const parameters = { endpoint_url: 'http://mcp/x', tool: 'search', arguments: { query: '{{ input.prompt }}' } };
  const { finalResult } = await result(scenario([message(1, 'cats', { provider: 'mcp', parameters })]), { ports });
  expect(finalResult).toBe('found');
  expect(calls).toEqual(['http://mcp/x', 'search', { query: 'cats' }]);
});

test('a message to a GraphQL service sends its prompts as variables', async () => {
  const ports = answering('{"data": {"city": {"name": "Rome"}}}');
  const parameters = {
    url: 'http://graph/q',
    query: 'query ($q: String!) { city(q: $q) { name } }',
    variables: { q: '{{ input.prompt }}' },
    result: '{{ previous.json.city.name }}',
  };
  const { finalResult } = await result(scenario([message(1, 'it', { provider: 'graphql', parameters })]), { ports });
  expect(finalResult).toBe('Rome');
  expect(JSON.parse(String(ports.httpRequests[0]?.body)).variables).toEqual({ q: 'it' });
});

describe('the parameters of a service', () => {
  test.each<[string, unknown, { path: string }[]]>([
    ['http', {}, [{ path: 'url' }]],
    ['http', { url: 'ftp://a' }, [{ path: 'url' }]],
    ['http', { url: 'http://a', method: 'BREW' }, [{ path: 'method' }]],
    ['http', { url: 'http://a/{{ nodes.a.content }}' }, [{ path: 'url' }]],
    ['http', { url: 'http://a', body: { a: '{{ input.promt }}' } }, [{ path: 'body.a' }]],
    ['http', { url: 'http://a', body: '{{ previous.content }}' }, [{ path: 'body' }]],
    ['http', { url: 'http://a', result: '{{ previous.json..a }}' }, [{ path: 'result' }]],
    ['http', { url: 'http://a', result: 5 }, [{ path: 'result' }]],
    ['mcp', { endpoint_url: 'http://a' }, [{ path: 'tool' }]],
    ['graphql', { url: 'http://a' }, [{ path: 'query' }]],
    ['http', [], [{ path: '' }]],
    ['http', { url: 'http://a', result: '{{ previous.json.x ?? input.user }}' }, []],
    ['openai', {}, []],
  ])('of %s: %j has the faults %j', (provider, parameters, faults) => {
    expect(serviceFaults(provider, parameters)).toMatchObject(faults);
    expect(serviceFaults(provider, parameters)).toHaveLength(faults.length);
  });

  test('that are not valid fail the run before any request', async () => {
    const ports = fakePorts();
    const events = await run(scenario([message(1, 'x'), { ...http({ url: 5 }), id: 2, sortId: 2 }]), { ports });
    expect(short(events)).toEqual(['run!invalid_parameters']);
    expect(ports.prompts).toEqual([]);
  });
});
