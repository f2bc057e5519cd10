import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Queue } from '../../../src/durable/queue.js';
import { MIGRATIONS } from '../../../src/migrations/index.js';
import { ENTITIES } from '../../../src/modules/registry.js';
import { createWebhookProjectJobs } from '../../../src/modules/webhooks/assembly.js';
import { WEBHOOK_PROJECT_QUEUE, WebhookOutbox } from '../../../src/modules/webhooks/webhook-outbox.js';
import { Database } from '../../../src/platform/database/database.js';
import { createLog } from '../../../src/platform/logging/log.js';
import { Bus } from '../../../src/platform/messaging/bus.js';
import { databaseUrl } from '../../support/config.js';
import { eventually } from '../../support/eventually.js';
import { startTestService, type TestService } from '../../support/service.js';
import { startWebhookReceiver, status, type WebhookReceiver } from '../../support/upstreams/webhook-receiver.js';

let receiver: WebhookReceiver;
let service: TestService;
let database: Database;
let queue: Queue;
let outbox: WebhookOutbox;
beforeAll(async () => {
  receiver = await startWebhookReceiver();
  service = await startTestService();
  const url = databaseUrl(service.database);
  const log = createLog('silent');
  database = await Database.open({ url, entities: ENTITIES, migrations: MIGRATIONS, log });
  queue = new Queue(database, new Bus(url, log), log, { fetchesJobs: false });
  await queue.start();
  await queue.prepare(WEBHOOK_PROJECT_QUEUE);
  outbox = new WebhookOutbox(queue, createWebhookProjectJobs(queue, database));
});
afterAll(async () => {
  await queue.stop();
  await database.close();
  await service.stop();
  await receiver.stop();
});

let projects = 0;
/** Creates a project with the path and URL of its webhook, and those of a receiver for one of its events. */
async function project(isOn: boolean) {
  const path = `/project-${++projects}`;
  const ownPath = `/own-${projects}`;
  const url = `${receiver.origin}${path}`;
  const body = { name: 'Own', webhook_url: url, is_webhook_enabled: isOn };
  const created = await service.rest('POST', '/api/v1/projects/', { body });
  return { id: created.body.id as number, path, url, ownPath, ownUrl: `${receiver.origin}${ownPath}` };
}

const enqueue = (projectId: number, ownUrl?: string | null) =>
  database.transaction(sql =>
    outbox.enqueue(sql, [{ projectId, type: 'scenario_run.finished', data: { id: 5 }, ownUrl }]),
  );
const awaitEnd = (id: number, count: number) =>
  eventually(
    () => service.sql(`select url, state from webhook_delivery where project_id = $1 and state <> 'pending'`, [id]),
    rows => rows.length === count,
  );

it('an event goes to a receiver of its own while the project’s webhook is off', async () => {
  const { id, path, ownPath, ownUrl } = await project(false);
  expect(await enqueue(id, ownUrl)).toHaveLength(1);
  await awaitEnd(id, 1);
  expect(receiver.calls(ownPath).map(call => call.body)).toEqual([
    { type: 'scenario_run.finished', timestamp: expect.any(String), data: { id: 5 } },
  ]);
  expect(receiver.calls(path)).toEqual([]);
});

it('an event goes to both receivers when the webhook is on, and once when they are the same', async () => {
  const { id, path, ownPath, ownUrl, url } = await project(true);
  expect(await enqueue(id, ownUrl)).toHaveLength(2);
  await awaitEnd(id, 2);
  expect([receiver.calls(ownPath).length, receiver.calls(path).length]).toEqual([1, 1]);
  expect(await enqueue(id, url)).toHaveLength(1);
});

it.each([null, undefined, ''])('an event has no receiver of its own for %p', async ownUrl => {
  expect(await enqueue((await project(true)).id, ownUrl)).toHaveLength(1);
  expect(await enqueue((await project(false)).id, ownUrl)).toEqual([]);
});

it('the project’s webhook stays on when a receiver of an event’s own is gone', async () => {
  const { id, ownPath, ownUrl } = await project(true);
  receiver.answer(ownPath, status(410));
  await enqueue(id, ownUrl);
  const rows = await awaitEnd(id, 2);
  expect(rows).toContainEqual({ url: ownUrl, state: 'failed' });
  expect((await service.rest('GET', `/api/v1/projects/${id}/`)).body.is_webhook_enabled).toBe(true);
});

it('an event of a transaction that was rolled back is not sent', async () => {
  const { id } = await project(true);
  const undone = database.transaction(async sql => {
    await outbox.enqueue(sql, [{ projectId: id, type: 'keyword_run.finished', data: {} }]);
    throw new Error('undone');
  });
  await expect(undone).rejects.toThrow('undone');
  expect(await service.sql('select id from webhook_delivery where project_id = $1', [id])).toEqual([]);
});

it('all events of a process that has just started are sent, also when it receives many at once', async () => {
  const { id } = await project(true);
  const fresh = await startTestService({ role: 'api' }, service.database);
  const send = () =>
    fresh.graphql('mutation ($id: Int!) { webhookTest(projectId: $id) { webhookDelivery { id } } }', { id });
  const sent = await Promise.all(Array.from({ length: 20 }, send));
  await fresh.stop();
  expect(sent.filter(({ errors }) => errors)).toEqual([]);
  const rows = await awaitEnd(id, 20);
  expect(rows.every(({ state }) => state === 'delivered')).toBe(true);
});
