import type { Database, Sql } from '../../../platform/database/database.js';
import { LOWER_KEY_RESERVATIONS, raiseKeyReservation } from '../../accounts/api-keys/key-spending.sql.js';
import { EXPIRES_AT } from './reservations.sql.js';

// The counters of the locked row decide, because a sum over reservations would miss concurrent transactions.
const RESERVE = `
  with ${raiseKeyReservation('$2', '$3')},
  reserved as (
    insert into key_budget_reservation (id, api_key_id, amount_usd, expires_at)
    select $1::uuid, id, $3::numeric, ${EXPIRES_AT} from raised
    returning id)
  select k.budget_usd is not null as "isLimited", coalesce(k.spent_usd >= k.budget_usd, false) as "isSpent",
         exists (select 1 from reserved) as "isReserved"
    from api_key k where k.id = $2`;

const RELEASE = `
  with freed as (delete from key_budget_reservation where id = $1::uuid returning api_key_id, amount_usd),
  ${LOWER_KEY_RESERVATIONS}`;

const EXPIRE = `
  with due as (select id from key_budget_reservation where expires_at < now() for update skip locked),
  freed as (delete from key_budget_reservation where id in (select id from due) returning api_key_id, amount_usd),
  ${LOWER_KEY_RESERVATIONS}`;

/**
 * Returns the CTE `freed_keys`, which deletes the reservations `r` that match `condition`. The condition may
 * refer to `relation`.
 */
export function freedKeysSql(condition: string, relation: string): string {
  return `
  freed_keys as (
    delete from key_budget_reservation r using ${relation} where ${condition} returning r.api_key_id, r.amount_usd)`;
}

interface KeyReservation {
  id: string;
  keyId: number;
  amountUsd: string;
}

interface KeyReservationOutcome {
  isLimited: boolean;
  /** Whether the limit is reached. */
  isSpent: boolean;
  isReserved: boolean;
}

/**
 * Reserves an amount on the limit of a key in one prepared statement, because a call waits for it. Undefined: the key
 * does not exist.
 */
export async function reserveOnKey(
  database: Database,
  { id, keyId, amountUsd }: KeyReservation,
): Promise<KeyReservationOutcome | undefined> {
  const values = [id, keyId, amountUsd];
  const [outcome] = await database.prepared<KeyReservationOutcome>('reserve-on-key', RESERVE, values);
  return outcome;
}

export async function releaseKeyReservation(database: Database, id: string): Promise<void> {
  await database.prepared('release-key-reservation', RELEASE, [id]);
}

export async function releaseExpiredKeyReservations(sql: Sql): Promise<void> {
  await sql.query(EXPIRE);
}
