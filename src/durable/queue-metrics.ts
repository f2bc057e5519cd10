import type { Log } from '../platform/logging/log.js';
import { cachedQuery } from '../platform/metrics/cached-query.js';
import type { PolledMetric, Sample } from '../platform/metrics/polled-metric.js';
import { DEAD_LETTER_KINDS, deadLetterQueue } from './dead-letters.js';
import type { Queue } from './queue.js';

type QueueCounts = Awaited<ReturnType<Queue['boss']['getQueues']>>;

/**
 * Metrics of the queues, from the latest counts of pg-boss. They are the same in all processes, and have no samples
 * while the database is unavailable.
 */
export function queueMetrics({ boss }: Queue, log: Log): PolledMetric[] {
  const counts = cachedQuery(
    () => boss.getQueues(),
    error => log.warn({ reason: error.message }, 'reading the queue counts failed'),
  );
  const loadCounts = async () => (await counts()) ?? [];
  return [
    {
      name: 'scenarium_queue_jobs',
      help: 'Jobs of each pg-boss queue over all processes: ready to be fetched, deferred, or active.',
      labels: ['queue', 'state'],
      read: async () => (await loadCounts()).flatMap(samplesOf),
    },
    {
      name: 'scenarium_dead_letters',
      help: 'Dead letters of the last 30 days over all processes: runs whose workers stopped responding, and webhook deliveries without attempts left.',
      labels: ['kind'],
      read: async () => {
        const depths = new Map((await loadCounts()).map(({ name, queuedCount }) => [name, queuedCount]));
        return DEAD_LETTER_KINDS.flatMap(kind => {
          const value = depths.get(deadLetterQueue(kind));
          return value === undefined ? [] : [{ labels: { kind }, value }];
        });
      },
    },
  ];
}

function samplesOf({ name: queue, readyCount, deferredCount, activeCount }: QueueCounts[number]): Sample[] {
  return [
    { labels: { queue, state: 'ready' }, value: readyCount },
    { labels: { queue, state: 'deferred' }, value: deferredCount },
    { labels: { queue, state: 'active' }, value: activeCount },
  ];
}
