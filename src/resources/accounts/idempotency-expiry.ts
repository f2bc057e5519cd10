import type { Log } from '../../base/log.js';
import type { IdempotencyKeys } from './idempotency-keys.js';

const EVERY_MS = 3_600_000;

/** Clears away expired idempotency keys, once at the start and then every hour. */
export class IdempotencyExpiry {
  #timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly keys: IdempotencyKeys,
    private readonly log: Log,
  ) {}

  start(): void {
    const round = () => {
      this.keys.expire().catch(error => {
        this.log.warn({ err: error }, 'clearing idempotency keys failed; trying again in an hour');
      });
    };
    this.#timer = setInterval(round, EVERY_MS);
    round();
  }

  stop(): void {
    clearInterval(this.#timer);
  }
}
