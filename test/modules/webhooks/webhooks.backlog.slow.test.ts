import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { eventually } from '../../support/eventually.js';
import { createDatabase, startTestService, type TestService } from '../../support/service.js';
import { startWebhookReceiver, status, type WebhookReceiver } from '../../support/upstreams/webhook-receiver.js';

let receiver: WebhookReceiver;
let service: TestService;
beforeAll(async () => {
  receiver = await startWebhookReceiver();
  service = await startTestService({ role: 'api' }, await createDatabase());
});
afterAll(async () => {
  await service.stop();
  await receiver.stop();
});

async function createProject(path: string): Promise<number> {
  const { body } = await service.rest('POST', '/api/v1/projects/', {
    body: { name: path, webhook_url: `${receiver.origin}${path}`, is_webhook_enabled: true },
  });
  return body.id;
}

/** Inserts deliveries that are due, as runs would. The last one also inserts the job of the project. */
async function fill(project: number, path: string, count: number): Promise<void> {
  await service.sql(
    `insert into webhook_delivery (id, project_id, url, is_to_project, type, body, next_at)
     select gen_random_uuid(), $1, $2, true, 'test', '{"type": "test", "timestamp": "", "data": {}}', now() - interval '1 minute'
       from generate_series(1, $3)`,
    [project, `${receiver.origin}${path}`, count - 1],
  );
  await service.graphql(`mutation { webhookTest(projectId: ${project}) { webhookDelivery { id } } }`);
}

it('a backlog is sent by as many lanes as its receiver earns, also when receivers of other projects are dead', async () => {
  const slow = await createProject('/slow');
  let [now, most] = [0, 0];
  receiver.answer('/slow', response => {
    most = Math.max(most, ++now);
    setTimeout(() => {
      now--;
      response.writeHead(204).end();
    }, 200);
  });
  await fill(slow, '/slow', 600);
  // They accept every delivery and never answer.
  for (let dead = 0; dead < 10; dead++) {
    receiver.answer(`/dead${dead}`, () => {});
    await fill(await createProject(`/dead${dead}`), `/dead${dead}`, 50);
  }
  const worker = await startTestService({ role: 'worker', shutdownGraceMs: 500 }, service.database);
  const delivered = () =>
    service.sql(`select attempts from webhook_delivery where project_id = $1 and state = 'delivered'`, [slow]);
  const rows = await eventually(delivered, all => all.length === 600, { withinMs: 120_000 });
  expect(rows.every(({ attempts }) => attempts === 1)).toBe(true);
  expect(receiver.calls('/slow')).toHaveLength(600);
  expect(most).toBeGreaterThan(20);
  expect(most).toBeLessThanOrEqual(64);
  for (let dead = 0; dead < 10; dead++) expect(receiver.calls(`/dead${dead}`).length).toBeLessThanOrEqual(8);
  await worker.stop();
}, 300_000);

it('attempts that end together, retries included, are each written once', async () => {
  const project = await createProject('/flaky');
  receiver.answer('/flaky', (response, call, nth) => status(nth % 3 === 0 ? 500 : 204)(response, call, nth));
  await fill(project, '/flaky', 90);
  const worker = await startTestService(
    { role: 'worker', shutdownGraceMs: 500, webhookRetrySeconds: [0.05, 0.05, 0.05, 0.05, 0.05, 0.05] },
    service.database,
  );
  const counts = () =>
    service.sql(
      `select (select count(*)::int from webhook_delivery where project_id = $1 and state = 'delivered') as delivered,
              (select count(*)::int from webhook_attempt a join webhook_delivery d on d.id = a.delivery_id
                where d.project_id = $1)
              + (select count(delivered_at)::int from webhook_delivery where project_id = $1) as attempts`,
      [project],
    );
  const [row] = await eventually(counts, ([one]) => one?.delivered === 90, { withinMs: 120_000 });
  expect(row?.attempts).toBe(receiver.calls('/flaky').length);
  await worker.stop();
}, 300_000);
