import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { WebSocket } from 'ws';
import { ADMIN_KEY, databaseUrl, testEnvironment } from '../support/config.js';
import { eventually } from '../support/eventually.js';
import { startProcess } from '../support/processes/process.js';
import { startTcpProxy } from '../support/processes/tcp-proxy.js';
import { createWorkflow, echoGraph } from '../support/run-graphs.js';
import { createDatabase, startTestService } from '../support/service.js';
import { type StubUpstream, startStubUpstream } from '../support/upstreams/stub-upstream.js';

describe('start-up', () => {
  it('reports every fault of the environment in one line each, and exits with 1', async () => {
    const service = await startProcess({ PORT: 'abc', ROLE: 'cook', ENCRYPTION_KEY: 'short' }, { ready: false });
    expect((await service.exited).code).toBe(1);
    expect(service.output().trim().split('\n').sort()).toEqual([
      'ENCRYPTION_KEY: got 5 characters, expected at least 32 characters',
      'PORT: got "abc", expected a port, 0-65535 (0 selects a free port)',
      'ROLE: got "cook", expected one of all, api, worker',
    ]);
  });

  it('initializes an empty database when several processes start at once', async () => {
    const name = `empty_${Date.now()}`;
    const client = new pg.Client({ connectionString: process.env.TEST_POSTGRES_URL as string });
    await client.connect();
    await client.query(`create database ${name}`);
    await client.end();
    const processes = await Promise.all(
      ['api', 'worker', 'all'].map(ROLE => startProcess({ ...testEnvironment(name), ROLE })),
    );
    const apis = processes.filter(each => each.url !== '');
    expect(apis).toHaveLength(2);
    for (const { url } of apis) {
      const answer = await fetch(`${url}/api/v1/projects/`, { headers: { 'X-Api-Key': ADMIN_KEY } });
      expect(answer.status).toBe(200);
    }
    const ends = await Promise.all(processes.map(each => each.end()));
    expect(ends).toEqual(ends.map(() => ({ code: 0, signal: null })));
  });
});

describe('an embedded database', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'scenarium-embedded-'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it('keeps stored data over a restart, and refuses a second process by name', async () => {
    const environment = { PORT: '0', DATA_DIR: path.join(folder, 'data'), ADMIN_API_KEY: ADMIN_KEY };
    const headers = { 'X-Api-Key': ADMIN_KEY, 'Content-Type': 'application/json' };
    const first = await startProcess(environment);
    expect(first.output()).toContain('password (shown once)');
    await fetch(`${first.url}/api/v1/projects/`, { method: 'POST', headers, body: '{"name":"Kept"}' });

    const second = await startProcess(environment, { ready: false });
    expect((await second.exited).code).toBe(1);
    expect(second.output()).toContain('is in use by another Scenarium process');
    // The first process continues undisturbed.
    expect((await fetch(`${first.url}/readyz`)).status).toBe(200);
    expect(await first.end()).toEqual({ code: 0, signal: null });

    const third = await startProcess(environment);
    expect(third.output()).not.toContain('shown once');
    const list = await (await fetch(`${third.url}/api/v1/projects/`, { headers })).json();
    expect(list).toMatchObject({ total: 1, items: [{ name: 'Kept' }] });
    // A killed process leaves its database running, and the next one adopts it.
    await third.end('SIGKILL');
    const fourth = await startProcess(environment);
    expect((await fetch(`${fourth.url}/readyz`)).status).toBe(200);
    expect(await fourth.end()).toEqual({ code: 0, signal: null });
  });
});

/** The status with which a socket was refused. */
const refusalOf = (socket: WebSocket) =>
  new Promise(resolve => socket.on('unexpected-response', (_request, response) => resolve(response.statusCode)));

describe('SIGTERM', () => {
  let upstream: StubUpstream;
  beforeAll(async () => {
    upstream = await startStubUpstream();
  });
  afterAll(() => upstream.stop());

  it('ends a process that still waits for its database', async () => {
    const database = await startTcpProxy({ host: '127.0.0.1', port: 1 });
    const free = await startTcpProxy({ host: '127.0.0.1', port: 1 });
    await Promise.all([database.cut(), free.cut()]);
    const service = await startProcess(
      { ...testEnvironment('any'), PORT: `${free.port}`, DATABASE_URL: `postgresql://x@127.0.0.1:${database.port}/x` },
      { ready: false },
    );
    const health = () =>
      fetch(`http://127.0.0.1:${free.port}/healthz`).then(
        ({ status }) => status,
        () => 0,
      );
    await eventually(health, status => status === 200);
    expect(await service.end('SIGTERM')).toEqual({ code: 0, signal: null });
  });

  it('lets a run in progress finish, and reports that to probes meanwhile', async () => {
    const database = await createDatabase();
    const api = await startTestService({ role: 'api', openai: { baseUrl: upstream.url, apiKey: 'k' } }, database);
    const workflow = await createWorkflow(api, echoGraph('gpt-4o-mini'));
    const service = await startProcess({ ...testEnvironment(database), OPENAI_BASE_URL: upstream.url });
    const held = upstream.hold();
    const { body } = await api.rest('POST', `/api/v1/workflows/${workflow}/run/`, { body: { topic: 'cats' } });
    await held.arrived;

    const open = new WebSocket(`${service.url.replace('http', 'ws')}/graphql`, 'graphql-transport-ws');
    await once(open, 'open');
    const closed = once(open, 'close').then(([code]) => code);

    const ended = service.end('SIGTERM');
    await eventually(
      () => fetch(`${service.url}/readyz`).then(answer => answer.status),
      status => status === 503,
    );
    const late = await fetch(`${service.url}/api/v1/projects/`, { headers: { 'X-Api-Key': ADMIN_KEY } });
    expect([late.status, late.headers.get('retry-after'), late.headers.get('connection')]).toEqual([503, '1', 'close']);
    expect(await late.json()).toEqual({ detail: 'The service is draining.', code: 'unavailable' });
    expect(await closed).toBe(1001);
    expect((await fetch(`${service.url}/healthz`)).status).toBe(200);
    const socket = new WebSocket(`${service.url.replace('http', 'ws')}/graphql`, 'graphql-transport-ws');
    expect(await refusalOf(socket)).toBe(503);
    held.release();
    expect(await ended).toEqual({ code: 0, signal: null });
    const result = await api.rest('GET', `/api/v1/workflows/workflow_result/?id=${body.data.id}`);
    expect(result.body.data).toMatchObject({ status: 'succeed', output: 'stub answer' });
    expect(upstream.requests).toHaveLength(1);
    await api.stop();
  });
});

it('hands a run back that does not finish in time, and another worker ends it', async () => {
  const upstream = await startStubUpstream();
  const database = await createDatabase();
  const openai = { baseUrl: upstream.url, apiKey: 'k' };
  const first = await startTestService({ openai, shutdownGraceMs: 50 }, database);
  const workflow = await createWorkflow(first, echoGraph('gpt-4o-mini'));
  const held = upstream.hold();
  const { body } = await first.rest('POST', `/api/v1/workflows/${workflow}/run/`, { body: { topic: 'cats' } });
  await held.arrived;
  await first.stop();
  held.release();

  const second = await startTestService({ openai }, database);
  const read = async () =>
    (await second.rest('GET', `/api/v1/workflows/workflow_result/?id=${body.data.id}`)).body.data;
  expect(await eventually(read, ({ status }) => status === 'succeed')).toMatchObject({ output: 'stub answer' });
  expect(upstream.requests).toHaveLength(2);
  const [run] = await second.sql('select attempts from workflow_run where id = $1', [body.data.id]);
  expect(run?.attempts).toBe(1);
  await second.stop();
  await upstream.stop();
});

it('stops completely while its database is unreachable, and loses neither a run nor a charge', async () => {
  const upstream = await startStubUpstream();
  const database = await createDatabase();
  const openai = { baseUrl: upstream.url, apiKey: 'k' };
  const url = new URL(databaseUrl(database));
  const proxy = await startTcpProxy({ host: url.hostname, port: Number(url.port) });
  url.port = String(proxy.port);
  const first = await startTestService({ openai, shutdownGraceMs: 50, databaseUrl: url.href }, database);
  const workflow = await createWorkflow(first, echoGraph('gpt-4o-mini'));
  const complete = () =>
    first.rest('POST', '/v1/chat/completions', {
      key: null,
      headers: { Authorization: `Bearer ${ADMIN_KEY}` },
      body: { model: 'openai/gpt-4o-mini', messages: [{ role: 'user', content: 'Hi' }] },
    });
  // Its sign-in is remembered.
  expect((await complete()).status).toBe(200);
  const held = upstream.hold();
  const { body } = await first.rest('POST', `/api/v1/workflows/${workflow}/run/`, { body: { topic: 'cats' } });
  await held.arrived;
  const charged = complete();
  await eventually(
    async () => upstream.requests.length,
    count => count === 3,
  );
  await proxy.cut();
  await first.stop();
  expect(await charged).toMatchObject({
    status: 503,
    body: { error: { message: 'The service is shutting down.', code: 'unavailable' } },
  });
  held.release();

  const second = await startTestService({ openai }, database);
  const read = async () =>
    (await second.rest('GET', `/api/v1/workflows/workflow_result/?id=${body.data.id}`)).body.data;
  expect(await eventually(read, ({ status }) => status === 'succeed')).toMatchObject({ output: 'stub answer' });
  await eventually(
    () => second.sql("select id from billing_transaction where operation = 'chat-completion'"),
    charges => charges.length === 1,
  );
  await second.stop();
  await upstream.stop();
});

it('serves probes and pages without a key, and nothing else', async () => {
  const service = await startTestService();
  const status = async (where: string) => (await fetch(`${service.url}${where}`, { redirect: 'manual' })).status;
  expect(await status('/healthz')).toBe(200);
  expect(await status('/readyz')).toBe(200);
  expect(await status('/openapi.json')).toBe(200);
  expect(await status('/api/v1/projects/')).toBe(401);
  expect(await status('/nowhere')).toBe(404);
  await service.stop();
});

it('answers with the request id of the caller, or one of its own', async () => {
  const service = await startTestService();
  const sent = await service.rest('GET', '/api/v1/projects/', { headers: { 'X-Request-Id': 'abc-123' } });
  expect(sent.headers.get('x-request-id')).toBe('abc-123');
  const own = await service.rest('GET', '/api/v1/projects/', { headers: { 'X-Request-Id': 'no good\ttext' } });
  expect(own.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
  await service.stop();
});
