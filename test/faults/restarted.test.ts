import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, expect, it } from '@jest/globals';
import pg from 'pg';
import { type Service, startService } from '../../src/app.js';
import { createLog } from '../../src/platform/logging/log.js';
import { ADMIN_KEY, testConfig } from '../support/config.js';
import { eventually } from '../support/eventually.js';
import { chain, node, output, trigger } from '../support/graphs.js';

let dataDir: string | undefined;
let service: Service | undefined;

afterAll(async () => {
  await service?.stop();
  if (dataDir) await rm(dataDir, { recursive: true, force: true });
});

/** The whole product with a PostgreSQL of its own, which stops and starts with it. */
async function start(): Promise<Service> {
  dataDir ??= await mkdtemp(path.join(os.tmpdir(), 'scenarium-restart-'));
  service = await startService(testConfig('unused', { dataDir, databaseUrl: undefined }), createLog('silent'));
  return service;
}

async function call(method: string, at: string, body?: unknown): Promise<any> {
  const response = await fetch(`${service?.url}${at}`, {
    method,
    headers: { 'X-Api-Key': ADMIN_KEY, 'Content-Type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return response.json();
}

async function sql(text: string, values: unknown[]): Promise<any[]> {
  const client = new pg.Client({ connectionString: service?.databaseUrl ?? '' });
  await client.connect();
  const { rows } = await client.query(text, values);
  await client.end();
  return rows;
}

const poll = async (id: string) => (await call('GET', `/api/v1/workflows/workflow_result/?id=${id}`)).data;
const stateOf = async (id: string) => (await sql('select state from workflow_run where id = $1', [id]))[0]?.state;
const awaitWaiting = (id: string) =>
  eventually(
    () => stateOf(id),
    state => state === 'waiting',
  );
const awaitEnd = (id: string) =>
  eventually(
    () => poll(id),
    ({ status }) => ['succeed', 'failed'].includes(status),
  );

it('keeps a delay of an hour and a pending approval over a restart of everything, PostgreSQL included', async () => {
  await start();
  const project = await call('POST', '/api/v1/projects/', { name: 'Restart' });
  const begin = async (data: unknown) => {
    const { id } = await call('POST', '/api/v1/workflows/', { project: project.id, title: 'R', data });
    return (await call('POST', `/api/v1/workflows/${id}/run/`, {})).data.id as string;
  };
  const agent = node('agent-node', {
    messages: [{ role: 'user', message: 'Hello.' }],
    settings: { model_name: 'echo' },
    approval: 'always',
  });
  const delayed = await begin(chain(trigger(), node('delay-node', { seconds: 3600 }), output('after an hour')));
  const asking = await begin(chain(trigger(), agent, output()));
  await Promise.all([awaitWaiting(delayed), awaitWaiting(asking)]);
  const { request_id } = (await poll(asking)).data[agent.id].approval;

  await service?.stop();
  await start();

  expect([await stateOf(delayed), await stateOf(asking)]).toEqual(['waiting', 'waiting']);
  expect((await poll(asking)).data[agent.id].approval.request_id).toBe(request_id);
  await call('POST', `/api/v1/workflows/workflow_run/${asking}/agent-approval/${request_id}/approve/`);
  expect(await awaitEnd(asking)).toMatchObject({ status: 'succeed', output: 'Hello.' });
  expect(await poll(delayed)).toMatchObject({ status: 'in progress' });

  // Lets the hour pass, both by the clock of the database and in the record of what the run waits for.
  await service?.stop();
  await start();
  const hour = `interval '1 hour'`;
  await sql(
    `update workflow_run_journal set events = regexp_replace(events::text, '"until":"[^"]+"', '"until":"' || to_char(now() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') || '"')::json where run_id = $1`,
    [delayed],
  );
  // Last, because the worker that continues the run reads the journal.
  await sql(`update workflow_run set wake_at = wake_at - ${hour} where id = $1`, [delayed]);
  await sql(`update pgboss.job set start_after = start_after - ${hour} where id = $1`, [delayed]);
  expect(await awaitEnd(delayed)).toMatchObject({ status: 'succeed', output: 'after an hour' });
  const rows = await sql('select count(*)::int as count from billing_transaction where run_id = any($1)', [
    [delayed, asking],
  ]);
  // One for each of the three nodes of both runs.
  expect(rows[0]?.count).toBe(6);
});
