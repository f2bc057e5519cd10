import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import pg from 'pg';
import { databaseUrl } from '../support/config.js';
import { eventually } from '../support/eventually.js';
import { startTcpProxy, type TcpProxy } from '../support/processes/tcp-proxy.js';
import { createWorkflow, echoGraph, pureGraph } from '../support/run-graphs.js';
import { createDatabase, startTestService, type TestService } from '../support/service.js';
import { awaitLock } from '../support/transactions/held-transaction.js';
import { type StubUpstream, startStubUpstream } from '../support/upstreams/stub-upstream.js';

let database: string;
let proxy: TcpProxy;
let upstream: StubUpstream;
let service: TestService;
let workflow: number;
beforeAll(async () => {
  database = await createDatabase();
  upstream = await startStubUpstream();
  const url = new URL(databaseUrl(database));
  proxy = await startTcpProxy({ host: url.hostname, port: Number(url.port) });
  url.port = String(proxy.port);
  service = await startTestService({ databaseUrl: url.href, openai: { baseUrl: upstream.url, apiKey: 'k' } }, database);
  workflow = await createWorkflow(service, pureGraph());
});
afterAll(async () => {
  await service.stop();
  await proxy.cut();
  await upstream.stop();
});

const run = () => service.rest('POST', `/api/v1/workflows/${workflow}/run/`, { body: { topic: 'cats' } });
const probe = async (path: string) => (await fetch(`${service.url}${path}`)).status;

async function runToItsEnd(): Promise<void> {
  const { body } = await run();
  await eventually(
    () => service.rest('GET', `/api/v1/workflows/workflow_result/?id=${body.data.id}`),
    answer => answer.body.data.status === 'succeed',
  );
}

it('answers 503 with Retry-After while the database is unavailable, and recovers without a restart', async () => {
  await runToItsEnd();
  await proxy.cut();
  for (const answer of await Promise.all([
    run(),
    service.rest('GET', '/api/v1/projects/'),
    service.rest('GET', `/api/v1/workflows/${workflow}/`),
    service.rest('GET', `/api/v1/workflows/${workflow}/history/`),
  ])) {
    expect([answer.status, answer.body.code]).toEqual([503, 'unavailable']);
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
  }
  const { errors } = await service.graphql('{ projects { total } }');
  expect(errors?.[0]?.extensions.code).toBe('UNAVAILABLE');
  expect(await probe('/readyz')).toBe(503);
  expect(await probe('/healthz')).toBe(200);

  await proxy.restore();
  await eventually(
    () => service.rest('GET', '/api/v1/projects/'),
    answer => answer.status === 200,
  );
  expect(await probe('/readyz')).toBe(200);
  await runToItsEnd();
});

/**
 * Executes `work`, and cuts the connections to the database while a statement of the service waits for this table. The
 * connections are restored after the work.
 */
async function loseDatabaseDuring(table: string, work: () => Promise<unknown>): Promise<void> {
  const locker = new pg.Client({ connectionString: databaseUrl(database) });
  await locker.connect();
  await locker.query(`begin; lock table ${table} in access exclusive mode`);
  const working = work();
  await awaitLock(sql => service.sql(sql));
  await proxy.cut();
  await locker.end();
  await working;
  await proxy.restore();
}

it('still calls the model when reading the keys of the project fails because the database is lost', async () => {
  const modelWorkflow = await createWorkflow(service, echoGraph('gpt-4o-mini'));
  let id = '';
  await loseDatabaseDuring('provider_key', async () => {
    const run = `/api/v1/workflows/${modelWorkflow}/run/`;
    id = (await service.rest('POST', run, { body: { topic: 'cats' } })).body.data.id;
  });
  const result = await eventually(
    async () => (await service.rest('GET', `/api/v1/workflows/workflow_result/?id=${id}`)).body,
    ({ data }) => ['succeed', 'failed'].includes(data?.status),
  );
  expect(result.data).toMatchObject({ status: 'succeed', output: 'stub answer' });
});

it('releases the idempotency key of a request that fails because the database is lost', async () => {
  const send = () => service.rest('POST', `/api/v1/workflows/${workflow}/run/`, { body: { topic: 'cats' }, headers });
  const headers = { 'Idempotency-Key': randomUUID() };
  await loseDatabaseDuring('workflow_run', async () => expect((await send()).status).toBe(503));
  const answer = await eventually(send, ({ status }) => status === 200);
  expect(answer.body).toMatchObject({ status: 201 });
});
