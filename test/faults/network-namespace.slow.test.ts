import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { ADMIN_KEY, databaseUrl, testEnvironment } from '../support/config.js';
import { eventually } from '../support/eventually.js';
import { createNetworkNamespace, type NetworkNamespace } from '../support/processes/network-namespace.js';
import { type ServiceProcess, startProcess } from '../support/processes/process.js';
import { startTcpProxy, type TcpProxy } from '../support/processes/tcp-proxy.js';
import { createWorkflow, pureGraph } from '../support/run-graphs.js';
import { createDatabase, startTestService } from '../support/service.js';

// One link for callers, two to the database.
const namespace = createNetworkNamespace(3);
const test = typeof namespace === 'string' ? it.skip : it;
if (typeof namespace === 'string') console.warn(`skipped: ${namespace}`);

let proxies: TcpProxy[] = [];
let service: ServiceProcess;
let origin: string;
let database: string;
let workflow: number;
beforeAll(async () => {
  if (typeof namespace === 'string') return;
  const { links, name } = namespace as NetworkNamespace;
  database = await createDatabase();
  const setup = await startTestService({}, database);
  workflow = await createWorkflow(setup, pureGraph());
  await setup.stop();
  const url = new URL(databaseUrl(database));
  const target = { host: url.hostname, port: Number(url.port) };
  const first = await startTcpProxy(target, { host: links[1]!.outside });
  proxies = [first, await startTcpProxy(target, { host: links[2]!.outside, port: first.port })];
  url.hostname = 'database.test';
  url.port = String(first.port);
  namespace.setHosts({ 'database.test': links[1]!.outside });
  const environment = { ...testEnvironment(database), DATABASE_URL: url.href, HOST: '0.0.0.0' };
  service = await startProcess(environment, { namespace: name });
  origin = `http://${links[0]!.inside}:${new URL(service.url).port}`;
}, 120_000);
afterAll(async () => {
  if (typeof namespace === 'string') return;
  await service?.end();
  for (const proxy of proxies) await proxy.cut();
  namespace.close();
});

const run = () =>
  fetch(`${origin}/api/v1/workflows/${workflow}/run/`, {
    method: 'POST',
    headers: { 'X-Api-Key': ADMIN_KEY, 'Content-Type': 'application/json' },
    body: '{"topic":"cats"}',
  }).then(({ status }) => status);

test('uses the new address of the database when the name has moved and the path to the old address is lost', async () => {
  const { links, setHosts } = namespace as NetworkNamespace;
  expect(await run()).toBe(200);
  links[1]!.cut();
  // Statements on the existing connections, whose packets are dropped.
  expect(await Promise.all([run(), run(), run()])).toEqual([503, 503, 503]);
  expect((await fetch(`${origin}/readyz`)).status).toBe(503);
  expect((await fetch(`${origin}/healthz`)).status).toBe(200);
  setHosts({ 'database.test': links[2]!.outside });
  await eventually(run, status => status === 200, { withinMs: 60_000 });
  // The write probe repeats on its own schedule, so it may notice the new server later than a run.
  await eventually(
    () => fetch(`${origin}/readyz`).then(answer => answer.status),
    status => status === 200,
    {
      withinMs: 60_000,
    },
  );
}, 180_000);
