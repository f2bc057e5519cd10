import type { ProjectJobs } from '../../durable/project-jobs.js';
import type { Queue } from '../../durable/queue.js';
import type { Sql } from '../../platform/database/database.js';
import type { WebhookEvent } from './webhook-event.js';
import { enqueueDeliveries } from './webhook-outbox.sql.js';

/** The queue of projects that have deliveries which are due: one job for each. */
export const WEBHOOK_PROJECT_QUEUE = 'webhook-project';
/** The queue of retries: each deferred job says when a project has deliveries that are due again. */
export const WEBHOOK_RETRY_QUEUE = 'webhook-delivery';
/** The channel that tells the process which sends a project's deliveries of new ones: the id of the project. */
export const WEBHOOK_CHANNEL = 'scenarium_webhooks';

export interface WebhookRetry {
  projectId: number;
}

/** Takes in what is to be told: a delivery exists if and only if the transaction that wrote it commits. */
export class WebhookOutbox {
  constructor(
    private readonly queue: Queue,
    private readonly projects: Pick<ProjectJobs, 'add' | 'addSql'>,
  ) {}

  /** Writes the deliveries of events within the caller's transaction; answers their ids. Nobody to tell: none. */
  async enqueue(sql: Sql, events: WebhookEvent[]): Promise<string[]> {
    const rows = await enqueueDeliveries(sql, events);
    await this.wake(
      rows.map(row => row.projectId),
      sql,
    );
    return rows.map(row => row.id);
  }

  /** Ensures that the deliveries of projects which are due now are sent, in the transaction that wrote them. */
  wake(projectIds: readonly number[], sql: Sql): Promise<void> {
    return this.projects.add(projectIds, sql);
  }

  /** The same for `deliveries` of a statement, as its CTEs; the last one is `project_jobs`, and is to be read. */
  wakeSql(deliveries: string): string {
    return this.projects.addSql(deliveries);
  }

  /** The same for deliveries that are due at `startAfter`. */
  wakeLater(projectId: number, sql: Sql, startAfter: Date): Promise<void> {
    return this.queue.send(WEBHOOK_RETRY_QUEUE, [{ data: { projectId } satisfies WebhookRetry, startAfter }], sql);
  }
}
