import { Backlog } from '../jobs/backlog.js';
import type { Database } from '../platform/database/database.js';
import type { Log } from '../platform/logging/log.js';
import type { Reading } from '../platform/metrics/reading.js';

type Active = { readonly kind: string; readonly active: number };

/** What is read of the house when somebody looks at its metrics. */
export function readingsOf(parts: {
  database: Database;
  log: Log;
  jobs: readonly Active[];
  slots: readonly Reading[];
  streams: OpenStreams;
}): Reading[] {
  const { database, log, jobs, slots, streams } = parts;
  return [
    ...new Backlog(database, log).readings,
    ...slots,
    {
      name: 'scenarium_runs_active',
      help: 'Runs that this process executes, and webhooks that it is sending.',
      labels: ['kind'],
      read: () => jobs.map(({ kind, active }) => ({ labels: { kind }, value: active })),
    },
    {
      name: 'scenarium_database_connections',
      help: 'Connections of this process to the database, by what they do; `waiting` counts statements that wait for one.',
      labels: ['state'],
      read: () => Object.entries(database.connections).map(([state, value]) => ({ labels: { state }, value })),
    },
    {
      name: 'scenarium_subscriptions_open',
      help: 'Subscriptions that are open in this process.',
      labels: ['field'],
      read: () => [...streams.counts].map(([field, value]) => ({ labels: { field }, value })),
    },
  ];
}

/** Counts streams of subscriptions while they are open. */
export class OpenStreams {
  readonly counts = new Map<string, number>();

  constructor(fields: Iterable<string>) {
    for (const field of fields) this.counts.set(field, 0);
  }

  /** The same stream; it ends with its last value, or when whoever reads it leaves. */
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
