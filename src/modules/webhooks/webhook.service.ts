import { removeDeadLetter } from '../../durable/dead-letters.js';
import type { Queue } from '../../durable/queue.js';
import type { Database } from '../../platform/database/database.js';
import { queries, type Table } from '../../platform/database/typed-queries.js';
import { InvalidInputError } from '../../platform/errors/errors.js';
import type { PageArgs } from '../../platform/lists/page.js';
import type { Viewer } from '../accounts/viewer.js';
import { judge, type ProjectAccess, viewersRole } from '../projects/access.js';
import type { WebhookDeliveryEntity } from './deliveries/webhook-delivery.entity.js';
import type { WebhookDelivery, WebhookDeliveryPage, WebhookDeliveryState } from './webhook-delivery.type.js';
import type { WebhookLog } from './webhook-log.js';
import type { WebhookOutbox } from './webhook-outbox.js';
import type { WebhookSecret } from './webhook-secret.type.js';
import type { WebhookSecrets } from './webhook-secrets.js';

/** Begins a new series of attempts, at once; the success of the last one goes to the log. Of one under way at this moment the outcome counts. */
const BEGIN_AGAIN = `
  with given as (
    select * from webhook_delivery where id = $1 for no key update),
  logged as (
    insert into webhook_attempt (delivery_id, number, at, status, duration_ms)
    select id, attempts, delivered_at, delivered_status, delivered_ms from given where delivered_at is not null)
  update webhook_delivery d
     set state = 'pending', is_asked_for = true, failures = 0, next_at = now(), finished_at = null,
         delivered_at = null, delivered_status = null, delivered_ms = null
    from given g where d.id = g.id
  returning d.project_id as "projectId"`;

interface WebhookTables {
  webhook_delivery: Table<typeof WebhookDeliveryEntity>;
}

/** What the members of a project do with its webhooks. */
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

  /** Sends an event of the type `webhook.test`, whether the project's webhook is switched on or not. */
  async test(viewer: Viewer, projectId: number): Promise<WebhookDelivery> {
    await this.access.authorize(viewer, projectId, 'webhook.test');
    const event = { projectId, type: 'webhook.test', data: { project_id: projectId }, isAskedFor: true };
    return this.database.transaction(async sql => {
      const [id] = await this.outbox.enqueue(sql, [event]);
      if (id === undefined) throw new InvalidInputError({ projectId: ['The project has no webhook URL.'] });
      return (await this.log.one(id, sql))!;
    });
  }

  /** Sends a delivery again, whatever became of it; of one that is pending the next attempt is made now. */
  async redeliver(viewer: Viewer, id: string): Promise<WebhookDelivery> {
    const located = await queries<WebhookTables>(this.database)
      .selectFrom('webhook_delivery as d')
      .select(viewersRole(viewer, 'd.project_id').as('role'))
      .where('d.id', '=', id)
      .executeTakeFirst();
    judge(located?.role ?? null, 'webhook.redeliver');
    return this.database.transaction(async sql => {
      const begun = await sql.query<{ projectId: number }>(BEGIN_AGAIN, [id]);
      await this.outbox.wake(
        begun.map(row => row.projectId),
        sql,
      );
      await removeDeadLetter(this.queue, 'webhook', id, sql);
      return (await this.log.one(id, sql))!;
    });
  }
}
