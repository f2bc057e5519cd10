import type { Database } from '../../base/database.js';
import type { Log } from '../../base/log.js';

const EVERY_MS = 3_600_000;
const MONTHS_AHEAD = 2;

/** Keeps the months of payloads and journal: makes the coming ones, and empties results that have expired. */
export class RunRetention {
  #timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly database: Database,
    private readonly log: Log,
    private readonly ttlDays: number,
  ) {}

  start(): void {
    const round = () => {
      this.run().catch(error => this.log.warn({ err: error }, 'retention failed; trying again in an hour'));
    };
    this.#timer = setInterval(round, EVERY_MS);
    round();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  /** One round. Safe to run twice, and beside itself in another process. */
  async run(): Promise<void> {
    await this.database.query('select ensure_month_partitions($1)', [MONTHS_AHEAD]);
    await this.database.query('select drop_expired_months($1)', [this.ttlDays]);
  }
}
