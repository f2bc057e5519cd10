import type { ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import pg from 'pg';
import { databaseUrl } from '../support/config.js';
import { eventually } from '../support/eventually.js';
import { chain, http, output, trigger } from '../support/graphs.js';
import { startTestService, type TestService } from '../support/service.js';
import { awaitLock } from '../support/transactions/held-transaction.js';
import { type LoopbackServer, serveHttp } from '../support/upstreams/loopback-server.js';

let service: TestService;
let workflow: number;
let holder: pg.Client;
/** The calls of runs that have arrived and have no response. */
const calls: ServerResponse[] = [];
let server: LoopbackServer;

beforeAll(async () => {
  server = await serveHttp((_, response) => void calls.push(response));
  service = await startTestService({ workerConcurrency: 1, outboundAllow: ['127.0.0.1'] });
  holder = new pg.Client({ connectionString: databaseUrl(service.database) });
  await holder.connect();
  const project = (await service.rest('POST', '/api/v1/projects/', { body: { name: 'P' } })).body.id;
  const data = chain(trigger(), http(server.url, { method: 'GET' }), output());
  workflow = (await service.rest('POST', '/api/v1/workflows/', { body: { project, title: 'W', data } })).body.id;
});
afterAll(async () => {
  await holder?.end();
  await service?.stop();
  await server?.close();
});

const begin = async (): Promise<string> =>
  (await service.rest('POST', `/api/v1/workflows/${workflow}/run/`, { body: {} })).body.data.id;
async function nextCall(): Promise<ServerResponse> {
  await eventually(
    async () => calls.length,
    length => length > 0,
  );
  return calls.shift()!;
}
const stateOf = async (id: string) =>
  (await service.sql('select state from workflow_run where id = $1', [id]))[0]?.state;

/** Starts a run and answers its call. Its end cannot be written before the transaction of the holder ends. */
async function endHeld(): Promise<string> {
  const id = await begin();
  const call = await nextCall();
  await holder.query('select 1 from workflow_run where id = $1 for update', [id]);
  call.end('{}');
  await awaitLock(sql => service.sql(sql));
  return id;
}

it('a run whose end is being written does not occupy a slot, but ends do not accumulate', async () => {
  await holder.query('begin');
  const first = await endHeld();
  const second = await endHeld();
  // Two runs with one slot are the limit.
  const third = await begin();
  await delay(600);
  expect(calls).toHaveLength(0);
  expect([await stateOf(first), await stateOf(second)]).toEqual(['running', 'running']);

  await holder.query('commit');
  (await nextCall()).end('{}');
  for (const id of [first, second, third])
    await eventually(
      () => stateOf(id),
      state => state === 'succeeded',
    );
});
