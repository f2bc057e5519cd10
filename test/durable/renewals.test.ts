import type { ServerResponse } from 'node:http';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import pg from 'pg';
import { databaseUrl } from '../support/config.js';
import { eventually } from '../support/eventually.js';
import { chain, http, output, trigger } from '../support/graphs.js';
import { createWorkflow } from '../support/run-graphs.js';
import { startTestService, type TestService } from '../support/service.js';
import { type LoopbackServer, serveHttp } from '../support/upstreams/loopback-server.js';

let service: TestService;
let server: LoopbackServer;
/** Locks the row of a run. */
let holder: pg.Client;
const calls: ServerResponse[] = [];

beforeAll(async () => {
  server = await serveHttp((_, response) => void calls.push(response));
  service = await startTestService({ outboundAllow: ['127.0.0.1'] });
  holder = new pg.Client({ connectionString: databaseUrl(service.database) });
  await holder.connect();
});
afterAll(async () => {
  for (const call of calls) call.end('{}');
  await holder?.end();
  await service?.stop();
  await server?.close();
});

it('the job of a run is renewed while that of another run cannot be created', async () => {
  const workflow = await createWorkflow(service, chain(trigger(), http(server.url, { method: 'GET' }), output()));
  /** Starts a run and returns it when it waits for the answer to its call. */
  const start = async (): Promise<string> => {
    const earlier = calls.length;
    const { body } = await service.rest('POST', `/api/v1/workflows/${workflow}/run/`, { body: {} });
    await eventually(
      async () => calls.length,
      length => length > earlier,
    );
    return body.data.id;
  };
  /** When the job of a run is due, or when its heartbeat was received. */
  const renewalOf = async (id: string): Promise<number> => {
    const text = `select extract(epoch from greatest(start_after, heartbeat_on))::float8 as at from pgboss.job where id = $1`;
    return (await service.sql(text, [id]))[0]?.at ?? 0;
  };
  const renewed = await start();
  await eventually(
    () => renewalOf(renewed),
    at => at > 0,
  );
  const blocked = await start();
  await holder.query('begin');
  await holder.query('select 1 from workflow_run where id = $1 for update', [blocked]);
  const before = await renewalOf(renewed);
  await eventually(
    () => renewalOf(renewed),
    // The second renewal, because the first one may have begun before the lock.
    at => at > before + 3,
  );
  await holder.query('commit');
  for (const call of calls.splice(0)) call.end('{}');
  const stateOf = async (id: string) => (await service.sql('select state from workflow_run where id = $1', [id]))[0];
  for (const id of [renewed, blocked])
    await eventually(
      () => stateOf(id),
      run => run?.state === 'succeeded',
    );
  expect(await service.sql('select attempts from workflow_run')).toEqual([{ attempts: 1 }, { attempts: 1 }]);
});
