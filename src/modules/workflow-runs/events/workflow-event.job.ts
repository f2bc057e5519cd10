import { startFairWorkers } from '../../../durable/fair-workers.js';
import type { Queue, QueueOptions } from '../../../durable/queue.js';
import type { Job, Worker } from '../../../durable/worker.js';
import type { Database } from '../../../platform/database/database.js';
import { NOW, queryBuilder } from '../../../platform/database/typed-queries.js';
import type { Log } from '../../../platform/logging/log.js';
import { failpoint } from '../../../platform/testing/failpoint.js';
import type { RunClaims } from '../execution/run-claims.js';
import type { RunTables } from '../run-tables.js';
import type { EventListener } from './event-listeners.js';
import type { EventWaits } from './event-waits.js';

/** The queue of sent events. The id of a job is the id of its event. */
export const EVENT_QUEUE = 'workflow-event';

/** A job per event. It is sent in the transaction that stores the event. */
export const EVENT_JOBS: QueueOptions = {
  notify: true,
  retryLimit: 1_000,
  retryDelay: 2,
  // Another process then repeats the job, which is harmless also while the first one executes it.
  expireInSeconds: 8,
  deleteAfterSeconds: 60,
};

/** Projects whose jobs a process executes at the same time. */
const CONCURRENCY = 4;

/** Delivers events to waiting runs and to listeners. A repeated job delivers nothing twice. */
export class WorkflowEventJob implements Job {
  #workers: Worker | undefined;

  constructor(
    private readonly parts: {
      database: Database;
      queue: Queue;
      waits: EventWaits;
      claims: RunClaims;
      log: Log;
      listeners: EventListener[];
    },
  ) {}

  start(): void {
    this.#workers = startFairWorkers(this.parts, EVENT_QUEUE, CONCURRENCY, ({ id }) => this.#deliver(id));
  }

  async stop(graceMs: number): Promise<void> {
    await this.#workers?.stop(graceMs);
  }

  async #deliver(id: string): Promise<void> {
    const { database, waits, claims, listeners } = this.parts;
    const event = await queryBuilder<RunTables>(database)
      .selectFrom('workflow_event')
      .select(['id', 'project_id as projectId', 'digest', 'sent_at as sentAt'])
      .select(['name', 'correlation_key as correlationKey', 'payload', 'ancestry'])
      .where('id', '=', id)
      .executeTakeFirst();
    if (!event) return;
    failpoint('event.before-delivery');
    await waits.deliver(event, (runIds, sql) => claims.signal(runIds, sql));
    for (const listener of listeners) await listener(event);
    failpoint('event.after-delivery');
    await queryBuilder<RunTables>(database)
      .updateTable('workflow_event')
      .set({ delivered_at: NOW })
      .where('id', '=', id)
      .where('delivered_at', 'is', null)
      .execute();
  }
}
