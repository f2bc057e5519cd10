import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Queue } from '../../src/durable/queue.js';
import { startQueueWorkers } from '../../src/durable/queue-workers.js';
import { ensureQueues } from '../../src/durable/worker.js';
import type { Database } from '../../src/platform/database/database.js';
import { createLog } from '../../src/platform/logging/log.js';
import { Bus } from '../../src/platform/messaging/bus.js';
import { openDatabase } from '../support/database.js';
import { eventually } from '../support/eventually.js';

const QUEUE = 'burst';
const JOBS = 8;
const log = createLog('silent');

let database: Database;
let queue: Queue;
beforeAll(async () => {
  database = await openDatabase();
  // The bus is not started. Without notifications a worker fetches only at its polls and after each of its jobs.
  queue = new Queue(database, new Bus(database.url, log), log, { fetchesJobs: false });
  await queue.start();
  await ensureQueues(queue, { [QUEUE]: { retryLimit: 3, retryDelay: 1 } });
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
  const workers = await startQueueWorkers<{ number: number }>(queue.boss, QUEUE, 1, async ({ data }) => {
    if (isFirst) {
      isFirst = false;
      throw new Error('fails once');
    }
    done.push(data.number);
  });
  // With a poll every 15 seconds between two jobs it would take more than 100 seconds.
  await eventually(
    async () => done,
    all => all.length === JOBS,
    { withinMs: 70_000 },
  );
  expect(done.toSorted((a, b) => a - b)).toEqual(data.map(({ data: { number } }) => number));
  for (const id of workers) await queue.boss.offWork(QUEUE, { id, wait: true });
});
