import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { testEnvironment } from '../../support/config.js';
import { eventually } from '../../support/eventually.js';
import { crashWorkerAt, startProcess } from '../../support/processes/process.js';
import { createWorkflow, pureGraph } from '../../support/run-graphs.js';
import { createDatabase, startTestService, type TestService } from '../../support/service.js';
import { startWebhookReceiver, status, type WebhookReceiver } from '../../support/upstreams/webhook-receiver.js';

let receiver: WebhookReceiver;
let service: TestService;
let project: number;

beforeAll(async () => {
  receiver = await startWebhookReceiver();
});
afterAll(() => receiver.stop());
// The API accepts events; workers start and stop.
beforeEach(async () => {
  service = await startTestService({ role: 'api' }, await createDatabase());
});
afterEach(() => service.stop());

const startWorker = (more = {}) =>
  startTestService({ role: 'worker', webhookRetrySeconds: [0.01], ...more }, service.database);

async function createProject(path: string): Promise<void> {
  const { body } = await service.rest('POST', '/api/v1/projects/', {
    body: { name: 'Hooks', webhook_url: `${receiver.origin}${path}`, is_webhook_enabled: true },
  });
  project = body.id;
}

async function sendTest(): Promise<string> {
  const { data } = await service.graphql(`mutation { webhookTest(projectId: ${project}) { webhookDelivery { id } } }`);
  return data.webhookTest.webhookDelivery.id;
}

const inState = (state: string, count: number) =>
  eventually(
    () => service.sql('select id, attempts from webhook_delivery where state = $1', [state]),
    rows => rows.length === count,
  );

/** Simulates that hours have passed: retries are due, and dead workers have sent no heartbeat. */
async function letTimePass(): Promise<void> {
  await service.sql(`update webhook_delivery set next_at = now() - interval '1 minute' where state = 'pending'`);
  await service.sql(
    `update pgboss.job set start_after = least(start_after, now()), heartbeat_on = now() - interval '1 hour' where name like 'webhook-%'`,
  );
}

/** The webhook jobs that have not ended. */
const jobs = () =>
  service.sql(`select name, state from pgboss.job where name like 'webhook-%' and state < 'completed'`);

it('a webhook is delivered once, however many workers there are', async () => {
  await createProject('/many');
  const workers = await Promise.all([startWorker(), startWorker(), startWorker()]);
  await Promise.all(Array.from({ length: 60 }, sendTest));
  const rows = await inState('delivered', 60);
  // The job of the project ends with its work.
  await eventually(jobs, left => left.length === 0);
  for (const worker of workers) await worker.stop();
  expect(rows.every(row => row.attempts === 1)).toBe(true);
  expect(new Set(receiver.calls('/many').map(call => call.headers['webhook-id'])).size).toBe(60);
  expect(receiver.calls('/many')).toHaveLength(60);
});

it('a webhook waits for a worker when there is none, also across a restart', async () => {
  await createProject('/restart');
  receiver.answer('/restart', status(500));
  const id = await sendTest();
  expect(await service.sql('select state, attempts from webhook_delivery where id = $1', [id])).toEqual([
    { state: 'pending', attempts: 0 },
  ]);
  const first = await startWorker({ webhookRetrySeconds: [3600] });
  await eventually(
    () => service.sql('select status from webhook_attempt where delivery_id = $1', [id]),
    attempts => attempts.length === 1,
  );
  await first.stop();
  receiver.answer('/restart', status(200));
  await letTimePass();
  const second = await startWorker();
  await inState('delivered', 1);
  await second.stop();
  expect(receiver.calls('/restart').map(call => call.headers['webhook-id'])).toEqual([id, id]);
});

it('a webhook is handed back by a worker that stops in the middle of an attempt', async () => {
  await createProject('/hang');
  receiver.answer('/hang', () => {});
  const id = await sendTest();
  const first = await startWorker({ shutdownGraceMs: 50 });
  await eventually(
    async () => receiver.calls('/hang'),
    calls => calls.length === 1,
  );
  await first.stop();
  expect(await service.sql('select state from webhook_delivery where id = $1', [id])).toEqual([{ state: 'pending' }]);
  expect(await jobs()).toEqual([{ name: 'webhook-project', state: 'retry' }]);
  receiver.answer('/hang', status(204));
  const second = await startWorker();
  expect(await inState('delivered', 1)).toEqual([{ id, attempts: 2 }]);
  await second.stop();
});

it('a webhook is sent again under the same id when a worker died before it stored the response', async () => {
  await createProject('/death');
  const id = await sendTest();
  await crashWorkerAt('webhook.sent', testEnvironment(service.database));
  expect(await service.sql('select state, attempts from webhook_delivery where id = $1', [id])).toEqual([
    { state: 'pending', attempts: 1 },
  ]);
  await letTimePass();
  const successor = await startWorker();
  await inState('delivered', 1);
  await successor.stop();
  expect(receiver.calls('/death').map(call => call.headers['webhook-id'])).toEqual([id, id]);
});

it('reports a run whose worker died right after the end was written', async () => {
  await createProject('/run');
  const workflow = await createWorkflow(service, pureGraph());
  await service.sql(
    `update project set webhook_url = $1, is_webhook_enabled = true
      where id = (select project_id from workflow where id = $2)`,
    [`${receiver.origin}/run`, workflow],
  );
  const { body } = await service.rest('POST', `/api/v1/workflows/${workflow}/run/`, { body: { topic: 'cats' } });
  await crashWorkerAt('record.after', testEnvironment(service.database));
  // The end, its delivery and the job of its project were written together; the worker may have fetched that job as it
  // died.
  expect(await service.sql('select state from webhook_delivery')).toEqual([{ state: 'pending' }]);
  expect(await jobs()).toEqual([{ name: 'webhook-project', state: expect.stringMatching(/^(created|active)$/) }]);
  await letTimePass();
  const successor = await startWorker();
  await inState('delivered', 1);
  await successor.stop();
  expect(receiver.calls('/run').map(call => call.body.data.id)).toEqual([body.data.id]);
});

it('refuses the result of an attempt that another one has replaced', async () => {
  await createProject('/zombie');
  let release = () => {};
  receiver.answer('/zombie', (response, _call, nth) => {
    if (nth === 1) release = () => response.writeHead(500).end();
    else response.writeHead(200).end();
  });
  const id = await sendTest();
  const slow = await startProcess({ ...testEnvironment(service.database), ROLE: 'worker' }, { ready: false });
  await eventually(
    async () => receiver.calls('/zombie'),
    calls => calls.length === 1,
  );
  slow.child.kill('SIGSTOP');
  await letTimePass();
  const second = await startWorker();
  await inState('delivered', 1);
  release();
  slow.child.kill('SIGCONT');
  await slow.end();
  await second.stop();
  const [row] = await service.sql(
    'select state, attempts, delivered_status as status from webhook_delivery where id = $1',
    [id],
  );
  expect(row).toEqual({ state: 'delivered', attempts: 2, status: 200 });
  expect(await service.sql('select number from webhook_attempt where delivery_id = $1', [id])).toEqual([]);
});

it('deletes deliveries older than 30 days, except pending ones, and expired secrets', async () => {
  await createProject('/old');
  const [old, pending, young] = [await sendTest(), await sendTest(), await sendTest()];
  await service.sql(`update webhook_delivery set created_at = now() - interval '31 days' where id <> $1`, [young]);
  await service.sql(
    `update webhook_delivery set state = 'failed', next_at = null, finished_at = now() where id <> $1`,
    [pending],
  );
  // Not due, because failing attempts would end it, and ended deliveries are deleted.
  await service.sql(`update webhook_delivery set next_at = now() + interval '1 day' where id = $1`, [pending]);
  await service.sql(`insert into webhook_secret (id, project_id, sealed, expires_at) values ($1, $2, '', now())`, [
    old,
    project,
  ]);
  receiver.answer('/old', () => {});
  const worker = await startWorker({ shutdownGraceMs: 50 });
  const left = await eventually(
    () => service.sql('select id from webhook_delivery order by id = $1', [young]),
    rows => rows.length === 2,
  );
  expect(left.map(row => row.id)).toEqual([pending, young]);
  await eventually(
    () => service.sql(`select id from webhook_secret where sealed = ''`),
    rows => rows.length === 0,
  );
  await worker.stop();
});
