import type { Log } from '../platform/logging/log.js';
import type { Reading, Sample } from '../platform/metrics/reading.js';
import { DEAD_LETTER_KINDS, deadLetterQueue } from './dead-letters.js';
import type { Queue } from './queue.js';

type QueueCounts = Awaited<ReturnType<Queue['boss']['getQueues']>>;

/** Counts are kept this long: however often the metrics are read, the database is asked this often. */
const KEPT_MS = 5_000;
const PATIENCE_MS = 2_000;

/** The queues as pg-boss counted them last; the same in all processes. Without samples while the database does not answer. */
export function queueReadings({ boss }: Queue, log: Log): Reading[] {
  let counts: Promise<QueueCounts> | undefined;
  let until = 0;
  const look = () => {
    if (!counts || Date.now() > until) {
      until = Date.now() + KEPT_MS;
      counts = withinPatience(boss.getQueues(), log);
    }
    return counts;
  };
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

async function withinPatience(counting: Promise<QueueCounts>, log: Log): Promise<QueueCounts> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<QueueCounts>(resolve => {
    timer = setTimeout(() => resolve([]), PATIENCE_MS);
  });
  const counted = counting.catch((error: Error) => {
    log.warn({ reason: error.message }, 'the queues could not be counted');
    return [];
  });
  return Promise.race([counted, late]).finally(() => clearTimeout(timer));
}
