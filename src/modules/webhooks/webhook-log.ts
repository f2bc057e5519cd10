import DataLoader from 'dataloader';
import type { Database, Sql } from '../../platform/database/database.js';
import { anyUuid, expression, queryBuilder, rowCount } from '../../platform/database/typed-queries.js';
import { type PageArgs, toLimitOffset } from '../../platform/lists/page.js';
import type { PageBytes } from '../../platform/lists/page-bytes.js';
import type { RequestContext } from '../accounts/request-context.js';
import type { WebhookAttempt, WebhookDelivery, WebhookDeliveryPage } from './webhook-delivery.type.js';
import { bodySql } from './webhook-outbox.sql.js';
import type { WebhookTables } from './webhook-tables.js';

const BODY = expression.raw<unknown>(bodySql('d'));

const DELIVERY_COLUMNS = [
  'd.id',
  'd.project_id as projectId',
  'd.url',
  'd.type',
  'd.state',
  'd.next_at as nextAt',
  'd.created_at as createdAt',
  'd.finished_at as finishedAt',
  expression<number>`octet_length((${BODY})::text)`.as('bytes'),
] as const;

/** Reads deliveries and their attempts. The caller must have authorized the viewer. */
export class WebhookLog {
  constructor(
    private readonly database: Database,
    private readonly pageBytes: PageBytes,
  ) {}

  /** The deliveries of a project, newest first; `state` null includes all states. */
  async ofProject(
    projectId: number,
    state: WebhookDelivery['state'] | null,
    page: PageArgs,
  ): Promise<WebhookDeliveryPage> {
    const { limit, offset } = toLimitOffset(page);
    const deliveries = queryBuilder<WebhookTables>(this.database)
      .selectFrom('webhook_delivery as d')
      .where('d.project_id', '=', projectId)
      .$if(state !== null, query => query.where('d.state', '=', state!));
    const [items, count] = await Promise.all([
      deliveries
        .select(DELIVERY_COLUMNS)
        .$castTo<WebhookDelivery>()
        .orderBy('d.created_at', 'desc')
        .orderBy('d.id', 'desc')
        .limit(limit)
        .offset(offset)
        .execute(),
      deliveries.select(rowCount().as('total')).executeTakeFirstOrThrow(),
    ]);
    return { ...page, total: count.total, items };
  }

  one(id: string, sql: Sql = this.database): Promise<WebhookDelivery | undefined> {
    return queryBuilder<WebhookTables>(sql)
      .selectFrom('webhook_delivery as d')
      .select(DELIVERY_COLUMNS)
      .$castTo<WebhookDelivery>()
      .where('d.id', '=', id)
      .executeTakeFirst();
  }

  /** The attempts of a delivery, oldest first. A data loader reads those of a whole page in one query. */
  attempts(context: RequestContext, { id }: WebhookDelivery): Promise<WebhookAttempt[]> {
    return context
      .loader<string, WebhookAttempt[]>(
        'webhook-delivery.attempts',
        () =>
          new DataLoader(async ids => {
            const rows = await this.#attemptsOf(ids);
            const byDelivery = Map.groupBy(rows, row => row.deliveryId);
            return ids.map(each => byDelivery.get(each) ?? []);
          }),
      )
      .load(id);
  }

  /** Whether the body fits into the size limit of the page. */
  isComplete(context: RequestContext, delivery: WebhookDelivery): Promise<boolean> {
    return this.pageBytes.fits(context, 'webhook-delivery', delivery, delivery);
  }

  /** The body of a delivery, loaded once per page; `{}` where it does not fit into the page. */
  async body(context: RequestContext, delivery: WebhookDelivery): Promise<unknown> {
    if (!(await this.isComplete(context, delivery))) return {};
    const { id } = delivery;
    return context
      .loader<string, unknown>(
        'webhook-delivery.body',
        () =>
          new DataLoader(async ids => {
            const rows = await queryBuilder<WebhookTables>(this.database)
              .selectFrom('webhook_delivery as d')
              .select(['d.id', BODY.as('body')])
              .where('d.id', '=', anyUuid(ids))
              .execute();
            const byDelivery = new Map(rows.map(row => [row.id, row.body]));
            return ids.map(each => byDelivery.get(each) ?? null);
          }),
      )
      .load(id);
  }

  /** A successful attempt is stored in the row of its delivery, a failed one in `webhook_attempt`. */
  #attemptsOf(ids: readonly string[]): Promise<(WebhookAttempt & { deliveryId: string })[]> {
    const successes = queryBuilder<WebhookTables>(this.database)
      .selectFrom('webhook_delivery')
      .select(['id as deliveryId', 'attempts as number', 'delivered_at as at', 'delivered_status as status'])
      .select([expression<string | null>`null`.as('error'), 'delivered_ms as durationMs'])
      .$narrowType<{ at: Date; durationMs: number }>()
      .where('id', '=', anyUuid(ids))
      .where('delivered_at', 'is not', null);
    return queryBuilder<WebhookTables>(this.database)
      .selectFrom('webhook_attempt')
      .select(['delivery_id as deliveryId', 'number', 'at', 'status', 'error', 'duration_ms as durationMs'])
      .where('delivery_id', '=', anyUuid(ids))
      .unionAll(successes)
      .orderBy('deliveryId')
      .orderBy('number')
      .execute();
  }
}
