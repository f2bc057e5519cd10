import type { Log } from '../platform/logging/log.js';
import { cachedReading } from '../platform/metrics/cached-reading.js';
import type { Reading, Sample } from '../platform/metrics/reading.js';
import { DEAD_LETTER_KINDS, deadLetterQueue } from './dead-letters.js';
import type { Queue } from './queue.js';

type QueueCounts = Awaited<ReturnType<Queue['boss']['getQueues']>>;

/** The queues as pg-boss counted them last; the same in all processes. Without samples while the database does not answer. */
export function queueReadings({ boss }: Queue, log: Log): Reading[] {
  const counts = cachedReading(
    () => boss.getQueues(),
    error => log.warn({ reason: error.message }, 'the queues could not be counted'),
  );
  const look = async () => (await counts()) ?? [];
  return [
    {
      name: 'scenarium_queue_jobs',
      help: 'Jobs of each pg-boss queue, in all processes together: ready to be fetched, deferred, or active.',
      labels: ['queue', 'state'],
      read: async () => (await look()).flatMap(samplesOf),
    },
    {
      name: 'scenarium_dead_letters',
      help: 'Runs that failed because their workers died, and webhook deliveries that were given up, in the last 30 days, in all processes together.',
      labels: ['kind'],
      read: async () => {
        const depths = new Map((await look()).map(({ name, queuedCount }) => [name, queuedCount]));
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
