import type { Database } from '../../platform/database/database.js';
import { expression, NOW, queryBuilder } from '../../platform/database/typed-queries.js';
import { deleteInBatches } from '../../platform/sql/delete-in-batches.js';
import type { WebhookTables } from './webhook-tables.js';

const MAX_AGE_DAYS = 30;

/** Deletes old deliveries and expired secrets. */
export class WebhookRetention {
  constructor(
    private readonly database: Database,
    private readonly resultTtlDays: number,
  ) {}

  /** Runs once. Safe to repeat and to run concurrently in several processes. */
  async run(): Promise<void> {
    const days = Math.min(MAX_AGE_DAYS, this.resultTtlDays);
    await deleteInBatches(rows =>
      queryBuilder<WebhookTables>(this.database)
        .deleteFrom('webhook_delivery')
        .where('id', 'in', ({ selectFrom }) =>
          selectFrom('webhook_delivery')
            .select('id')
            .where('created_at', '<', expression<Date>`now() - make_interval(days => ${days})`)
            .where('state', '!=', 'pending')
            .limit(rows)
            .forUpdate()
            .skipLocked(),
        )
        .returning('id')
        .execute(),
    );
    await queryBuilder<WebhookTables>(this.database)
      .deleteFrom('webhook_secret')
      .where('expires_at', '<', NOW)
      .execute();
  }
}
