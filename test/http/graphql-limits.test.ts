import { createHash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { buildSchema, getIntrospectionQuery, Kind, parse } from 'graphql';
import { createClient } from 'graphql-ws';
import { WebSocket } from 'ws';
import { fragmentsOf } from '../../src/graphql/documents.js';
import { MAX_WEIGHT } from '../../src/graphql/limits.js';
import { measureQuery } from '../../src/graphql/query-weight.js';
import { ADMIN_KEY } from '../support/config.js';
import { startTestService, type TestService } from '../support/service.js';

const schema = buildSchema(await readFile('schema.graphql', 'utf8'));

/** Weight of the first operation of a text, with variables. */
function weightOf(text: string, variables: Record<string, unknown> = {}) {
  const document = parse(text);
  const operation = document.definitions.find(one => one.kind === Kind.OPERATION_DEFINITION)!;
  return measureQuery(schema, operation, fragmentsOf(document), variables);
}

describe('the weight of an operation', () => {
  it.each([
    ['a field', '{ me { id } }', {}, { depth: 2, aliases: 0, cost: 2 }],
    ['a page of ten by default', '{ projects { total items { id } } }', {}, { depth: 3, aliases: 0, cost: 31 }],
    ['a page by its size', '{ projects(size: 50) { items { id } } }', {}, { depth: 3, aliases: 0, cost: 101 }],
    ['a page by a variable', 'query ($n: Int) { projects(size: $n) { total } }', { n: 20 }, { cost: 21 }],
    ['a page by the default of a variable', 'query ($n: Int = 30) { projects(size: $n) { total } }', {}, { cost: 31 }],
    ['a size above the largest as the largest', '{ projects(size: 2000000000) { total } }', {}, { cost: 101 }],
    ['a size that is none', '{ projects(size: "x") { total } }', {}, { cost: 11 }],
    ['a connection of ten', '{ auditLogConnection { edges { node { id } } } }', {}, { depth: 4, cost: 31 }],
    ['a connection by first', '{ auditLogConnection(first: 50) { nodes { id } } }', {}, { cost: 101 }],
    [
      'a connection by last',
      'query ($n: Int) { auditLogConnection(last: $n) { nodes { id } } }',
      { n: 70 },
      { cost: 141 },
    ],
    ['aliases', '{ a: me { b: id } c: me { id } }', {}, { aliases: 3 }],
    ['a fragment at each place', '{ a: me { ...f } b: me { ...f } } fragment f on User { x: id }', {}, { aliases: 4 }],
    ['an inline fragment', '{ me { ... on User { id } ... { id } } }', {}, { depth: 2, cost: 3 }],
    ['unknown fields and fragments', '{ nonsense { nonsense { nonsense } ...gone } }', {}, { depth: 3, cost: 3 }],
    ['a fragment in itself', '{ me { ...f } } fragment f on User { id ...f }', {}, { depth: 2, cost: 2 }],
  ])('counts %s', (_what, text, variables, expected) => {
    expect(weightOf(text, variables)).toMatchObject(expected);
  });

  it('is known at once where fragments double each other', () => {
    const fragments = Array.from({ length: 200 }, (_, n) => `fragment f${n} on Query { ...f${n + 1} ...f${n + 1} }`);
    const text = `{ ...f0 } ${fragments.join(' ')} fragment f200 on Query { me { id } }`;
    expect(weightOf(text).cost).toBeGreaterThan(2 ** 200);
  });

  it('is within the limits for every REST operation, at the largest pages', async () => {
    const folder = 'rest-compat/operations';
    const texts = await Promise.all((await readdir(folder)).map(name => readFile(path.join(folder, name), 'utf8')));
    const all = parse(texts.join('\n'));
    const operations = all.definitions.filter(one => one.kind === Kind.OPERATION_DEFINITION);
    expect(operations.length).toBeGreaterThan(50);
    for (const operation of operations) {
      const weight = measureQuery(schema, operation, fragmentsOf(all), { size: 100 });
      for (const limit of ['depth', 'aliases', 'cost'] as const)
        expect({ name: operation.name?.value, limit, isWithin: weight[limit] <= MAX_WEIGHT[limit] }).toMatchObject({
          isWithin: true,
        });
    }
  });
});

describe('an operation over a limit', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService({ role: 'api', runMaxBytes: 1_024 });
  });
  afterAll(() => service?.stop());

  const nested = (times: number) => `{ ${'a { '.repeat(times)} b ${'}'.repeat(times)} }`;
  const heavy = '{ projects(size: 100) { items { scenarios { items { messages { prompts { id } } } } } } }';
  const doubled = `{ ...a } fragment a on Query { ...b ...b } fragment b on Query { projects(size: 100) { ...c } }
    fragment c on ProjectPage { items { scenarios { items { messages { id key projectId } } } } }`;
  const refused: [what: string, query: string][] = [
    ['depth', nested(50)],
    ['tokens', `{ ${'a: me { id } '.repeat(10_000)} }`],
    ['aliases', `{ ${Array.from({ length: 101 }, (_, n) => `a${n}: me { id }`).join(' ')} }`],
    ['cost', heavy],
    ['cost', doubled],
  ];

  it.each(refused)('is refused by its %s, over HTTP', async (limit, query) => {
    const { status, body } = await service.rest('POST', '/graphql', { body: { query } });
    expect({ status, code: body.errors[0].extensions.code }).toEqual({ status: 400, code: 'QUERY_TOO_COMPLEX' });
    expect(body.errors[0].message).toMatch(limit);
  });

  it.each(refused)('is refused by its %s, over a socket', async (limit, query) => {
    const answer = await overSocket(service, query);
    expect(answer.errors[0]).toMatchObject({ extensions: { code: 'QUERY_TOO_COMPLEX' } });
    expect(answer.errors[0].message).toMatch(limit);
  });

  const manyFragments = Array.from({ length: 3_000 }, (_, n) => `fragment f${n} on User { ...f${(n + 1) % 3_000} }`);
  const CHECK = 'query ($data: JSON) { workflowCheck(data: $data) { isValid } }';
  const bombs: [what: string, codes: string[], query: string, variables?: string][] = [
    ['nesting 5,000 deep', ['QUERY_TOO_COMPLEX'], nested(5_000)],
    ['lists nested 50,000 deep', ['QUERY_TOO_COMPLEX'], `{ a(b: ${'['.repeat(50_000)}`],
    [
      '10,000 aliases',
      ['QUERY_TOO_COMPLEX'],
      `{ ${Array.from({ length: 10_000 }, (_, n) => `a${n}: me { id }`).join(' ')} }`,
    ],
    ['10,000 spreads', ['QUERY_TOO_COMPLEX'], `{ ${'...f '.repeat(10_000)} } fragment f on Query { me { id } }`],
    ['a fragment within itself', ['GRAPHQL_VALIDATION_FAILED'], '{ me { ...f } } fragment f on User { id ...f }'],
    [
      'two fragments within each other',
      ['GRAPHQL_VALIDATION_FAILED'],
      '{ me { ...f } } fragment f on User { ...g } fragment g on User { ...f }',
    ],
    [
      '3,000 fragments in a circle',
      ['QUERY_TOO_COMPLEX', 'GRAPHQL_VALIDATION_FAILED'],
      `{ me { ...f0 } } ${manyFragments.join(' ')}`,
    ],
    [
      'a variable nested 100,000 deep',
      ['BAD_USER_INPUT'],
      CHECK,
      `{"data": ${'['.repeat(100_000)}${']'.repeat(100_000)}}`,
    ],
    [
      '100,000 variables',
      ['BAD_USER_INPUT'],
      CHECK,
      `{${Array.from({ length: 100_000 }, (_, n) => `"v${n}":1`).join()},"data":1e999}`,
    ],
    [
      'a variable of 2 MB',
      ['BAD_USER_INPUT'],
      'query ($id: Int!) { project(id: $id) { id } }',
      `{"id": "${'x'.repeat(2_000_000)}"}`,
    ],
  ];

  const rows = bombs.map(bomb => [bomb[0], bomb] as const);
  it.each(rows)('is refused cleanly for %s, over HTTP and over a socket', async (_what, bomb) => {
    const [, codes, query, variables] = bomb;
    const body = `{"query": ${JSON.stringify(query)}, "variables": ${variables ?? '{}'}}`;
    const headers = { 'Content-Type': 'application/json' };
    const overHttp = await service.rest('POST', '/graphql', { body, headers });
    expect({ status: overHttp.status, data: overHttp.body.data ?? null }).toEqual({ status: 400, data: null });
    expect(codes).toContain(overHttp.body.errors[0].extensions.code);
    const reply = await rawOverSocket(service, body);
    // Over a socket, invalid values are an error of the execution.
    expect(['error', 'next']).toContain(reply.type);
    const errors = reply.type === 'error' ? reply.payload : reply.payload.errors;
    expect(codes).toContain(errors[0].extensions.code);
    expect((await service.graphql('{ me { id } }')).data.me.id).toBeGreaterThan(0);
  });

  it('returns no large member under many aliases, over HTTP and over a socket', async () => {
    const created = await service.rest('POST', '/api/v1/prompts/', {
      body: { key: 'large', role: 'user', content: 'x'.repeat(200_000) },
    });
    const prompt = (aliases: number) =>
      `{ ${Array.from({ length: aliases }, (_, n) => `a${n}: prompt(id: ${created.body.id}) { content }`).join(' ')} }`;
    const small = await service.rest('POST', '/graphql', { body: { query: prompt(3) } });
    expect(small.body.data.a2.content).toHaveLength(200_000);
    const large = await service.rest('POST', '/graphql', { body: { query: prompt(99) } });
    const message =
      'The query is too complex: its response has more than 16778240 characters. Select fewer items, large members or aliases.';
    const refusal = { errors: [{ message, extensions: { code: 'QUERY_TOO_COMPLEX' } }] };
    expect(large.body).toEqual(refusal);
    expect(await overSocket(service, prompt(99))).toEqual(refusal);
  });

  it('is refused when its body is too large', async () => {
    const body = `{"query": "{ me { id } }", "variables": {"a": "${'x'.repeat(20 * 1024 * 1024)}"}}`;
    const { status } = await service.rest('POST', '/graphql', {
      body,
      headers: { 'Content-Type': 'application/json' },
    });
    expect(status).toBe(413);
    expect((await rawOverSocket(service, body)).closed).toBe(1009);
  });

  it('is refused in a batch of any size', async () => {
    for (const many of [1, 2, 10_000]) {
      const batch = Array.from({ length: many }, () => ({ query: '{ me { id } }' }));
      const { status, body } = await service.rest('POST', '/graphql', { body: batch });
      expect({ status, code: body.errors[0].extensions.code }).toEqual({ status: 400, code: 'BAD_USER_INPUT' });
      expect((await rawOverSocket(service, JSON.stringify(batch))).closed).toBe(4400);
    }
  });

  it('is refused before the caller is identified', async () => {
    const { body } = await service.rest('POST', '/graphql', { body: { query: heavy }, key: 'nobody' });
    expect(body.errors[0].extensions.code).toBe('QUERY_TOO_COMPLEX');
  });

  it('is not the standard introspection query', async () => {
    const { data } = await service.graphql(getIntrospectionQuery());
    expect(data.__schema.types.length).toBeGreaterThan(100);
  });
});

describe('with GRAPHQL_SAFELIST and GRAPHQL_INTROSPECTION=off', () => {
  const allowed = 'query Me { me { email } }';
  const listed = 'query Types { __schema { types { name } } }';
  let service: TestService;

  beforeAll(async () => {
    const file = path.join(process.env.TEST_DATA_DIR as string, 'safelist.json');
    await writeFile(file, JSON.stringify({ me: allowed, types: listed }));
    service = await startTestService({ role: 'api', graphqlSafelist: file, graphqlIntrospection: false });
  });
  afterAll(() => service?.stop());
  const codeOf = ({ errors }: { errors?: { extensions: Record<string, any> }[] | undefined }) =>
    errors?.[0]?.extensions.code;

  it('executes listed operations, whatever their white space, by text and by hash', async () => {
    expect((await service.graphql(`# hello\n${allowed.replaceAll(' ', '\n')}`)).data.me.email).toContain('@');
    const extensions = {
      persistedQuery: { version: 1, sha256Hash: createHash('sha256').update(allowed).digest('hex') },
    };
    const { body } = await service.rest('POST', '/graphql', { body: { extensions } });
    expect(body.data.me.email).toContain('@');
    expect((await overSocket(service, allowed)).data.me.email).toContain('@');
  });

  it('executes nothing else', async () => {
    const other = '{ me { id } }';
    expect(codeOf(await service.graphql(other))).toBe('FORBIDDEN');
    expect(codeOf(await overSocket(service, other))).toBe('FORBIDDEN');
    const extensions = { persistedQuery: { version: 1, sha256Hash: createHash('sha256').update(other).digest('hex') } };
    const { body } = await service.rest('POST', '/graphql', { body: { query: other, extensions } });
    expect(codeOf(body)).toBe('FORBIDDEN');
  });

  it('never returns the schema', async () => {
    expect(codeOf(await service.graphql(listed))).toBe('GRAPHQL_VALIDATION_FAILED');
    expect(codeOf(await overSocket(service, listed))).toBe('GRAPHQL_VALIDATION_FAILED');
  });

  it.each([
    ['is not there', null],
    ['is not JSON', '{'],
    ['is empty', '{}'],
    ['holds no texts', '{"a": 1}'],
    ['holds no operation', '{"a": "{"}'],
  ])('a start with a file that %s ends with one line', async (_what, content) => {
    const file = path.join(process.env.TEST_DATA_DIR as string, `safelist-${randomUUID()}.json`);
    if (content !== null) await writeFile(file, content);
    await expect(startTestService({ role: 'api', graphqlSafelist: file })).rejects.toThrow(
      /^GRAPHQL_SAFELIST: got .+takes .+$/,
    );
  });
});

/** The response to a payload that no client would send. */
async function rawOverSocket(service: TestService, payload: string): Promise<any> {
  const socket = new WebSocket(`${service.url.replace('http', 'ws')}/graphql`, 'graphql-transport-ws');
  try {
    await once(socket, 'open');
    socket.send(JSON.stringify({ type: 'connection_init', payload: { 'X-Api-Key': ADMIN_KEY } }));
    await once(socket, 'message');
    const answer = Promise.race([
      once(socket, 'message').then(([data]) => JSON.parse(String(data))),
      once(socket, 'close').then(([closed]) => ({ closed })),
    ]);
    socket.send(`{"id": "1", "type": "subscribe", "payload": ${payload}}`);
    return await answer;
  } finally {
    socket.terminate();
  }
}

async function overSocket(service: TestService, query: string): Promise<any> {
  const client = createClient({
    url: `${service.url.replace('http', 'ws')}/graphql`,
    webSocketImpl: WebSocket,
    connectionParams: { 'X-Api-Key': ADMIN_KEY },
    retryAttempts: 0,
  });
  try {
    for await (const value of client.iterate({ query })) return value;
  } catch (errors) {
    return { errors };
  } finally {
    await client.dispose();
  }
}
