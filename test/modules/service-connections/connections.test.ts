import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { MIN_MASKED_BY_VALUE } from '../../../src/engine/secrets.js';
import { awaitFinish } from '../../rest/workflows/finished-run.js';
import { type EchoUpstream, startEchoUpstream } from '../../security/canaries/echo-upstream.js';
import { chain, edge, type GraphData, graph, http, node, output, trigger } from '../../support/graphs.js';
import { startTestService, type TestService } from '../../support/service.js';
import { whileDeleting } from '../../support/transactions/held-transaction.js';

const SECRET = 'a-secret-of-the-connection';
let service: TestService;
let upstream: EchoUpstream;
let project: number;

beforeAll(async () => {
  upstream = await startEchoUpstream();
  service = await startTestService({ outboundAllow: ['127.0.0.1'] });
  project = (await service.rest('POST', '/api/v1/projects/', { body: { name: 'Connected' } })).body.id;
});
afterAll(async () => {
  await service?.stop();
  await upstream?.stop();
});

let count = 0;
function create(body: object) {
  count += 1;
  return service.rest('POST', '/api/v1/connections/', { body: { project, name: `Name ${count}`, ...body } });
}

const bearer = (settings: object = {}, more: object = {}) =>
  create({ kind: 'bearer', secret: SECRET, settings: { base_url: `${upstream.origin}/v1`, ...settings }, ...more });

const save = (...nodes: Parameters<typeof chain>) => saveGraph(chain(...nodes));

async function saveGraph(data: GraphData): Promise<number> {
  return (await service.rest('POST', '/api/v1/workflows/', { body: { project, title: 'W', data } })).body.id;
}

async function runOf(...nodes: Parameters<typeof chain>) {
  const workflow = await save(trigger(), ...nodes, output());
  const started = await service.rest('POST', `/api/v1/workflows/${workflow}/run/`, { body: {} });
  expect(started.body.status ?? started.status).toBe(201);
  return { workflow, ...(await awaitFinish(service, started.body.data.id)) };
}

const lastReceived = () => JSON.parse(upstream.received.at(-1) ?? '{}');

async function storedTexts(): Promise<string> {
  const tables = ['connection', 'workflow_run_payload', 'workflow_run_journal', 'audit_entry', 'workflow_revision'];
  const contents = tables.map(table => service.sql(`select json_agg(t)::text as content from ${table} t`));
  return JSON.stringify(await Promise.all(contents));
}

describe('connections over REST', () => {
  it('are listed by name, without their secrets', async () => {
    const later = await bearer({}, { name: 'Beta' });
    const made = await create({ name: 'Alpha', preset: 'github_token', secret: SECRET });
    expect(made.body).toMatchObject({
      ...{ project, kind: 'bearer', preset: 'github_token', allowed_hosts: ['api.github.com'], has_secret: true },
      settings: { base_url: 'https://api.github.com', test_path: '/user', username: null },
    });
    const { body } = await service.rest('GET', `/api/v1/projects/${project}/connections/`);
    expect(body.items).toEqual([made.body, later.body]);
    expect(JSON.stringify(body)).not.toContain(SECRET);
    expect(await storedTexts()).not.toContain(SECRET);
    const log = await service.graphql(`{ auditLog(projectId: ${project}) { items { action } } }`);
    expect(log.data.auditLog.items[0].action).toBe('connection.create');
  });

  it('refuse invalid contents and name the members', async () => {
    const faultsOf = async (body: object) => {
      const answer = await create(body);
      return [answer.status, Object.keys(answer.body)];
    };
    const hosts = { allowed_hosts: ['a.example.com'] };
    expect(await faultsOf({ secret: SECRET })).toEqual([400, ['kind']]);
    expect(await faultsOf({ preset: 'none', secret: SECRET })).toEqual([400, ['preset']]);
    expect(await faultsOf({ preset: 'github_token', kind: 'basic', secret: SECRET })).toEqual([400, ['kind']]);
    expect(await faultsOf({ kind: 'bearer', ...hosts })).toEqual([400, ['secret']]);
    const short = SECRET.slice(0, MIN_MASKED_BY_VALUE - 1);
    expect(await faultsOf({ kind: 'bearer', secret: short, ...hosts })).toEqual([400, ['secret']]);
    expect(await faultsOf({ kind: 'bearer', secret: SECRET })).toEqual([400, ['allowed_hosts']]);
    expect(await faultsOf({ kind: 'bearer', secret: SECRET, allowed_hosts: ['https://a'] })).toEqual([
      400,
      ['allowed_hosts'],
    ]);
    expect(await faultsOf({ kind: 'api_key', secret: SECRET, ...hosts })).toEqual([400, ['settings.key_name']]);
    const injected = { key_name: 'X\r\nY' };
    expect(await faultsOf({ kind: 'api_key', secret: SECRET, settings: injected, ...hosts })).toEqual([
      400,
      ['settings.key_name'],
    ]);
    expect(await faultsOf({ kind: 'bearer', secret: SECRET, settings: { username: 'x' }, ...hosts })).toEqual([
      400,
      ['settings.username'],
    ]);
    expect(await faultsOf({ kind: 'smtp', settings: { host: 'a b' } })).toEqual([400, ['settings.host']]);
    const named = { name: 'Same name', kind: 'bearer', secret: SECRET, ...hosts };
    expect([(await create(named)).status, (await create(named)).status]).toEqual([201, 409]);
  });

  it('ask for the secret again before it is sent to another server', async () => {
    const { id } = (await bearer()).body;
    const change = (body: object) => service.rest('PATCH', `/api/v1/connections/${id}/`, { body });
    expect((await change({ name: 'Renamed', secret: '********' })).body).toMatchObject({ name: 'Renamed' });
    const wider = { allowed_hosts: ['127.0.0.1', 'evil.example.com'] };
    expect(await change(wider)).toMatchObject({ status: 400, body: { secret: [expect.stringContaining('again')] } });
    expect((await change({ ...wider, secret: 'another-secret' })).status).toBe(200);
    const mail = (await create({ kind: 'smtp', secret: SECRET, settings: { host: 'a.example.com' } })).body.id;
    const moved = { settings: { host: 'b.example.com' } };
    expect((await service.rest('PATCH', `/api/v1/connections/${mail}/`, { body: moved })).status).toBe(400);
  });

  it('have presets for at least thirty services, which are valid', async () => {
    const { body } = await service.rest('GET', '/api/v1/connection-presets/');
    expect(body.length).toBeGreaterThanOrEqual(30);
    expect(new Set(body.map((one: { name: string }) => one.name)).size).toBe(body.length);
    // `missing` are the settings that a preset leaves to the user, by their GraphQL names.
    const restNameOf = (member: string) => member.replace(/[A-Z]/g, each => `_${each.toLowerCase()}`);
    const sampleOf = (member: string) => (/url/i.test(member) ? 'https://a.example.com/v1' : 'ada');
    for (const { name, missing } of body as { name: string; missing: string[] }[]) {
      const settings = Object.fromEntries(missing.map(member => [restNameOf(member), sampleOf(member)]));
      const made = await create({ name, preset: name, secret: SECRET, settings });
      expect([name, made.status, made.status === 201 ? {} : made.body]).toEqual([name, 201, {}]);
      await service.rest('DELETE', `/api/v1/connections/${made.body.id}/`);
    }
  });

  it('have presets with the header of the service, and no test path where a request needs a further header', async () => {
    const { body } = await service.rest('GET', '/api/v1/connection-presets/');
    const presetOf = (name: string) => body.find((one: { name: string }) => one.name === name);
    expect(presetOf('supabase')).toMatchObject({ kind: 'api_key', settings: { key_name: 'apikey' } });
    expect(presetOf('anthropic')).toMatchObject({ settings: { key_name: 'x-api-key', test_path: null } });
  });
});

describe('a node with a connection', () => {
  it('sends its credentials, and neither the run nor the journal has them', async () => {
    const { id } = (await bearer()).body;
    const run = await runOf(http('/orders?a=1', { id: 'h', connection_id: id, params: { b: '2' } }));
    expect(lastReceived()).toMatchObject({
      url: '/v1/orders?a=1&b=2',
      headers: { authorization: `Bearer ${SECRET}` },
    });
    expect(run.output).toContain('********');
    expect(JSON.stringify(run)).not.toContain(SECRET);
    expect(await storedTexts()).not.toContain(SECRET);
    const uses = await service.rest('GET', `/api/v1/connections/${id}/uses/`);
    expect(uses.body).toMatchObject({ total: 1, items: [{ workflow: run.workflow, run: run.id }] });
  });

  it('uses API keys in headers and parameters, and basic authentication', async () => {
    const settings = { base_url: upstream.origin, key_name: 'X-Key', key_prefix: 'Token ' };
    const key = (await create({ kind: 'api_key', secret: SECRET, settings })).body.id;
    await runOf(http('/a', { connection_id: key, headers: { 'x-key': 'own' } }));
    expect(lastReceived().headers['x-key']).toBe(`Token ${SECRET}`);

    const query = { base_url: upstream.origin, key_name: 'key', placement: 'query' };
    const inQuery = (await create({ kind: 'api_key', secret: SECRET, settings: query })).body.id;
    const run = await runOf(http('/a?key=own', { connection_id: inQuery }));
    expect(lastReceived().url).toBe(`/a?key=${SECRET}`);
    expect(run.output).not.toContain(SECRET);

    const user = { base_url: upstream.origin, username: 'ada' };
    const basic = (await create({ kind: 'basic', secret: SECRET, settings: user })).body.id;
    await runOf(
      node('graphql-node', {
        url: '/graphql',
        query: '{ a }',
        connection_id: basic,
        on_error: 'default',
        default_value: 'x',
      }),
    );
    expect(lastReceived().headers.authorization).toBe(`Basic ${Buffer.from(`ada:${SECRET}`).toString('base64')}`);
  });

  it('uses a rotated secret at its next request', async () => {
    const { id } = (await bearer()).body;
    const rotated = await service.rest('POST', `/api/v1/connections/${id}/rotate/`, {
      body: { secret: 'rotated-secret' },
    });
    expect(rotated.status).toBe(200);
    await runOf(http('/a', { connection_id: id }));
    expect(lastReceived().headers.authorization).toBe('Bearer rotated-secret');
  });

  it('fails without a request if the host is not allowed', async () => {
    const { id } = (await bearer({}, { allowed_hosts: ['api.example.com'] })).body;
    const before = upstream.received.length;
    const run = await runOf(http(`${upstream.origin}/a`, { connection_id: id }));
    expect(run.error).toMatchObject({ code: 'host_not_allowed', message: expect.stringContaining('api.example.com') });
    expect(upstream.received.length).toBe(before);
  });

  it('is refused if the connection is missing, of another project or of another kind', async () => {
    const other = (await service.rest('POST', '/api/v1/projects/', { body: { name: 'Other' } })).body.id;
    const foreign = (await create({ project: other, preset: 'github_token', secret: SECRET })).body.id;
    const mail = (await create({ name: 'Mail', kind: 'smtp', settings: { host: 'a.example.com' } })).body.id;
    const messageOf = async (connection: number) => {
      const workflow = await save(trigger(), http('/a', { id: 'h', connection_id: connection }), output());
      const check = await service.rest('GET', `/api/v1/workflows/${workflow}/check_workflow/`);
      const started = await service.rest('POST', `/api/v1/workflows/${workflow}/run/`, { body: {} });
      expect([check.body.is_valid, started.body.status]).toEqual([false, 422]);
      return check.body.issues[0].message;
    };
    expect(await messageOf(foreign)).toContain(`the project has no connection ${foreign}`);
    expect(await messageOf(2_000_000_000)).toContain('the project has no connection');
    expect(await messageOf(mail)).toContain('the connection "Mail" is of the kind smtp');
  });

  it('may have a path as its URL, which is refused without a connection', async () => {
    const workflow = await save(trigger(), http('/a', { id: 'h' }), output());
    const check = await service.rest('GET', `/api/v1/workflows/${workflow}/check_workflow/`);
    expect(check.body.issues[0]).toMatchObject({ path: 'url', message: 'must be an http or https address' });
  });

  it('fails in the run after its connection was deleted', async () => {
    const { id } = (await bearer()).body;
    const [start, wait, call, end] = [
      trigger(),
      node('wait-node', { event: 'deleted' }),
      http('/a', { connection_id: id }),
      output(),
    ];
    const edges = [edge(start, wait), edge(wait, call, 'received'), edge(call, end)];
    const workflow = await saveGraph(graph([start, wait, call, end], edges));
    const started = await service.rest('POST', `/api/v1/workflows/${workflow}/run/`, { body: {} });
    const deleted = await service.rest('DELETE', `/api/v1/connections/${id}/`);
    const path = `/api/v1/projects/${project}/workflow-events/`;
    const sent = await service.rest('POST', path, { body: { name: 'deleted' } });
    expect([deleted.status, sent.status]).toEqual([204, 201]);
    const run = await awaitFinish(service, started.body.data.id);
    expect(run.error).toMatchObject({ code: 'unknown_connection' });
  });
});

describe('the test of a connection', () => {
  const test = (id: number) => service.rest('POST', `/api/v1/connections/${id}/test/`);

  it('reports what the server answered', async () => {
    const { id } = (await bearer({ test_path: '/me' })).body;
    expect((await test(id)).body).toEqual({ is_accepted: true, message: 'The server answered with status 200.' });
    expect(lastReceived()).toMatchObject({ url: '/v1/me', headers: { authorization: `Bearer ${SECRET}` } });
    const refused = (await bearer({ base_url: upstream.origin, test_path: '/refuse' })).body.id;
    expect((await test(refused)).body).toMatchObject({ is_accepted: false });
    const elsewhere = (await bearer({ base_url: 'http://10.0.0.1/' })).body.id;
    expect((await test(elsewhere)).body).toMatchObject({ is_accepted: false });
  });

  it('succeeds if the connection is deleted at the same time', async () => {
    const { id } = (await bearer()).body;
    const tested = await whileDeleting(service, { table: 'connection', id }, () => test(id));
    expect(tested.status).toBe(200);
  });
});
