import type { Database } from '../platform/database/database.js';
import type { Log } from '../platform/logging/log.js';
import { cachedQuery } from '../platform/metrics/cached-query.js';
import type { PolledMetric, Sample } from '../platform/metrics/polled-metric.js';
import { type ReadyJobs, readReadyJobs } from './backlog.sql.js';
import { DEAD_LETTER_KINDS, deadLetterQueue } from './dead-letters.js';
import type { Queue } from './queue.js';

type QueueCounts = Awaited<ReturnType<Queue['boss']['getQueues']>>[number];

interface QueueFigures extends QueueCounts {
  ready: ReadyJobs | undefined;
}

/**
 * Metrics of all queues. Ready jobs are read at the scrape, also while no worker runs. Other counts are the latest of pg-boss, which
 * workers refresh. They are the same in all processes, and have no samples while the database is unavailable.
 */
export function queueMetrics({ boss }: Queue, database: Database, log: Log): PolledMetric[] {
  const figures = cachedQuery(
    async () => {
      const [queues, ready] = await Promise.all([boss.getQueues(), readReadyJobs(database)]);
      const readyByQueue = new Map(ready.map(jobs => [jobs.queue, jobs]));
      return queues.map(queue => ({ ...queue, ready: readyByQueue.get(queue.name) }));
    },
    error => log.warn({ reason: error.message }, 'reading the queue counts failed'),
  );
  const loadFigures = async () => (await figures()) ?? [];
  return [
    {
      name: 'scenarium_queue_jobs',
      help: 'Jobs of each pg-boss queue over all processes: ready to be fetched, deferred, or active.',
      labels: ['queue', 'state'],
      read: async () => (await loadFigures()).flatMap(countsOf),
    },
    {
      name: 'scenarium_queue_oldest_job_seconds',
      help: 'Time in seconds since the oldest ready job of each pg-boss queue became due, over all processes. 0 when none is ready.',
      labels: ['queue'],
      read: async () =>
        (await loadFigures()).map(({ name: queue, ready }) => ({
          labels: { queue },
          value: Math.max(ready?.oldest ?? 0, 0),
        })),
    },
    {
      name: 'scenarium_dead_letters',
      help: 'Dead letters of the last 30 days over all processes: runs whose workers stopped responding, and webhook deliveries without attempts left.',
      labels: ['kind'],
      read: async () => {
        const depths = new Map((await loadFigures()).map(({ name, queuedCount }) => [name, queuedCount]));
        return DEAD_LETTER_KINDS.flatMap(kind => {
          const value = depths.get(deadLetterQueue(kind));
          return value === undefined ? [] : [{ labels: { kind }, value }];
        });
      },
    },
  ];
}

function countsOf({ name: queue, ready, deferredCount, activeCount }: QueueFigures): Sample[] {
  return [
    { labels: { queue, state: 'ready' }, value: ready?.count ?? 0 },
    { labels: { queue, state: 'deferred' }, value: deferredCount },
    { labels: { queue, state: 'active' }, value: activeCount },
  ];
}
