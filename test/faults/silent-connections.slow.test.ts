import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { databaseUrl } from '../support/config.js';
import { eventually } from '../support/eventually.js';
import { startTcpProxy, type TcpProxy } from '../support/processes/tcp-proxy.js';
import { createWorkflow, echoGraph, pureGraph } from '../support/run-graphs.js';
import { createDatabase, startTestService, type TestService } from '../support/service.js';
import { type StubUpstream, startStubUpstream } from '../support/upstreams/stub-upstream.js';

let proxy: TcpProxy;
let upstream: StubUpstream;
let service: TestService;
let pure: number;
let asking: number;
beforeAll(async () => {
  const database = await createDatabase();
  upstream = await startStubUpstream();
  const url = new URL(databaseUrl(database));
  proxy = await startTcpProxy({ host: url.hostname, port: Number(url.port) });
  url.port = String(proxy.port);
  const openai = { baseUrl: upstream.url, apiKey: 'k' };
  service = await startTestService({ databaseUrl: url.href, openai, wedgedAfterMs: 3_000 }, database);
  pure = await createWorkflow(service, pureGraph());
  asking = await createWorkflow(service, echoGraph('gpt-4o-mini'));
});
afterAll(async () => {
  await service?.stop();
  await proxy?.cut();
  await upstream?.stop();
});

const run = (workflow: number) =>
  service.rest('POST', `/api/v1/workflows/${workflow}/run/`, { body: { topic: 'cats' } });
const probe = async (path: string) => (await fetch(`${service.url}${path}`)).status;

it('answers 503 while its database connections are silent, accepts runs once the path is restored, and ends those it had', async () => {
  const held = upstream.hold();
  const { body } = await run(asking);
  await held.arrived;
  proxy.dropAll();
  // Several existing connections at once, and new ones.
  const statuses = await Promise.all([run(pure), run(pure), service.rest('GET', '/api/v1/projects/'), run(pure)]);
  expect(statuses.map(({ status }) => status)).toEqual([503, 503, 503, 503]);
  for (const { headers } of statuses) expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
  expect(await probe('/readyz')).toBe(503);
  held.release();
  expect((await run(pure)).status).toBe(503);
  // Live, because the network is at fault and a restart would not help.
  expect(await probe('/healthz')).toBe(200);

  await proxy.restore();
  const accepted = await eventually(
    () => run(pure),
    ({ status }) => status === 200,
    { withinMs: 60_000 },
  );
  for (const id of [body.data.id, accepted.body.data.id]) {
    const result = await eventually(
      async () => (await service.rest('GET', `/api/v1/workflows/workflow_result/?id=${id}`)).body,
      ({ data }) => ['succeed', 'failed'].includes(data?.status),
      { withinMs: 60_000 },
    );
    expect(result.data.status).toBe('succeed');
  }
  expect(await probe('/readyz')).toBe(200);
  expect(await probe('/healthz')).toBe(200);
}, 180_000);
