import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { PROJECT_JOBS } from '../../src/durable/project-jobs.js';
import { Queue, RUN_JOBS } from '../../src/durable/queue.js';
import { ensureQueues } from '../../src/durable/worker.js';
import { createWebhookProjectJobs } from '../../src/modules/webhooks/assembly.js';
import { WEBHOOK_PROJECT_QUEUE, WebhookOutbox } from '../../src/modules/webhooks/webhook-outbox.js';
import { RUN_QUEUE } from '../../src/modules/workflow-runs/execution/run-claims.js';
import { recordRuns, recordRunsSql } from '../../src/modules/workflow-runs/journal/record-runs.sql.js';
import type { Database, Sql } from '../../src/platform/database/database.js';
import { createLog } from '../../src/platform/logging/log.js';
import { Bus } from '../../src/platform/messaging/bus.js';
import { openDatabase } from '../support/database.js';

interface Plan {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Cond'?: string;
  Plans?: Plan[];
}

let database: Database;
let queue: Queue;
beforeAll(async () => {
  database = await openDatabase();
  const log = createLog('silent');
  queue = new Queue(database, new Bus(database.url, log), log, { fetchesJobs: false });
  await queue.start();
  await ensureQueues(queue, { [RUN_QUEUE]: RUN_JOBS, [WEBHOOK_PROJECT_QUEUE]: PROJECT_JOBS });
});
afterAll(async () => {
  await queue?.stop();
  await database?.close();
});

const scansIn = (plan: Plan, table: string): Plan[] => [
  ...(plan['Relation Name'] === table && plan['Node Type'].endsWith('Scan') ? [plan] : []),
  ...(plan.Plans ?? []).flatMap(part => scansIn(part, table)),
];

/** As after the migrations of a new database. The template of the tests has been vacuumed. */
const WITHOUT_STATISTICS = `
  update pg_class set relpages = 0, reltuples = -1 where relname in ('workflow_run', 'job_common')`;

// Processes keep this plan while the tables grow (ADR 0020).
it('ends of runs are written with a plan that finds each run and each job by its id', async () => {
  await database.query(WITHOUT_STATISTICS);
  const outbox = new WebhookOutbox(queue, createWebhookProjectJobs(queue, database));
  const text = recordRunsSql({ jobs: queue.statements(RUN_QUEUE), webhookJobs: outbox.wakeSql('deliveries') });
  const explaining = {
    byKey: (_name: string, statement: string, values: unknown[]) =>
      database.byKey('explain-record-runs', `explain (format json) ${statement}`, values),
  } as unknown as Sql;
  const rows: unknown[] = await recordRuns(explaining, { text, rows: [], topics: [], srPerUsd: '1' });
  const plan = (rows[0] as { 'QUERY PLAN': [{ Plan: Plan }] })['QUERY PLAN'][0].Plan;
  const conditions = (table: string) => scansIn(plan, table).map(scan => scan['Index Cond']);
  expect(conditions('workflow_run')).not.toHaveLength(0);
  for (const condition of conditions('workflow_run')) expect(condition).toMatch(/\bid = g(_\d+)?\.run_id\b/);
  expect(conditions('job_common')).not.toHaveLength(0);
  for (const condition of conditions('job_common')) expect(condition).toMatch(/name = .*\bid = /);
});
