import type { Database } from '../../base/database.js';
import type { Log } from '../../base/log.js';

const EVERY_MS = 3_600_000;
const KEPT_DAYS = 30;

/** Clears away old deliveries and expired secrets, once at the start and then every hour. */
export class WebhookRetention {
  #timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly database: Database,
    private readonly log: Log,
  ) {}

  start(): void {
    const round = () => {
      this.run().catch(error => this.log.warn({ err: error }, 'clearing webhooks failed; trying again in an hour'));
    };
    this.#timer = setInterval(round, EVERY_MS);
    round();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  /** One round. Safe to run twice, and beside itself in another process. */
  async run(): Promise<void> {
    await this.database.query(
      `delete from webhook_delivery where created_at < now() - make_interval(days => $1) and state <> 'pending'`,
      [KEPT_DAYS],
    );
    await this.database.query('delete from webhook_secret where expires_at < now()');
  }
}
