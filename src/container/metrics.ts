import { backlogMetrics } from '../durable/backlog.js';
import type { Queue } from '../durable/queue.js';
import { queueMetrics } from '../durable/queue-metrics.js';
import type { Job } from '../durable/worker.js';
import type { Database } from '../platform/database/database.js';
import type { Log } from '../platform/logging/log.js';
import type { PolledMetric } from '../platform/metrics/polled-metric.js';

/** Returns the metrics that belong to no module. */
export function serviceMetrics(parts: {
  database: Database;
  queue: Queue;
  log: Log;
  jobs: readonly Job[];
  streams: CountedStreams;
}): PolledMetric[] {
  const { database, queue, log, jobs, streams } = parts;
  const countedJobs = jobs.flatMap(job => (job.kind === undefined ? [] : [job]));
  return [
    ...backlogMetrics(database, log),
    ...queueMetrics(queue, database, log),
    {
      name: 'scenarium_runs_active',
      help: 'Runs and webhook deliveries in progress in this process.',
      labels: ['kind'],
      read: () => countedJobs.map(({ kind, active }) => ({ labels: { kind: kind! }, value: active ?? 0 })),
    },
    {
      name: 'scenarium_database_connections',
      help: 'Database connections of this process by state. `waiting` counts statements that wait for a connection.',
      labels: ['state'],
      read: () => Object.entries(database.connections).map(([state, value]) => ({ labels: { state }, value })),
    },
    {
      name: 'scenarium_subscriptions_open',
      help: 'Open subscriptions of this process.',
      labels: ['field'],
      read: () => [...streams.counts].map(([field, value]) => ({ labels: { field }, value })),
    },
  ];
}

/** Counts open streams of subscriptions. */
export class CountedStreams {
  readonly counts = new Map<string, number>();

  constructor(fields: Iterable<string>) {
    for (const field of fields) this.counts.set(field, 0);
  }

  /** Returns a counted copy of the stream. It counts until the last value or until its reader leaves. */
  counted<T>(field: string, stream: AsyncIterable<T>): AsyncIterableIterator<T> {
    const source = stream[Symbol.asyncIterator]();
    let isOpen = true;
    const add = (more: number) => this.counts.set(field, (this.counts.get(field) ?? 0) + more);
    const end = () => {
      if (isOpen) add(-1);
      isOpen = false;
    };
    add(1);
    const watched = (result: Promise<IteratorResult<T>>) =>
      result.then(
        one => {
          if (one.done) end();
          return one;
        },
        error => {
          end();
          throw error;
        },
      );
    return {
      [Symbol.asyncIterator]() {
        return this;
      },
      next: () => watched(source.next()),
      return: async value => {
        end();
        return (await source.return?.(value)) ?? { done: true, value: undefined };
      },
    };
  }
}
