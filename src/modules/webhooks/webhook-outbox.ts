import type { ProjectJobs } from '../../durable/project-jobs.js';
import type { Queue } from '../../durable/queue.js';
import type { Sql } from '../../platform/database/database.js';
import type { WebhookEvent } from './webhook-event.js';
import { enqueueDeliveries } from './webhook-outbox.sql.js';

/** Queue of the projects with due deliveries: one job per project. */
export const WEBHOOK_PROJECT_QUEUE = 'webhook-project';
/** Queue of retries: a deferred job becomes due when deliveries of its project become due again. */
export const WEBHOOK_RETRY_QUEUE = 'webhook-delivery';
/** Notification channel of new deliveries. The payload is the project id. */
export const WEBHOOK_CHANNEL = 'scenarium_webhooks';

export interface WebhookRetry {
  projectId: number;
}

/** Transactional outbox of webhooks: a delivery exists only if the transaction of its event commits. */
export class WebhookOutbox {
  constructor(
    private readonly queue: Queue,
    private readonly projects: Pick<ProjectJobs, 'add' | 'addSql'>,
  ) {}

  /** Writes the deliveries of events in the transaction of the caller. Returns their ids; an event without a receiver has none. */
  async enqueue(sql: Sql, events: WebhookEvent[]): Promise<string[]> {
    const rows = await enqueueDeliveries(sql, events);
    await this.wake(
      rows.map(row => row.projectId),
      sql,
    );
    return rows.map(row => row.id);
  }

  /** Enqueues jobs for projects with due deliveries, in the transaction that wrote the deliveries. */
  wake(projectIds: readonly number[], sql: Sql): Promise<void> {
    return this.projects.add(projectIds, sql);
  }

  /** CTEs that enqueue jobs for the projects of the CTE `deliveries`. The statement must read the last one, `project_jobs`. */
  wakeSql(deliveries: string): string {
    return this.projects.addSql(deliveries);
  }

  /** Enqueues a deferred job for a project whose deliveries become due at `startAfter`. */
  wakeLater(projectId: number, sql: Sql, startAfter: Date): Promise<void> {
    return this.queue.send(WEBHOOK_RETRY_QUEUE, [{ data: { projectId } satisfies WebhookRetry, startAfter }], sql);
  }
}
