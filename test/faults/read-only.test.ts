import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { databaseUrl } from '../support/config.js';
import { eventually } from '../support/eventually.js';
import { createWorkflow, pureGraph } from '../support/run-graphs.js';
import { createDatabase, type RestAnswer, startTestService, type TestService } from '../support/service.js';
import { type StubUpstream, startStubUpstream } from '../support/upstreams/stub-upstream.js';

let database: string;
let upstream: StubUpstream;
let service: TestService;
let workflow: number;
let server: pg.Client;
beforeAll(async () => {
  database = await createDatabase();
  upstream = await startStubUpstream();
  service = await startTestService({ openai: { baseUrl: upstream.url, apiKey: 'k' } }, database);
  workflow = await createWorkflow(service, pureGraph());
  server = new pg.Client({ connectionString: process.env.TEST_POSTGRES_URL as string });
  await server.connect();
});
afterAll(async () => {
  await service?.stop();
  await server?.end();
  await upstream?.stop();
});
afterEach(async () => {
  await server.query(`alter database ${database} reset all`);
  await endSessions();
});

/** Ends all sessions of the database, because open ones would keep their old settings. Resolves when they have ended. */
const endSessions = () =>
  server.query(
    `select pg_terminate_backend(pid, 120000) from pg_stat_activity where datname = $1 and pid <> pg_backend_pid()`,
    [database],
  );

async function changeSetting(setting: string): Promise<void> {
  await server.query(`alter database ${database} set ${setting}`);
  await endSessions();
}

const run = () => service.rest('POST', `/api/v1/workflows/${workflow}/run/`, { body: { topic: 'cats' } });
const probe = async (path: string) => {
  const response = await fetch(`${service.url}${path}`);
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
};

function expectUnavailable(answer: RestAnswer): void {
  expect([answer.status, answer.body.code]).toEqual([503, 'unavailable']);
  expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
}

async function expectRecovery(): Promise<void> {
  await eventually(run, ({ status }) => status === 200);
  await eventually(
    () => probe('/readyz'),
    ({ status }) => status === 200,
  );
}

describe('a read-only database', () => {
  it('answers 503 with Retry-After to writes, is not ready meanwhile, and recovers afterwards', async () => {
    await changeSetting('default_transaction_read_only = on');
    await eventually(
      () => probe('/readyz'),
      ({ body }) => body.database === 'read-only',
    );
    expectUnavailable(await run());
    expectUnavailable(await service.rest('POST', '/api/v1/projects/', { body: { name: 'refused' } }));
    const { errors } = await service.graphql(
      'mutation { projectCreate(input: { name: "refused" }) { project { id } } }',
    );
    expect(errors?.[0]?.extensions.code).toBe('UNAVAILABLE');
    const readiness = await eventually(
      () => probe('/readyz'),
      ({ body }) => body.database === 'read-only',
    );
    expect(readiness).toEqual({ status: 503, body: { status: 'ready', database: 'read-only' } });
    expect((await probe('/healthz')).status).toBe(200);
    // Sessions that were opened meanwhile stay read-only, so the pool has to replace them.
    await server.query(`alter database ${database} reset default_transaction_read_only`);
    await expectRecovery();
  });

  it('answers a chat completion with the error object of the format, before the model is called', async () => {
    const project = await service.rest('POST', '/api/v1/projects/', { body: { name: 'Limited' } });
    // With a spending limit the service writes a reservation before it calls the model, so the write fails first.
    await service.sql('update project set budget_usd = 1 where id = $1', [project.body.id]);
    await changeSetting('default_transaction_read_only = on');
    const ask = () =>
      fetch(`${service.url}/v1/chat/completions`, {
        method: 'POST',
        headers: {
          Authorization: `Bearer ${service.key}`,
          'Content-Type': 'application/json',
          'X-Project-Id': String(project.body.id),
        },
        body: JSON.stringify({ model: 'gpt-4o-mini', messages: [{ role: 'user', content: 'Hello' }] }),
      });
    const answer = await ask();
    expect(answer.status).toBe(503);
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await answer.json()).toMatchObject({ error: { message: expect.any(String), type: expect.any(String) } });
    expect(upstream.requests).toEqual([]);
  });
});

describe.each([
  ['statements time out', `statement_timeout = '300ms'`],
  ['locks are not granted in time', `lock_timeout = '300ms'`],
])('a database where %s', (_what, setting) => {
  it('answers 503 with Retry-After, is not ready meanwhile, and recovers afterwards', async () => {
    await changeSetting(setting);
    const options = '-c statement_timeout=0 -c lock_timeout=0';
    const locker = new pg.Client({ connectionString: databaseUrl(database), options });
    await locker.connect();
    await locker.query('begin; lock table workflow_run in access exclusive mode');
    await eventually(
      () => service.rest('GET', '/api/v1/projects/'),
      ({ status }) => status === 200,
    );
    expectUnavailable(await run());
    expect((await probe('/readyz')).status).toBe(503);
    expect((await probe('/healthz')).status).toBe(200);
    await locker.end();
    await expectRecovery();
  });
});

it('a process that starts on a read-only database waits until the database accepts writes', async () => {
  await changeSetting('default_transaction_read_only = on');
  const starting = startTestService({ role: 'worker' }, database);
  // It has checked whether the database accepts writes.
  await eventually(
    () =>
      server.query(
        `select 1 from pg_stat_activity where datname = $1 and query like '%transaction_read_only%' limit 1`,
        [database],
      ),
    ({ rows }) => rows.length > 0,
  );
  await server.query(`alter database ${database} reset all`);
  await endSessions();
  await (await starting).stop();
});
