import { removeDeadLetter } from '../../durable/dead-letters.js';
import type { Queue } from '../../durable/queue.js';
import type { Database, Sql } from '../../platform/database/database.js';
import { NOW, queryBuilder } from '../../platform/database/typed-queries.js';
import { InvalidInputError } from '../../platform/errors/errors.js';
import type { PageArgs } from '../../platform/lists/page.js';
import type { Viewer } from '../accounts/viewer.js';
import { assertAllowed, type ProjectAccess, viewersRole } from '../projects/access.js';
import type { WebhookDelivery, WebhookDeliveryPage, WebhookDeliveryState } from './webhook-delivery.type.js';
import { WebhookEventType } from './webhook-event.js';
import type { WebhookLog } from './webhook-log.js';
import type { WebhookOutbox } from './webhook-outbox.js';
import type { WebhookSecret } from './webhook-secret.type.js';
import type { WebhookSecrets } from './webhook-secrets.js';
import type { WebhookTables } from './webhook-tables.js';

/** Operations on webhooks for the members of a project. Every method authorizes the viewer. */
export class WebhookService {
  constructor(
    private readonly database: Database,
    private readonly queue: Queue,
    private readonly access: ProjectAccess,
    private readonly secrets: WebhookSecrets,
    private readonly outbox: WebhookOutbox,
    private readonly log: WebhookLog,
  ) {}

  async deliveries(
    viewer: Viewer,
    projectId: number,
    state: WebhookDeliveryState | null,
    page: PageArgs,
  ): Promise<WebhookDeliveryPage> {
    await this.access.authorize(viewer, projectId, 'webhook.read');
    return this.log.ofProject(projectId, state, page);
  }

  async rotateSecret(viewer: Viewer, projectId: number): Promise<WebhookSecret> {
    await this.access.authorize(viewer, projectId, 'webhook.rotate-secret');
    return this.secrets.rotate(projectId);
  }

  /** Sends an event of the type `webhook.test`, even if the project's webhook is disabled. */
  async test(viewer: Viewer, projectId: number): Promise<WebhookDelivery> {
    await this.access.authorize(viewer, projectId, 'webhook.test');
    const event = { projectId, type: WebhookEventType.TEST, data: { project_id: projectId }, isRequested: true };
    return this.database.transaction(async sql => {
      const [id] = await this.outbox.enqueue(sql, [event]);
      if (id === undefined)
        throw new InvalidInputError({ projectId: ['The project has no webhook URL. Set webhookUrl first.'] });
      return (await this.log.one(id, sql))!;
    });
  }

  /** Sends a delivery again, in any state. For a pending one the next attempt becomes due now. */
  async redeliver(viewer: Viewer, id: string): Promise<WebhookDelivery> {
    const located = await queryBuilder<WebhookTables>(this.database)
      .selectFrom('webhook_delivery as d')
      .select(viewersRole(viewer, 'd.project_id').as('role'))
      .where('d.id', '=', id)
      .executeTakeFirst();
    assertAllowed(located?.role ?? null, 'webhook.redeliver');
    return this.database.transaction(async sql => {
      await this.outbox.wake(await restartDelivery(sql, id), sql);
      await removeDeadLetter(this.queue, 'webhook', id, sql);
      return (await this.log.one(id, sql))!;
    });
  }
}

/**
 * Starts a new series of attempts and moves an earlier success into the log of attempts. The outcome of an active attempt still
 * applies. Returns the project id, or an empty list when the delivery does not exist.
 */
async function restartDelivery(sql: Sql, id: string): Promise<number[]> {
  const tables = queryBuilder<WebhookTables>(sql);
  await tables.selectFrom('webhook_delivery').select('id').where('id', '=', id).forNoKeyUpdate().execute();
  await tables
    .insertInto('webhook_attempt')
    .columns(['delivery_id', 'number', 'at', 'status', 'duration_ms'])
    .expression(({ selectFrom }) =>
      selectFrom('webhook_delivery')
        .select(['id', 'attempts', 'delivered_at', 'delivered_status', 'delivered_ms'])
        .where('id', '=', id)
        .where('delivered_at', 'is not', null),
    )
    .execute();
  const rows = await tables
    .updateTable('webhook_delivery')
    .set({
      ...{ state: 'pending', is_asked_for: true, failures: 0, next_at: NOW, finished_at: null },
      ...{ delivered_at: null, delivered_status: null, delivered_ms: null },
    })
    .where('id', '=', id)
    .returning('project_id as projectId')
    .execute();
  return rows.map(row => row.projectId);
}
