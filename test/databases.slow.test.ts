import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ADMIN_KEY, testEnvironment } from './support/config.js';
import { createDatabase } from './support/database.js';
import { eventually } from './support/eventually.js';
import { formOf } from './support/forms.js';
import { hasPgBouncer, type PgBouncer, startPgBouncer } from './support/processes/pgbouncer.js';
import {
  createCluster,
  type PostgresServer,
  postgresTools,
  startPostgres,
} from './support/processes/postgres-server.js';
import { type ServiceProcess, startProcess } from './support/processes/process.js';
import { echoGraph } from './support/run-graphs.js';
import { type StubUpstream, startStubUpstream } from './support/upstreams/stub-upstream.js';

const tools = postgresTools();

let folder: string;
let upstream: StubUpstream;
const running = new Set<ServiceProcess>();
beforeAll(async () => {
  upstream = await startStubUpstream();
  folder = await mkdtemp(path.join(tmpdir(), 'scenarium-databases-'));
  // Started by root, PostgreSQL runs as an unprivileged user, who must reach its folder.
  await chmod(folder, 0o777);
});
afterAll(async () => {
  await Promise.all([...running].map(service => service.end('SIGKILL')));
  await upstream.stop();
  await rm(folder, { recursive: true, force: true });
});

const environment = (url: string) => ({
  ...testEnvironment('unused'),
  DATABASE_URL: url,
  OPENAI_BASE_URL: upstream.url,
  OPENAI_API_KEY: 'k',
});

async function start(url: string, more: Record<string, string> = {}): Promise<ServiceProcess> {
  const service = await startProcess({ ...environment(url), ...more });
  running.add(service);
  return service;
}

/** Tries an API process and a worker: a run that the other process executes, a document that is read, and a list. */
async function expectServiceWorks(url: string): Promise<void> {
  const api = await start(url, { ROLE: 'api' });
  const worker = await start(url, { ROLE: 'worker' });
  const call = async (method: string, where: string, body?: object) => {
    const isForm = body instanceof FormData;
    const answer = await fetch(`${api.url}${where}`, {
      method,
      headers: { 'X-Api-Key': ADMIN_KEY, ...(body && !isForm ? { 'Content-Type': 'application/json' } : {}) },
      body: isForm ? body : JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(`${method} ${where}: ${answer.status} ${await answer.text()}`);
    return (await answer.json()) as any;
  };
  const project = (await call('POST', '/api/v1/projects/', { name: 'Elsewhere' })).id;
  const workflow = await call('POST', '/api/v1/workflows/', { project, title: 'Echo', data: echoGraph('gpt-4o-mini') });
  const { data: run } = await call('POST', `/api/v1/workflows/${workflow.id}/run/`, { topic: 'cats' });
  const result = await eventually(
    async () => (await call('GET', `/api/v1/workflows/workflow_result/?id=${run.id}`)).data,
    ({ status }) => status === 'succeed' || status === 'failed',
  );
  expect(result).toMatchObject({ status: 'succeed', output: 'stub answer' });
  const form = formOf({ project: String(project) }, { file1: ['a.txt', 'Refunds are paid at once.'] });
  const [document] = await call('POST', '/api/v1/documents/', form);
  const { id } = await call('POST', '/api/v1/recognitionruns/', { project, document: document.id, chunk_size: 50 });
  const read = await eventually(
    () => call('GET', `/api/v1/recognitionruns/${id}/`),
    ({ status }) => status === 'finished' || status === 'error',
  );
  expect(read).toMatchObject({ status: 'finished', chunks_count: 1 });
  expect((await call('GET', `/api/v1/workflows/${workflow.id}/history/`)).total).toBe(1);
  for (const service of [worker, api]) expect(await service.end()).toEqual({ code: 0, signal: null });
}

/** Needs Debian's package `pgbouncer`; without it these tests are skipped. */
const describeWithPgBouncer = hasPgBouncer ? describe : describe.skip;
describeWithPgBouncer('behind PgBouncer', () => {
  let pooler: PgBouncer;
  const startPooler = async (mode: 'session' | 'transaction') => {
    pooler = await startPgBouncer(process.env.TEST_POSTGRES_URL as string, mode);
  };

  it('works in session mode, without ignore_startup_parameters', async () => {
    await startPooler('session');
    try {
      await expectServiceWorks(pooler.url(await createDatabase()));
    } finally {
      await pooler.stop();
    }
  });

  it('refuses transaction mode at start, in one sentence', async () => {
    await startPooler('transaction');
    try {
      const service = await startProcess(environment(pooler.url(await createDatabase())), { ready: false });
      expect((await service.exited).code).toBe(1);
      const printed = service.output().split('\n');
      expect(printed.filter(line => line !== '' && !line.startsWith('{'))).toEqual([
        'DATABASE_URL: points to a connection pooler in transaction or statement mode, but the service needs sessions. ' +
          'Set pool_mode=session for this database (PgBouncer), or use the URL of PostgreSQL itself.',
      ]);
    } finally {
      await pooler.stop();
    }
  });
});

/** Needs Debian's package `postgresql`; without it this test is skipped. */
const describeWithPostgres = tools === undefined ? describe.skip : describe;
describeWithPostgres('on another PostgreSQL', () => {
  let server: PostgresServer;
  beforeAll(async () => {
    await createCluster(tools as string, path.join(folder, 'cluster'));
    server = await startPostgres(tools as string, path.join(folder, 'cluster'));
  });
  afterAll(() => server?.kill());

  it('works as a role that owns its database and is not a superuser', async () => {
    await server.sql(`create role scenarium login nosuperuser nocreatedb nocreaterole`);
    await server.sql('create database scenarium owner scenarium');
    const url = new URL(server.url);
    url.username = 'scenarium';
    url.pathname = '/scenarium';
    await expectServiceWorks(url.href);
  });
});
