import DataLoader from 'dataloader';
import type { Database, Sql } from '../../platform/database/database.js';
import { type PageArgs, window } from '../../platform/lists/page.js';
import type { PageBytes } from '../../platform/lists/page-bytes.js';
import type { RequestContext } from '../accounts/request-context.js';
import type { WebhookAttempt, WebhookDelivery, WebhookDeliveryPage } from './webhook-delivery.type.js';
import { bodySql } from './webhook-outbox.js';

const DELIVERY_COLUMNS = `
  d.id, d.project_id as "projectId", d.url, d.type, d.state, d.next_at as "nextAt", d.created_at as "createdAt",
  d.finished_at as "finishedAt", octet_length((${bodySql('d')})::text) as bytes`;

const OF_PROJECT = `from webhook_delivery d where d.project_id = $1 and ($2::text is null or d.state = $2)`;

const ATTEMPTS = `
  select "deliveryId", at, status, error, "durationMs" from (
    select delivery_id as "deliveryId", number, at, status, error, duration_ms as "durationMs"
      from webhook_attempt where delivery_id = any($1::uuid[])
     union all
    select id, attempts, delivered_at, delivered_status, null, delivered_ms
      from webhook_delivery where id = any($1::uuid[]) and delivered_at is not null) a
   order by "deliveryId", number`;

/** Reads what became of deliveries. Whoever asks has been let in by the service. */
export class WebhookLog {
  constructor(
    private readonly database: Database,
    private readonly pageBytes: PageBytes,
  ) {}

  /** The deliveries of a project, newest first; `state` null: in whatever state. */
  async ofProject(projectId: number, state: string | null, page: PageArgs): Promise<WebhookDeliveryPage> {
    const { limit, offset } = window(page);
    const [items, [count]] = await Promise.all([
      this.database.query<WebhookDelivery>(
        `select ${DELIVERY_COLUMNS} ${OF_PROJECT} order by d.created_at desc, d.id desc limit $3 offset $4`,
        [projectId, state, limit, offset],
      ),
      this.database.query<{ total: number }>(`select count(*)::int as total ${OF_PROJECT}`, [projectId, state]),
    ]);
    return { ...page, total: count!.total, items };
  }

  async one(id: string, sql: Sql = this.database): Promise<WebhookDelivery | undefined> {
    const [row] = await sql.query<WebhookDelivery>(
      `select ${DELIVERY_COLUMNS} from webhook_delivery d where d.id = $1`,
      [id],
    );
    return row;
  }

  /** The attempts of a delivery, oldest first: one query for a whole page of deliveries. */
  attempts(context: RequestContext, { id }: WebhookDelivery): Promise<WebhookAttempt[]> {
    return context
      .loader<string, WebhookAttempt[]>(
        'webhook-delivery.attempts',
        () =>
          new DataLoader(async ids => {
            const rows = await this.database.query<WebhookAttempt & { deliveryId: string }>(ATTEMPTS, [ids]);
            const byDelivery = Map.groupBy(rows, row => row.deliveryId);
            return ids.map(each => byDelivery.get(each) ?? []);
          }),
      )
      .load(id);
  }

  /** Whether a delivery of a list is shown with its body. */
  isWhole(context: RequestContext, delivery: WebhookDelivery): Promise<boolean> {
    return this.pageBytes.fits(context, 'webhook-delivery', delivery);
  }

  /** What is sent, the same way; `{}` where it is shortened. */
  async body(context: RequestContext, delivery: WebhookDelivery): Promise<unknown> {
    if (!(await this.isWhole(context, delivery))) return {};
    const { id } = delivery;
    return context
      .loader<string, unknown>(
        'webhook-delivery.body',
        () =>
          new DataLoader(async ids => {
            const rows = await this.database.query<{ id: string; body: unknown }>(
              `select d.id, ${bodySql('d')} as body from webhook_delivery d where d.id = any($1::uuid[])`,
              [ids],
            );
            const byDelivery = new Map(rows.map(row => [row.id, row.body]));
            return ids.map(each => byDelivery.get(each) ?? null);
          }),
      )
      .load(id);
  }
}
