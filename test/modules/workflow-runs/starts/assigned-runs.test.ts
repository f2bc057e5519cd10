import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import {
  ASSIGNMENT_CHANNEL_PREFIX,
  MESSAGE_BYTES,
  parseAssignment,
  parseOffer,
  SLOT_CHANNEL,
} from '../../../../src/durable/assignment/slot-messages.js';
import { assignedTokenSql } from '../../../../src/durable/lease-token.js';
import type { AssignedColumns } from '../../../../src/modules/workflow-runs/execution/assigned-columns.js';
import { AssignedWorkflowRunReader } from '../../../../src/modules/workflow-runs/execution/assigned-run-reader.js';
import { Vault } from '../../../../src/platform/crypto/crypto.js';
import { createLog } from '../../../../src/platform/logging/log.js';
import { testConfig, testEnvironment } from '../../../support/config.js';
import { openDatabase } from '../../../support/database.js';
import { holdDirectRun } from '../../../support/direct-run.js';
import { eventually } from '../../../support/eventually.js';
import { chain, field, llm, output, template, trigger } from '../../../support/graphs.js';
import { startProcess } from '../../../support/processes/process.js';
import { createWorkflow, echoGraph } from '../../../support/run-graphs.js';
import { startTestService, type TestService } from '../../../support/service.js';
import { type StubUpstream, startStubUpstream } from '../../../support/upstreams/stub-upstream.js';

const MODEL = 'gpt-4o-mini';

let upstream: StubUpstream;
let openai: { baseUrl: string; apiKey: string };
let api: TestService;
let workers: { stop(): Promise<void> }[];
beforeAll(async () => {
  upstream = await startStubUpstream();
  openai = { baseUrl: upstream.url, apiKey: 'k' };
});
afterAll(() => upstream?.stop());
beforeEach(async () => {
  workers = [];
  upstream.requests.length = 0;
  api = await startTestService({ role: 'api', openai });
});
afterEach(async () => {
  for (const worker of workers) await worker.stop();
  await api.stop();
});

async function startWorker(): Promise<TestService> {
  const worker = await startTestService({ role: 'worker', openai }, api.database);
  workers.push(worker);
  return worker;
}

/** A worker that can be killed. */
const startWorkerProcess = () =>
  startProcess({
    ...testEnvironment(api.database),
    ...{ OPENAI_BASE_URL: upstream.url, OPENAI_API_KEY: 'k', ROLE: 'worker' },
  });

async function run(workflow: number, input: object = { topic: 'cats' }): Promise<string> {
  const { body } = await api.rest('POST', `/api/v1/workflows/${workflow}/run/`, { body: input });
  expect(body.status).toBe(201);
  return body.data.id;
}

async function resultOf(id: string) {
  const read = async () => (await api.rest('GET', `/api/v1/workflows/workflow_result/?id=${id}`)).body.data;
  return eventually(read, ({ status }) => ['succeed', 'failed'].includes(status));
}

/** Starts runs until one is assigned to a worker and waits for its model call. */
const holdAssigned = (workflow: number, input?: object) => holdDirectRun(api, upstream, () => run(workflow, input));

const awaitNone = (condition: string) =>
  eventually(
    () => api.sql(`select id from workflow_run where ${condition}`),
    rows => rows.length === 0,
  );

describe('a run that is accepted by a process without a worker', () => {
  it('is assigned to a worker with its first call announced, and needs neither a job nor a claim', async () => {
    await startWorker();
    const workflow = await createWorkflow(api, echoGraph(MODEL));
    const held = await holdAssigned(workflow);
    const read = () =>
      api.sql(
        `select r.attempts, r.sequence, (select count(*)::int from workflow_run_journal j where j.run_id = r.id) as records
           from workflow_run r where r.id = $1`,
        [held.id],
      );
    // The events of the trigger and the start of the call are inserted with the run.
    expect(await read()).toEqual([{ attempts: 1, sequence: 3, records: 1 }]);
    held.release();
    expect(await resultOf(held.id)).toMatchObject({ status: 'succeed', output: 'stub answer' });
    expect(await read()).toEqual([{ attempts: 1, sequence: 7, records: 2 }]);
    const ledger = await api.sql('select node_id from billing_transaction where run_id = $1 order by node_id', [
      held.id,
    ]);
    expect(ledger.map(row => row.node_id)).toEqual(['llm', 'out', 'trigger']);
    expect(upstream.requests).toHaveLength((await api.sql('select id from workflow_run')).length);
  });

  it('gets a job if it lasts, and another worker takes it over when its worker stops responding', async () => {
    const worker = await startWorkerProcess();
    const workflow = await createWorkflow(api, echoGraph(MODEL));
    const held = await holdAssigned(workflow);
    await eventually(
      () => api.sql('select id from pgboss.job where id = $1', [held.id]),
      jobs => jobs.length === 1,
    );
    await worker.end('SIGKILL');
    held.release();
    await startWorker();
    expect(await resultOf(held.id)).toMatchObject({ status: 'succeed', output: 'stub answer' });
    const [row] = await api.sql('select attempts from workflow_run where id = $1', [held.id]);
    expect(row?.attempts).toBe(2);
  });

  it('is queued when the worker that offered slots is dead', async () => {
    const worker = await startWorkerProcess();
    const workflow = await createWorkflow(api, echoGraph(MODEL));
    const held = await holdAssigned(workflow);
    held.release();
    await awaitNone('run_finished_at is null');
    await worker.end('SIGKILL');
    // PostgreSQL has noticed the death.
    await eventually(
      () =>
        api.sql(`select pid from pg_stat_activity where application_name = 'scenarium worker'
        and datname = current_database()`),
      rows => rows.length === 0,
    );
    const ids = [await run(workflow), await run(workflow), await run(workflow)];
    const rows = await api.sql(
      `select r.state, r.attempts, j.id is not null as "hasJob", r.sequence
         from workflow_run r left join pgboss.job j on j.id = r.id where r.id = any($1)`,
      [ids],
    );
    expect(rows).toEqual(ids.map(() => ({ state: 'queued', attempts: 0, hasJob: true, sequence: 0 })));
    await startWorker();
    for (const id of ids) expect(await resultOf(id)).toMatchObject({ status: 'succeed' });
  });

  it('is neither lost nor interrupted while workers stop and start', async () => {
    const workflow = await createWorkflow(api, echoGraph(MODEL));
    let isDone = false;
    const callers = Array.from({ length: 4 }, async () => {
      const ids: string[] = [];
      while (!isDone) ids.push(await run(workflow));
      return ids;
    });
    let worker = await startWorker();
    for (let stops = 0; stops < 4; stops++) {
      const successor = await startWorker();
      await eventually(
        () => api.sql(`select count(*)::int as runs from workflow_run where run_finished_at is not null`),
        ([row]) => row!.runs > 50 * (stops + 1),
      );
      await worker.stop();
      workers.splice(workers.indexOf(worker), 1);
      worker = successor;
    }
    isDone = true;
    const ids = (await Promise.all(callers)).flat();
    await awaitNone('run_finished_at is null');
    expect(await api.sql(`select id from workflow_run where state <> 'succeeded' or attempts > 1`)).toEqual([]);
    expect(upstream.requests).toHaveLength(ids.length);
  });

  it('continues with the secrets of its input', async () => {
    await startWorker();
    const secret = `sk-${randomUUID()}`;
    const text = template('key {{ input.token }}');
    const graph = chain(
      trigger(field('token', { is_secret: true })),
      text,
      llm(`use {{ nodes.${text.id}.content }}`, MODEL),
      output('done'),
    );
    const workflow = await createWorkflow(api, graph);
    const held = await holdAssigned(workflow, { token: secret });
    held.release();
    expect(await resultOf(held.id)).toMatchObject({ status: 'succeed' });
    expect(upstream.requests.at(-1).messages[0].content).toBe(`use key ${secret}`);
    const journal = await api.sql('select events::text as text from workflow_run_journal where run_id = $1', [held.id]);
    expect(journal.map(({ text: stored }) => stored).join()).not.toContain(secret);
  });

  it('is read by its worker if it does not fit into the notification', async () => {
    await startWorker();
    const workflow = await createWorkflow(api, echoGraph(MODEL));
    const topic = 'cats '.repeat(MESSAGE_BYTES / 5);
    const held = await holdAssigned(workflow, { topic });
    held.release();
    expect(await resultOf(held.id)).toMatchObject({ status: 'succeed', output: 'stub answer' });
    expect(upstream.requests.at(-1).messages[0].content).toContain(topic);
    expect(await api.sql('select attempts from workflow_run where id = $1', [held.id])).toEqual([{ attempts: 1 }]);
  });

  it('continues a fork from the results of the forked run', async () => {
    await startWorker();
    const ask = llm('About {{ input.topic }}', MODEL);
    const more = llm(`More about {{ nodes.${ask.id}.content }}`, MODEL);
    const workflow = await createWorkflow(
      api,
      chain(trigger(field('topic')), ask, more, output('{{ previous.content }}')),
    );
    const held = await holdAssigned(workflow);
    held.release();
    await resultOf(held.id);
    upstream.requests.length = 0;
    const { data, errors } = await api.graphql(
      `mutation ($id: UUID!, $node: String!) { workflowRunFork(id: $id, nodeId: $node) { receipt { data { runId } } } }`,
      { id: held.id, node: more.id },
    );
    expect(errors).toBeUndefined();
    expect(await resultOf(data.workflowRunFork.receipt.data.runId)).toMatchObject({
      status: 'succeed',
      output: 'stub answer',
    });
    expect(upstream.requests.map(request => request.messages[0].content)).toEqual(['More about stub answer']);
  });
});

/** Collects the notifications of a channel until the client ends. */
async function collectNotifications(client: pg.Client, channel: string): Promise<string[]> {
  const payloads: string[] = [];
  client.on('notification', ({ channel: received, payload = '' }) => {
    if (received === channel) payloads.push(payload);
  });
  await client.query(`listen ${pg.escapeIdentifier(channel)}`);
  return payloads;
}

it('the notification of an assigned run contains what a worker would read', async () => {
  const database = await openDatabase(api.database);
  const client = new pg.Client({ connectionString: database.url });
  try {
    await client.connect();
    const slotMessages = await collectNotifications(client, SLOT_CHANNEL);
    await startWorker();
    const [offer] = await eventually(
      async () => slotMessages.flatMap(message => parseOffer(message) ?? []),
      ({ length }) => length > 0,
    );
    const assignments = await collectNotifications(client, `${ASSIGNMENT_CHANNEL_PREFIX}${offer!.workerId}`);
    const graph = chain(
      trigger(field('token', { is_secret: true }), field('topic')),
      template('key {{ input.token }}'),
      llm('About {{ input.topic }}', MODEL),
    );
    const held = await holdAssigned(await createWorkflow(api, graph), { token: `sk-${randomUUID()}`, topic: 'cåts' });
    const runs = new AssignedWorkflowRunReader(
      database,
      new Vault(testConfig(api.database).encryptionKey!),
      createLog('silent'),
    );
    const [read] = await runs.read([held.id], offer!.workerId);
    const assigned = assignments.map(parseAssignment<AssignedColumns>).find(({ id }) => id === held.id);
    held.release();
    const { columns, offeredAt } = assigned!.content!;
    expect(offeredAt).toBeGreaterThanOrEqual(offer!.offeredAt);
    expect(runs.restore(columns, 0)).toEqual({ ...read, leaseExpiresAt: expect.any(Number) });
    expect(read!.earlyStart).toMatchObject({ sealedContents: expect.any(String) });
  } finally {
    await client.end();
    await database.close();
  }
});

it('a worker does not read a run of another worker, nor one whose lease has expired', async () => {
  const database = await openDatabase(api.database);
  try {
    const workflow = await createWorkflow(api, echoGraph(MODEL));
    const ids = [await run(workflow), await run(workflow), await run(workflow)];
    const [own, others, expired] = ids;
    const changes = `state = 'running', run_started_at = now() - interval '2 s', attempts = 1, lease_token = ${assignedTokenSql('5')}`;
    await database.query(`update workflow_run set ${changes}`);
    await database.query(`update workflow_run set lease_token = ${assignedTokenSql('6')} where id = $1`, [others]);
    await database.query(`update workflow_run set run_started_at = now() - interval '11 s' where id = $1`, [expired]);
    const runs = new AssignedWorkflowRunReader(
      database,
      new Vault('for tests only, at least 32 characters'),
      createLog('silent'),
    );
    const before = performance.now();
    const read = await runs.read(ids, 5);
    expect(read).toMatchObject([{ id: own, attempts: 1, sequence: 0, input: { topic: 'cats' }, isOrphan: false }]);
    const took = performance.now() - before;
    // Two of the ten seconds of the lease have passed.
    expect(read[0]!.leaseExpiresAt - before).toBeLessThan(8_000 + took);
    expect(read[0]!.leaseExpiresAt).toBeGreaterThan(before);
    // A run that was read late has to renew its lease before its first call.
    await database.query(`update workflow_run set run_started_at = now() - interval '4 s' where id = $1`, [own]);
    expect(await runs.read(ids, 5)).toMatchObject([{ id: own, leaseExpiresAt: 0 }]);
    expect(await runs.findIds(5)).toEqual([own]);
  } finally {
    await database.close();
  }
});
