import { randomUUID } from 'node:crypto';
import type { Database } from '../../../platform/database/database.js';
import { BudgetExceededError } from '../../../platform/errors/errors.js';
import { failpoint } from '../../../platform/testing/failpoint.js';
import { EXPIRES_AT } from './reservation-statements.js';

// As for projects (budget.ts): the counters on the locked row decide, and the row of a key without a limit is not locked.
const RESERVE = `
  with raised as (
    update api_key set reserved_usd = reserved_usd + $3::numeric
     where id = (select id from api_key where id = $2 and budget_usd is not null and $3::numeric > 0)
       and (budget_usd is null or spent_usd + reserved_usd + $3::numeric <= budget_usd)
    returning id),
  kept as (
    insert into key_budget_reservation (id, api_key_id, amount_usd, expires_at)
    select $1::uuid, id, $3::numeric, ${EXPIRES_AT} from raised
    returning id)
  select k.budget_usd is not null as "isLimited", coalesce(k.spent_usd >= k.budget_usd, false) as "isSpent",
         exists (select 1 from kept) as "isKept"
    from api_key k where k.id = $2`;

/** Lowers the counters by what the CTE `freed (api_key_id, amount_usd)` has deleted; keys are locked by their ids' order. */
const LOWER = `
  sums as (select api_key_id, sum(amount_usd) as amount from freed group by api_key_id),
  locked as (select id from api_key where id in (select api_key_id from sums) order by id for no key update)
  update api_key k set reserved_usd = k.reserved_usd - s.amount
    from locked join sums s on s.api_key_id = locked.id where k.id = locked.id`;

const RELEASE = `
  with freed as (delete from key_budget_reservation where id = $1::uuid returning api_key_id, amount_usd), ${LOWER}`;

const EXPIRE = `
  with due as (select id from key_budget_reservation where expires_at < now() for update skip locked),
  freed as (delete from key_budget_reservation where id in (select id from due) returning api_key_id, amount_usd), ${LOWER}`;

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
    const [key] = await this.database.query<{ isLimited: boolean; isSpent: boolean; isKept: boolean }>(RESERVE, [
      id,
      keyId,
      estimateUsd,
    ]);
    failpoint('reserve.after');
    if (key?.isKept) return id;
    if (key?.isSpent) throw new BudgetExceededError('The spending limit of the API key is reached.');
    if (!key?.isLimited || Number(estimateUsd) === 0) return null;
    throw new BudgetExceededError('What is left of the spending limit of the API key does not cover this call.');
  }

  /** Gives back what was reserved for a call that cost nothing. Harmless when that has happened. */
  async release(id: string): Promise<void> {
    await this.database.query(RELEASE, [id]);
  }

  /** Drops reservations whose time has passed. Safe beside itself in another process. */
  async expire(): Promise<void> {
    await this.database.query(EXPIRE);
  }
}
