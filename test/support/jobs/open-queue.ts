import { Queue, type QueueOptions } from '../../../src/durable/queue.js';
import { ensureQueues } from '../../../src/durable/worker.js';
import type { Database } from '../../../src/platform/database/database.js';
import { createLog } from '../../../src/platform/logging/log.js';
import { Bus } from '../../../src/platform/messaging/bus.js';

/**
 * Starts pg-boss with these queues. The bus is not started: without notifications a worker fetches only at its polls and after each of
 * its jobs.
 */
export async function openQueue(database: Database, queues: Readonly<Record<string, QueueOptions>>): Promise<Queue> {
  const log = createLog('silent');
  const queue = new Queue(database, new Bus(database.url, log), log, { fetchesJobs: false });
  await queue.start();
  await ensureQueues(queue, queues);
  return queue;
}
