import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { startFairWorkers } from '../../src/durable/fair-workers.js';
import type { Queue } from '../../src/durable/queue.js';
import { startQueueWorkers } from '../../src/durable/queue-workers.js';
import { ensureQueues } from '../../src/durable/worker.js';
import {
  RESET_EMAIL_JOBS,
  RESET_EMAIL_QUEUE,
  ResetEmailJob,
} from '../../src/modules/accounts/reset-emails/reset-email.job.js';
import {
  EVENT_JOBS,
  EVENT_QUEUE,
  WorkflowEventJob,
} from '../../src/modules/workflow-runs/events/workflow-event.job.js';
import { ERROR_HANDLER_JOBS, ErrorHandlerJob } from '../../src/modules/workflow-runs/execution/error-handlers.js';
import { ERROR_HANDLER_QUEUE } from '../../src/modules/workflow-runs/journal/run-recorder.js';
import type { Database } from '../../src/platform/database/database.js';
import { createLog } from '../../src/platform/logging/log.js';
import { openDatabase } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { openQueue } from '../support/jobs/open-queue.js';

const QUEUE = 'burst';
const TURNS = 'turns';
const PARALLEL = 'parallel';
const RETRIES = { retryLimit: 3, retryDelay: 0 };
const JOBS = 8;
const log = createLog('silent');

let database: Database;
let queue: Queue;
beforeAll(async () => {
  database = await openDatabase();
  queue = await openQueue(database, { [QUEUE]: RETRIES, [TURNS]: RETRIES, [PARALLEL]: RETRIES });
});
afterAll(async () => {
  await queue?.stop();
  await database?.close();
});

it('a worker executes a burst of jobs without waiting for polls, also after a job that fails', async () => {
  const data = Array.from({ length: JOBS }, (_, number) => ({ data: { number } }));
  await queue.send(QUEUE, data, database);
  const done: number[] = [];
  let isFirst = true;
  const workers = startQueueWorkers<{ number: number }>({ queue, log }, QUEUE, 1, async ({ data }) => {
    if (isFirst) {
      isFirst = false;
      throw new Error('fails once');
    }
    done.push(data.number);
  });
  // With a poll every five seconds between two jobs it would take more than 30 seconds.
  await eventually(
    async () => done,
    all => all.length === JOBS,
    { withinMs: 70_000 },
  );
  expect(done.toSorted((a, b) => a - b)).toEqual(data.map(({ data: { number } }) => number));
  await workers.stop(10_000);
});

it.each([
  ['a delivery of an event', EVENT_QUEUE, EVENT_JOBS, WorkflowEventJob],
  ['a start of an error workflow', ERROR_HANDLER_QUEUE, ERROR_HANDLER_JOBS, ErrorHandlerJob],
  ['an email with a link for a new password', RESET_EMAIL_QUEUE, RESET_EMAIL_JOBS, ResetEmailJob],
])('%s does not delay the shutdown beyond the grace period', async (_, name, options, JobOfQueue) => {
  await ensureQueues(queue, { [name]: options });
  await queue.send(name, [{ data: { email: 'ada@example.com', client: null } }], database);
  const started = Promise.withResolvers<void>();
  const answer = Promise.withResolvers<[]>();
  const slowDatabase = {
    query() {
      started.resolve();
      return answer.promise;
    },
  };
  const job = new JobOfQueue({ queue, log, database: slowDatabase, config: { mail: {} } } as never);
  job.start();
  await started.promise;
  await job.stop(100);
  answer.resolve([]);
  await job.stop(10_000);
});

/** Sends one job for each project, in this order, and returns the project of each job by its id. */
async function sendJobs(name: string, projects: readonly string[]): Promise<Map<string, string>> {
  const jobs = projects.map(project => ({ id: randomUUID(), group: { id: project } }));
  // Each in its own statement, because jobs are fetched by the time at which they were sent.
  for (const job of jobs) await queue.send(name, [job], database);
  return new Map(jobs.map(({ id, group }) => [id, group.id]));
}

it('projects take turns, and a job that fails is repeated', async () => {
  const projects = await sendJobs(TURNS, ['1', '1', '1', '2', '2', '3']);
  const executed: (string | undefined)[] = [];
  const workers = startFairWorkers({ queue, log }, TURNS, 1, async ({ id }) => {
    executed.push(projects.get(id));
    if (executed.length === 1) throw new Error('fails once');
  });
  await eventually(
    async () => executed,
    all => all.length === 7,
  );
  await workers.stop(1_000);
  expect(executed).toEqual(['1', '2', '3', '1', '2', '1', '1']);
});

it('a project has one active job, and its backlog does not delay other projects', async () => {
  const projects = await sendJobs(PARALLEL, ['1', '1', '1', '2', '2', '2', '3']);
  const started: string[] = [];
  const workers = startFairWorkers({ queue, log }, PARALLEL, 4, async ({ id }) => {
    const project = projects.get(id) ?? '';
    started.push(project);
    if (project !== '3') await new Promise(() => {});
  });
  await eventually(
    async () => started,
    all => all.length === 3,
  );
  await workers.stop(10);
  expect(started.toSorted()).toEqual(['1', '2', '3']);
  const rest = await database.query('select from pgboss.job where name = $1 and state in ($2, $3)', [
    ...[PARALLEL, 'created', 'retry'],
  ]);
  expect(rest).toHaveLength(6);
});
