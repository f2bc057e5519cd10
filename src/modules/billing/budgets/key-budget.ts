import { randomUUID } from 'node:crypto';
import type { Database } from '../../../platform/database/database.js';
import { BudgetExceededError } from '../../../platform/errors/errors.js';
import { failpoint } from '../../../platform/testing/failpoint.js';
import { releaseExpiredKeyReservations, releaseKeyReservation, reserveOnKey } from './key-reservations.sql.js';

/**
 * Enforces the spending limits of API keys on chat completions. A call reserves its maximum cost first. The
 * statement that writes the ledger row settles the reservation.
 */
export class KeyBudget {
  constructor(private readonly database: Database) {}

  /**
   * Reserves an amount in US dollars for a call. Returns the id of the reservation, or null if nothing needs to
   * be reserved.
   * @throws BudgetExceededError if the limit does not cover the call or is already reached, even for a free
   * call
   */
  async reserve(keyId: number, estimateUsd: string): Promise<string | null> {
    const id = randomUUID();
    const key = await reserveOnKey(this.database, { id, keyId, amountUsd: estimateUsd });
    failpoint('reserve.after');
    if (key?.isReserved) return id;
    if (key?.isSpent)
      throw new BudgetExceededError(
        'The spending limit of the API key is reached. Ask an administrator of the service to raise it.',
      );
    if (!key?.isLimited || Number(estimateUsd) === 0) return null;
    throw new BudgetExceededError('The remaining spending limit of the API key does not cover this call.');
  }

  /** Releases the reservation of a call that cost nothing. Idempotent. */
  async release(id: string): Promise<void> {
    await releaseKeyReservation(this.database, id);
  }

  /** Releases expired reservations. Safe to run concurrently in several processes. */
  async expire(): Promise<void> {
    await releaseExpiredKeyReservations(this.database);
  }
}
