import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { createClient } from 'graphql-ws';
import { WebSocket } from 'ws';
import { ADMIN_KEY } from '../support/config.js';
import { eventually } from '../support/eventually.js';
import { createWorkflow, echoGraph } from '../support/run-graphs.js';
import { startTestService, type TestService } from '../support/service.js';
import { type StubUpstream, startStubUpstream } from '../support/upstreams/stub-upstream.js';

const PROJECTS = '/api/v1/projects/';
const SET =
  'mutation ($isOn: Boolean!, $message: String) { maintenanceSet(isOn: $isOn, message: $message) { maintenance { isOn message since } } }';
const READ = '{ maintenance { isOn message since } }';

let upstream: StubUpstream;
let service: TestService;
/** Another process of the same service, from the viewpoint of the database. */
let other: TestService;

beforeAll(async () => {
  upstream = await startStubUpstream();
  service = await startTestService({ openai: { baseUrl: upstream.url, apiKey: 'k' } });
  other = await startTestService({ role: 'api', rateLimitPerMinute: 60 }, service.database);
});
afterAll(async () => {
  await other?.stop();
  await service?.stop();
  await upstream?.stop();
});
afterEach(async () => {
  await turn(false);
});

const statusOf = async (target: TestService) => (await target.rest('GET', PROJECTS)).status;

/** Resolves when both processes know the change. */
async function turn(isOn: boolean, message?: string | null) {
  const { data } = await service.graphql(SET, { isOn, ...(message === undefined ? {} : { message }) });
  for (const each of [service, other])
    await eventually(
      () => statusOf(each),
      status => status === (isOn ? 503 : 200),
    );
  return data.maintenanceSet.maintenance;
}

describe('during maintenance', () => {
  it('every process answers REST with 503 and the message', async () => {
    expect(await turn(true, 'Back at noon.')).toEqual({
      isOn: true,
      message: 'Back at noon.',
      since: expect.any(String),
    });
    for (const each of [service, other]) {
      const { status, headers, body } = await each.rest('GET', PROJECTS);
      expect([status, body]).toEqual([503, { detail: 'Back at noon.', code: 'unavailable' }]);
      expect(headers.get('retry-after')).toBe('30');
      expect(headers.get('ratelimit')).toBeNull();
    }
    await turn(false);
    expect((await other.rest('GET', PROJECTS)).status).toBe(200);
  });

  it('GraphQL is UNAVAILABLE with the same status, except the switch', async () => {
    await turn(true);
    const { status, headers, body } = await other.rest('POST', '/graphql', {
      body: { query: '{ projects { total } }' },
    });
    expect([status, headers.get('retry-after')]).toEqual([503, '30']);
    expect(body.errors[0]).toMatchObject({
      message: 'The service is closed for maintenance.',
      extensions: { code: 'UNAVAILABLE', retryAfter: 30 },
    });
    expect((await other.graphql(READ)).data.maintenance.isOn).toBe(true);
    const both = await other.graphql('{ maintenance { isOn } projects { total } }');
    expect(both.errors?.[0]?.extensions.code).toBe('UNAVAILABLE');
    const hidden = await other.graphql(
      'query { ...F maintenance { isOn } } fragment F on Query { projects { total } }',
    );
    expect(hidden.errors?.[0]?.extensions.code).toBe('UNAVAILABLE');
  });

  it('probes and pages work as usual', async () => {
    await turn(true);
    for (const path of ['/healthz', '/readyz', '/openapi.json', '/docs']) {
      const response = await fetch(`${service.url}${path}`);
      await response.arrayBuffer();
      expect([path, response.status]).toEqual([path, 200]);
    }
  });

  it('open sockets start nothing new', async () => {
    const client = createClient({
      url: `${service.url.replace('http', 'ws')}/graphql`,
      webSocketImpl: WebSocket,
      connectionParams: { 'X-Api-Key': ADMIN_KEY },
      lazy: false,
      retryAttempts: 0,
    });
    const { value } = await client.iterate({ query: '{ projects { total } }' }).next();
    expect(value.errors).toBeUndefined();
    await turn(true);
    await expect(client.iterate({ query: '{ projects { total } }' }).next()).rejects.toMatchObject([
      { extensions: { code: 'UNAVAILABLE' } },
    ]);
    await client.dispose();
  });

  it('workers continue', async () => {
    const workflow = await createWorkflow(service, echoGraph('gpt-4o-mini'));
    const held = upstream.hold();
    const { body } = await service.rest('POST', `/api/v1/workflows/${workflow}/run/`, { body: { topic: 'cats' } });
    await held.arrived;
    await turn(true);
    held.release();
    const state = () => service.sql('select state from workflow_run where id = $1', [body.data.id]);
    await eventually(state, ([run]) => run?.state === 'succeeded');
    expect(await statusOf(service)).toBe(503);
  });

  it('a process that starts reads the switch', async () => {
    await turn(true, 'Planned work.');
    const late = await startTestService({ role: 'api' }, service.database);
    expect((await late.rest('GET', PROJECTS)).body).toEqual({ detail: 'Planned work.', code: 'unavailable' });
    await late.stop();
  });
});

describe('the switch', () => {
  it('is read and changed by administrators only', async () => {
    const { key } = await service.createUser('somebody');
    for (const query of [READ, 'mutation { maintenanceSet(isOn: true) { maintenance { isOn } } }']) {
      expect((await service.graphql(query, {}, key)).errors?.[0]?.extensions.code).toBe('FORBIDDEN');
      expect((await service.graphql(query, {}, null)).errors?.[0]?.extensions.code).toBe('UNAUTHENTICATED');
    }
    expect(await statusOf(service)).toBe(200);
  });

  it('treats null and blanks as no message, and keeps the time since when it is on', async () => {
    const first = await turn(true);
    expect(first.message).toBe('');
    expect((await turn(true, null)).message).toBe('');
    const again = await turn(true, '  Soon.  ');
    expect(again).toEqual({ isOn: true, message: 'Soon.', since: first.since });
    expect(await turn(false, 'ignored')).toEqual({ isOn: false, message: '', since: null });
  });

  it.each([
    ['of more than 500 characters', 'x'.repeat(501)],
    ['with a null character', 'nul \u0000'],
  ])('refuses a message %s', async (_what, message) => {
    const { errors } = await service.graphql(SET, { isOn: true, message });
    expect(errors?.[0]?.extensions.code).toBe('BAD_USER_INPUT');
    expect(await statusOf(service)).toBe(200);
  });

  it('changed by many at once ends in one state that all processes share', async () => {
    await Promise.all(Array.from({ length: 20 }, (_, index) => service.graphql(SET, { isOn: index % 2 === 0 })));
    const [stored] = await service.sql<{ on: boolean }>(
      `select (value->>'isOn')::boolean as on from service_setting where name = 'maintenance'`,
    );
    for (const each of [service, other])
      await eventually(
        () => statusOf(each),
        status => status === (stored?.on ? 503 : 200),
      );
  });
});
