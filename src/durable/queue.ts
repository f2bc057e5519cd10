import { type JobInsert, PgBoss } from 'pg-boss';
import type { Database, Sql } from '../platform/database/database.js';
import type { Log } from '../platform/logging/log.js';
import type { Bus } from '../platform/messaging/bus.js';

/** The topic that wakes the workers of a queue without a job: for work that is found by its rows. */
export function arrivalTopic(queue: string): string {
  return `arrival:${queue}`;
}

/** How pg-boss keeps the jobs of one queue. */
export type QueueOptions = NonNullable<Parameters<PgBoss['createQueue']>[1]>;

/** A wake-up is acknowledged as soon as its run is claimed: one that stays active longer belongs to a dead worker. */
export const WAKE_UP_QUEUE: QueueOptions = {
  notify: true,
  retryLimit: 1_000,
  retryDelay: 0,
  expireInSeconds: 8,
  retentionSeconds: 30 * 86_400,
};

/**
 * pg-boss on the house's own pool and LISTEN connection: a job starts within milliseconds of the commit that sent
 * it, and a job sent inside a transaction exists if and only if that transaction commits.
 */
export class Queue {
  readonly boss: PgBoss;
  readonly #wakers = new Map<string, Set<() => void>>();

  constructor(
    database: Database,
    private readonly bus: Bus,
    log: Log,
    options: {
      /** Fetches jobs and does the queue's housekeeping. A process that only sends does neither. */
      works: boolean;
    },
  ) {
    this.boss = new PgBoss({
      db: {
        executeSql: (text: string, values?: unknown[]) =>
          executorOf(isHousekeeping(text) ? database.longRunning : database).executeSql(text, values),
        listen: (channel, onPayload, onReconnect) =>
          bus.listen(
            channel,
            queue => {
              onPayload(queue);
              for (const wake of this.#wakers.get(queue) ?? []) wake();
            },
            () => {
              onReconnect();
              for (const wakers of this.#wakers.values()) for (const wake of wakers) wake();
            },
          ),
      },
      schema: 'pgboss',
      useListenNotify: options.works,
      supervise: options.works,
      schedule: options.works,
      superviseIntervalSeconds: 2,
      monitorIntervalSeconds: 5,
    });
    this.boss.on('error', error => log.error({ err: error }, 'queue'));
    this.boss.on('warning', warning => log.warn({ warning }, 'queue'));
  }

  async start(): Promise<void> {
    await this.boss.start();
  }

  /** Sends jobs inside the caller's transaction. A job whose id is already queued is left as it is. */
  async send(name: string, jobs: JobInsert[], sql: Sql): Promise<void> {
    await this.boss.insert(name, jobs, { db: executorOf(sql) });
  }

  /** Calls `wake` when a job may have arrived on `name`, or `arrivalTopic` was notified. */
  onArrival(name: string, wake: () => void): () => void {
    const wakers = this.#wakers.get(name) ?? new Set();
    this.#wakers.set(name, wakers.add(wake));
    const unsubscribe = this.bus.subscribe(arrivalTopic(name), wake);
    return () => {
      wakers.delete(wake);
      unsubscribe();
    };
  }

  async stop(): Promise<void> {
    await this.boss.stop({ graceful: true, timeout: 5_000 });
  }
}

/** Statements over whole tables: pg-boss makes them transactions under its locks, or builds an index anew. */
function isHousekeeping(text: string): boolean {
  return /^\s*(?:begin|create|drop|reindex)\b/i.test(text);
}

function executorOf(sql: Sql) {
  return {
    executeSql: async (text: string, values?: unknown[]) => ({
      rows: await sql.query<Record<string, unknown>>(text, values),
    }),
  };
}
