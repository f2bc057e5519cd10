import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { LeasedProject, ProjectJobs } from '../../src/durable/project-jobs.js';
import { Queue } from '../../src/durable/queue.js';
import { MIGRATIONS } from '../../src/migrations/index.js';
import { ENTITIES } from '../../src/modules/registry.js';
import { createWebhookProjectJobs } from '../../src/modules/webhooks/assembly.js';
import {
  WEBHOOK_PROJECT_QUEUE,
  WEBHOOK_RETRY_QUEUE,
  WebhookOutbox,
} from '../../src/modules/webhooks/webhook-outbox.js';
import { Reconciliation } from '../../src/modules/workflow-runs/reconciliation/reconciliation.js';
import { Database, type Sql } from '../../src/platform/database/database.js';
import { createLog } from '../../src/platform/logging/log.js';
import { Bus } from '../../src/platform/messaging/bus.js';
import { databaseUrl } from '../support/config.js';
import { createDatabase, startTestService, type TestService } from '../support/service.js';

let service: TestService;
let database: Database;
let queue: Queue;
let projects: ProjectJobs;
let outbox: WebhookOutbox;
beforeAll(async () => {
  service = await startTestService({ role: 'api' }, await createDatabase());
  const url = databaseUrl(service.database);
  const log = createLog('silent');
  database = await Database.open({ url, entities: ENTITIES, migrations: MIGRATIONS, log });
  queue = new Queue(database, new Bus(url, log), log, { fetchesJobs: false });
  await queue.start();
  await queue.prepare(WEBHOOK_PROJECT_QUEUE);
  projects = createWebhookProjectJobs(queue, database);
  outbox = new WebhookOutbox(queue, projects);
});
afterAll(async () => {
  await queue.stop();
  await database.close();
  await service.stop();
});

async function createProject(): Promise<number> {
  const { body } = await service.rest('POST', '/api/v1/projects/', {
    body: { name: 'Hooks', webhook_url: 'https://example.com/', is_webhook_enabled: true },
  });
  return body.id;
}

const enqueue = (sql: Sql, projectId: number) => outbox.enqueue(sql, [{ projectId, type: 'webhook.test', data: {} }]);
const deliver = (projectId: number) =>
  service.sql(`update webhook_delivery set state = 'delivered', next_at = null where project_id = $1`, [projectId]);
const states = async () =>
  (await service.sql('select state from pgboss.job where name = $1', [WEBHOOK_PROJECT_QUEUE])).map(job => job.state);

async function claimOnlyProject(): Promise<LeasedProject> {
  const held = await projects.claim(10);
  expect(held).toHaveLength(1);
  return held[0]!;
}

it('a project has one job for all its deliveries, which no second process gets and which ends with them', async () => {
  const project = await createProject();
  for (let event = 0; event < 3; event++) await database.transaction(sql => enqueue(sql, project));
  expect(await states()).toEqual(['created']);
  const held = await claimOnlyProject();
  expect(held.projectId).toBe(project);
  await database.transaction(sql => enqueue(sql, project));
  expect(await projects.claim(10)).toEqual([]);
  expect(await projects.end([held])).toEqual(new Set([project]));
  await deliver(project);
  expect(await projects.end([held])).toEqual(new Set());
  expect(await states()).toEqual([]);
});

it('a job does not end while a transaction that found it adds deliveries', async () => {
  const project = await createProject();
  await database.transaction(sql => enqueue(sql, project));
  const held = await claimOnlyProject();
  await deliver(project);
  await database.transaction(async sql => {
    await enqueue(sql, project);
    expect(await projects.end([held])).toEqual(new Set([project]));
  });
  // It is committed by now, and counts.
  expect(await projects.end([held])).toEqual(new Set([project]));
  await deliver(project);
  expect(await projects.end([held])).toEqual(new Set());
});

it('a job that is given back goes to the next process, and its previous holder cannot end it', async () => {
  const project = await createProject();
  await database.transaction(sql => enqueue(sql, project));
  const held = await claimOnlyProject();
  await projects.release([held]);
  const other = await claimOnlyProject();
  expect(await projects.renew([held])).toEqual([]);
  expect(await projects.renew([other])).toEqual([other]);
  await deliver(project);
  await projects.end([held]);
  expect(await states()).toEqual(['active']);
  await projects.end([other]);
  expect(await states()).toEqual([]);
});

it('a lost job is created again by the reconciliation', async () => {
  const project = await createProject();
  await database.transaction(sql => enqueue(sql, project));
  const reconciliation = new Reconciliation(database.longRunning);
  expect(await reconciliation.differences()).toEqual([]);
  await service.sql('delete from pgboss.job where name = $1', [WEBHOOK_PROJECT_QUEUE]);
  expect((await reconciliation.differences()).map(({ subject }) => subject)).toEqual([
    `jobs of the webhooks of project ${project}`,
  ]);
  await reconciliation.fix();
  expect(await reconciliation.differences()).toEqual([]);
  // The reconciliation creates a due retry of the project.
  expect(await queue.boss.fetch(WEBHOOK_RETRY_QUEUE)).toEqual([
    expect.objectContaining({ data: { projectId: project } }),
  ]);
});
