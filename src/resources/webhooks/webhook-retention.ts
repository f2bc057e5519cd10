import type { Database } from '../../base/database.js';

const KEPT_DAYS = 30;

/** Clears away old deliveries and expired secrets. */
export class WebhookRetention {
  constructor(private readonly database: Database) {}

  /** One round. Safe to run twice, and beside itself in another process. */
  async run(): Promise<void> {
    await this.database.query(
      `delete from webhook_delivery where created_at < now() - make_interval(days => $1) and state <> 'pending'`,
      [KEPT_DAYS],
    );
    await this.database.query('delete from webhook_secret where expires_at < now()');
  }
}
