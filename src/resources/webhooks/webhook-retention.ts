import { clearRows } from '../../base/clear-rows.js';
import type { Database } from '../../base/database.js';

const KEPT_DAYS = 30;

/** Clears away old deliveries and expired secrets. */
export class WebhookRetention {
  constructor(private readonly database: Database) {}

  /** One round. Safe to run twice, and beside itself in another process. */
  async run(): Promise<void> {
    await clearRows(this.database, {
      table: 'webhook_delivery',
      id: 'id',
      condition: `created_at < now() - make_interval(days => $1) and state <> 'pending'`,
      values: [KEPT_DAYS],
    });
    await this.database.query('delete from webhook_secret where expires_at < now()');
  }
}
