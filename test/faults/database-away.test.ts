import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { databaseUrl } from '../support/config.js';
import { eventually } from '../support/eventually.js';
import { createWorkflow, pureGraph } from '../support/run-graphs.js';
import { createDatabase, startTestService, type TestService } from '../support/service.js';
import { startTcpProxy, type TcpProxy } from '../support/tcp-proxy.js';

let proxy: TcpProxy;
let service: TestService;
let workflow: number;
beforeAll(async () => {
  const database = await createDatabase();
  const url = new URL(databaseUrl(database));
  proxy = await startTcpProxy({ host: url.hostname, port: Number(url.port) });
  url.port = String(proxy.port);
  service = await startTestService({ databaseUrl: url.href }, database);
  workflow = await createWorkflow(service, pureGraph());
});
afterAll(async () => {
  await service.stop();
  await proxy.cut();
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

it('answers 503 while the database is away, soon and with Retry-After, and recovers by itself', async () => {
  await runToItsEnd();
  await proxy.cut();
  const began = Date.now();
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
  expect(Date.now() - began).toBeLessThan(5_000);

  await proxy.restore();
  await eventually(
    () => service.rest('GET', '/api/v1/projects/'),
    answer => answer.status === 200,
    { withinMs: 5_000 },
  );
  expect(await probe('/readyz')).toBe(200);
  await runToItsEnd();
}, 60_000);
