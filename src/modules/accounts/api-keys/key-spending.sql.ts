/**
 * Returns the CTE `raised`, which reserves an amount on a key if its limit allows it. The subselect leaves out a
 * key without a limit, so that it is not locked. The other check of `budget_usd` applies when the limit is removed
 * while the statement waits for the lock. `key` and `amount` are placeholders such as `$1`. It is raw SQL, because
 * it is a part of the statement that reserves.
 */
export function raiseKeyReservation(key: string, amount: string): string {
  return `
  raised as (
    update api_key set reserved_usd = reserved_usd + ${amount}::numeric
     where id = (select id from api_key where id = ${key} and budget_usd is not null and ${amount}::numeric > 0)
       and (budget_usd is null or spent_usd + reserved_usd + ${amount}::numeric <= budget_usd)
    returning id)`;
}

/**
 * Subtracts the reservations deleted by the CTE `freed (api_key_id, amount_usd)` from the counters. Keys are
 * locked in the order of their ids.
 */
export const LOWER_KEY_RESERVATIONS = `
  sums as (select api_key_id, sum(amount_usd) as amount from freed group by api_key_id),
  locked as (select id from api_key where id in (select api_key_id from sums) order by id for no key update)
  update api_key k set reserved_usd = k.reserved_usd - s.amount
    from locked join sums s on s.api_key_id = locked.id where k.id = locked.id`;

/**
 * Applies the CTEs `ledger` (api_key_id, amount_usd) and `freed_keys` to the counters of keys. Keys are locked
 * in the order of their ids.
 */
export const SETTLE_KEYS = `
  by_key as (
    select id, sum(spent) as spent, sum(freed) as freed
      from (select api_key_id as id, amount_usd as spent, 0 as freed from ledger where api_key_id is not null
            union all select api_key_id, 0, amount_usd from freed_keys) as moved
     group by id having sum(spent) <> 0 or sum(freed) <> 0),
  locked_keys as (select id from api_key where id in (select id from by_key) order by id for no key update)
  update api_key k set spent_usd = k.spent_usd + b.spent, reserved_usd = k.reserved_usd - b.freed
    from locked_keys l join by_key b on b.id = l.id where k.id = l.id`;
