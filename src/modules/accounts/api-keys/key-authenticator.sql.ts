import type { Database } from '../../../platform/database/database.js';

/**
 * The length of a rate limit window. It starts with the first request of a key without an open window and is
 * never extended.
 */
export const WINDOW_SECONDS = 60;

/** A valid key and the requests that its window granted. */
export interface AcceptedKey {
  /** The position of the group in the call, from 1. */
  nth: number;
  keyId: number;
  /** Whether the key has a spending limit. */
  isKeyLimited: boolean;
  /** Whether the user of the key has an individual operator limit. */
  isSpendingLimited: boolean;
  /** Whether the recorded last use is older than one minute. */
  isUseStale: boolean;
  userId: number;
  isAdmin: boolean;
  /** Requests per window. 0: unlimited. */
  limit: number;
  /** Requests counted in the window, including this statement. Null: nothing was counted. */
  used: number | null;
  /** Requests that this statement granted, in multiples of the cost. */
  granted: number;
  /** Null: the key does not expire. */
  secondsToLive: number | null;
  /** Seconds until the window ends. Null: nothing was counted. */
  secondsLeft: number | null;
  /** The end of the window in Unix seconds. Null: nothing was counted. */
  endsAt: number | null;
}

/** `count` requests of one key. Each counts as `cost` requests; cost 0 only identifies the key. */
interface KeyRequests {
  hash: Buffer;
  count: number;
  cost: number;
}

// One statement identifies the keys and counts their requests. The upsert locks each row, so that concurrent
// processes grant each request of a window only once. Rows are locked in the order of their ids to avoid
// deadlocks. Divisions by `cost` are integer divisions: only whole requests are granted.
const CHECK_KEYS = `
  with requested as (
    select * from unnest($1::bytea[], $2::int[], $3::int[]) with ordinality as a(hash, count, cost, nth)),
  valid_keys as materialized (
    select a.nth, a.count, a.cost, k.id, k.user_id, u.is_admin, coalesce(k.rate_limit, $4::int) as max_requests,
           k.budget_usd is not null as is_limited, u.service_limit_usd is not null as is_spending_limited, k.expires_at,
           k.last_used_at is null or k.last_used_at < now() - interval '1 minute' as is_use_stale
      from requested a join api_key k on k.hash = a.hash join app_user u on u.id = k.user_id
     where (k.expires_at is null or k.expires_at > now()) and u.is_api_allowed and u.disabled_at is null),
  counted as (
    insert into api_key_window as w (api_key_id, opened_at, used, granted)
    select id, now(), least(count, max_requests / nullif(cost, 0)) * cost, least(count, max_requests / nullif(cost, 0)) * cost
      from valid_keys where max_requests > 0 and cost > 0 order by id
    on conflict (api_key_id) do update set (opened_at, used, granted) = (
      select case when s.spent > 0 then w.opened_at else now() end, s.spent + g.granted, g.granted
        from valid_keys k,
             lateral (select case when w.opened_at > now() - interval '${WINDOW_SECONDS} seconds'
                                  then w.used else 0 end as spent) s,
             lateral (select least(k.count, greatest(k.max_requests - s.spent, 0) / k.cost) * k.cost as granted) g
       where k.id = w.api_key_id)
    returning api_key_id, used, granted, opened_at + interval '${WINDOW_SECONDS} seconds' as ends_at)
  select k.nth, k.id as "keyId", k.is_limited as "isKeyLimited", k.is_spending_limited as "isSpendingLimited",
         k.is_use_stale as "isUseStale", k.user_id as "userId", k.is_admin as "isAdmin", k.max_requests as "limit", t.used, t.granted,
         extract(epoch from k.expires_at - now())::float8 as "secondsToLive",
         extract(epoch from t.ends_at - now())::float8 as "secondsLeft", extract(epoch from t.ends_at)::float8 as "endsAt"
    from valid_keys k left join counted t on t.api_key_id = k.id`;

/**
 * Identifies keys and counts their requests. The statement is prepared, because every request with a key needs
 * it.
 *
 * @param groups at most one for each key
 * @param defaultLimit requests per minute of a key without its own limit; 0: unlimited
 */
export function checkKeys(
  database: Database,
  groups: readonly KeyRequests[],
  defaultLimit: number,
): Promise<AcceptedKey[]> {
  return database.prepared('check-keys', CHECK_KEYS, [
    groups.map(({ hash }) => hash),
    groups.map(({ count }) => count),
    groups.map(({ cost }) => cost),
    defaultLimit,
  ]);
}
