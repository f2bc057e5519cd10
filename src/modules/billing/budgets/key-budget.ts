import { randomUUID } from 'node:crypto';
import type { Database } from '../../../platform/database/database.js';
import { BudgetExceededError } from '../../../platform/errors/errors.js';
import { failpoint } from '../../../platform/testing/failpoint.js';
import { releaseExpiredKeyReservations, releaseKeyReservation, reserveOnKey } from './key-reservations.sql.js';

/**
 * Spending limits of API keys, over what is paid by the call itself: chat completions. Reserved before and settled by the
 * statement that writes the cost on the ledger, like the limits of projects.
 */
export class KeyBudget {
  constructor(private readonly database: Database) {}

  /**
   * Sets an amount of US dollars aside for a call. Answers the reservation's id; null: nothing is to be reserved. Throws
   * a BudgetExceededError past the limit, for a call that is free once all of it is spent.
   */
  async reserve(keyId: number, estimateUsd: string): Promise<string | null> {
    const id = randomUUID();
    const key = await reserveOnKey(this.database, { id, keyId, amountUsd: estimateUsd });
    failpoint('reserve.after');
    if (key?.isKept) return id;
    if (key?.isSpent) throw new BudgetExceededError('The spending limit of the API key is reached.');
    if (!key?.isLimited || Number(estimateUsd) === 0) return null;
    throw new BudgetExceededError('What is left of the spending limit of the API key does not cover this call.');
  }

  /** Gives back what was reserved for a call that cost nothing. Harmless when that has happened. */
  async release(id: string): Promise<void> {
    await releaseKeyReservation(this.database, id);
  }

  /** Drops reservations whose time has passed. Safe beside itself in another process. */
  async expire(): Promise<void> {
    await releaseExpiredKeyReservations(this.database);
  }
}
