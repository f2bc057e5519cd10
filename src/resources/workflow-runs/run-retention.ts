import type { Database } from '../../base/database.js';

const MONTHS_AHEAD = 2;

/** Keeps the months of payloads and journal: makes the coming ones, and empties results that have expired. */
export class RunRetention {
  constructor(
    private readonly database: Database,
    private readonly ttlDays: number,
  ) {}

  /** One round. Safe to run twice, and beside itself in another process. */
  async run(): Promise<void> {
    await this.database.query('select ensure_month_partitions($1)', [MONTHS_AHEAD]);
    await this.database.query('select drop_expired_months($1)', [this.ttlDays]);
  }
}
