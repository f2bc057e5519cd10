import type { Database } from '../../platform/database/database.js';
import { NOW, queries } from '../../platform/database/typed-queries.js';
import { clearRows } from '../../platform/sql/clear-rows.js';
import type { WebhookTables } from './webhook-tables.js';

const MAX_KEPT_DAYS = 30;

/** Clears away old deliveries and expired secrets. */
export class WebhookRetention {
  constructor(
    private readonly database: Database,
    private readonly resultTtlDays: number,
  ) {}

  /** One round. Safe to run twice, and beside itself in another process. */
  async run(): Promise<void> {
    await clearRows(this.database, {
      table: 'webhook_delivery',
      id: 'id',
      condition: `created_at < now() - make_interval(days => $1) and state <> 'pending'`,
      values: [Math.min(MAX_KEPT_DAYS, this.resultTtlDays)],
    });
    await queries<WebhookTables>(this.database).deleteFrom('webhook_secret').where('expires_at', '<', NOW).execute();
  }
}
