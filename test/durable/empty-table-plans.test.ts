import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { PROJECT_JOBS } from '../../src/durable/project-jobs.js';
import { type Queue, RUN_JOBS } from '../../src/durable/queue.js';
import { createLeaseExecutor } from '../../src/durable/queue.sql.js';
import { createWebhookProjectJobs } from '../../src/modules/webhooks/assembly.js';
import { WEBHOOK_PROJECT_QUEUE, WebhookOutbox } from '../../src/modules/webhooks/webhook-outbox.js';
import { RUN_QUEUE } from '../../src/modules/workflow-runs/execution/run-claims.js';
import { recordRuns, recordRunsSql } from '../../src/modules/workflow-runs/journal/record-runs.sql.js';
import type { Database, Sql } from '../../src/platform/database/database.js';
import { openDatabase } from '../support/database.js';
import { openQueue } from '../support/jobs/open-queue.js';

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
  queue = await openQueue(database, { [RUN_QUEUE]: RUN_JOBS, [WEBHOOK_PROJECT_QUEUE]: PROJECT_JOBS });
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

const FETCHES = [
  { what: 'all jobs', options: {} },
  { what: 'jobs of some projects', options: { ignoreGroups: ['1', '2'] } },
  { what: 'jobs of new runs', options: { ignoreGroups: ['1'], maxPriority: 0 } },
];

it.each(FETCHES)(
  '$what are fetched by one prepared plan that reads them in order and stops at the number',
  async ({ options }) => {
    await database.query(WITHOUT_STATISTICS);
    const texts = new Set<string>();
    const plans: Plan[] = [];
    const explaining = {
      byKey: async (name: string, text: string, values: unknown[]) => {
        texts.add(text);
        const [row] = await database.byKey<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
          `explain-${name}`,
          `explain (format json) ${text}`,
          values,
        );
        plans.push(row!['QUERY PLAN'][0].Plan);
        return [];
      },
    } as unknown as Database;
    for (const batchSize of [1, 45])
      await queue.boss.fetch(RUN_QUEUE, { ...options, batchSize, db: createLeaseExecutor(explaining) });

    expect(texts.size).toBe(1);
    expect(plans).toHaveLength(2);
    for (const plan of plans) {
      expect(JSON.stringify(plan)).not.toContain('"Sort"');
      const scans = scansIn(plan, 'job_common');
      expect(scans.map(scan => scan['Index Cond'])).toEqual([
        expect.stringMatching(/name = '.*start_after <= /),
        expect.stringMatching(/name = .*\bid = /),
      ]);
    }
  },
);

it('fetches as many jobs as asked for, in the order of their projects', async () => {
  const jobs = Array.from({ length: 5 }, (_each, runsAhead) => ({ id: randomUUID(), projectId: 1, runsAhead }));
  await queue.accept(RUN_QUEUE, jobs, database);

  const idsOf = (fetched: { id: string }[]) => fetched.map(job => job.id).toSorted();
  expect(idsOf(await queue.fetchJobs(RUN_QUEUE, 2, []))).toEqual(idsOf(jobs.slice(0, 2)));
  expect(await queue.fetchJobs(RUN_QUEUE, 45, [1])).toEqual([]);
  expect(idsOf(await queue.fetchJobs(RUN_QUEUE, 45, []))).toEqual(idsOf(jobs.slice(2)));
});
