import { LRUCache } from 'lru-cache';
import { sha256 } from '../../../platform/crypto/crypto.js';
import type { Database } from '../../../platform/database/database.js';
import { Batcher } from '../../../platform/sql/batcher.js';
import type { Allowance, Passage } from '../sessions/passage.js';
import type { Viewer } from '../viewer.js';
import { type Grant, KeyLeases } from './key-leases.js';

interface Ask {
  hash: Buffer;
  /** How often the same is asked: more than once where requests are set aside. */
  count: number;
  /** Requests that each counts for; 0: it only asks whose the key is. */
  cost: number;
}

/** Asks of one key and one cost: the window takes as many of them as fit. */
interface Group extends Ask {
  asks: Ask[];
}

interface HashedKey {
  key: string;
  hash: Buffer;
  /** The hash as a text. */
  id: string;
}

interface Row {
  nth: number;
  keyId: number;
  isKeyLimited: boolean;
  isSpendingLimited: boolean;
  isUseStale: boolean;
  userId: number;
  isAdmin: boolean;
  limit: number;
  used: number | null;
  granted: number;
  /** Null: it does not expire. */
  secondsToLive: number | null;
  secondsLeft: number | null;
  endsAt: number | null;
}

/** Keys that a process remembers to have accepted. */
const MAX_ACCEPTED = 10_000;
/** The length of a window. It begins with the first request of a key that has none, and is never prolonged. */
export const WINDOW_SECONDS = 60;

// One statement identifies the keys and counts their requests. Each row is locked by the upsert, so that any number of
// processes grant a window's requests exactly once; in the order of the ids, so that two never wait in a circle.
const PASS = `
  with asked as (
    select * from unnest($1::bytea[], $2::int[], $3::int[]) with ordinality as a(hash, count, cost, nth)),
  known as materialized (
    select a.nth, a.count, a.cost, k.id, k.user_id, u.is_admin, coalesce(k.rate_limit, $4::int) as most,
           k.budget_usd is not null as is_limited, u.service_limit_usd is not null as is_spending_limited, k.expires_at,
           k.last_used_at is null or k.last_used_at < now() - interval '1 minute' as is_use_stale
      from asked a join api_key k on k.hash = a.hash join app_user u on u.id = k.user_id
     where (k.expires_at is null or k.expires_at > now()) and u.is_api_allowed and u.disabled_at is null),
  taken as (
    insert into api_key_window as w (api_key_id, opened_at, used, granted)
    select id, now(), least(count, most / nullif(cost, 0)) * cost, least(count, most / nullif(cost, 0)) * cost
      from known where most > 0 and cost > 0 order by id
    on conflict (api_key_id) do update set (opened_at, used, granted) = (
      select case when s.spent > 0 then w.opened_at else now() end, s.spent + g.fit, g.fit
        from known k,
             lateral (select case when w.opened_at > now() - interval '${WINDOW_SECONDS} seconds'
                                  then w.used else 0 end as spent) s,
             lateral (select least(k.count, greatest(k.most - s.spent, 0) / k.cost) * k.cost as fit) g
       where k.id = w.api_key_id)
    returning api_key_id, used, granted, opened_at + interval '${WINDOW_SECONDS} seconds' as ends_at)
  select k.nth, k.id as "keyId", k.is_limited as "isKeyLimited", k.is_spending_limited as "isSpendingLimited", k.is_use_stale as "isUseStale", k.user_id as "userId", k.is_admin as "isAdmin", k.most as "limit", t.used, t.granted,
         extract(epoch from k.expires_at - now())::float8 as "secondsToLive",
         extract(epoch from t.ends_at - now())::float8 as "secondsLeft", extract(epoch from t.ends_at)::float8 as "endsAt"
    from known k left join taken t on t.api_key_id = k.id`;

/** Requests that were set aside and not made. Of a window that is over nothing is left to give back. */
const GIVE_BACK = `
  update api_key_window set used = greatest(used - $2::int, 0)
   where api_key_id = $1
     and abs(extract(epoch from opened_at + interval '${WINDOW_SECONDS} seconds')::float8 - $3::float8) < 0.001`;

/** Of the requests that come at once the first writes, and nobody waits for it. */
const NOTE_USE = `
  update api_key set last_used_at = now() where id in (
    select id from api_key
     where id = any($1::int[]) and (last_used_at is null or last_used_at < now() - interval '1 minute')
       for update skip locked)`;

/**
 * Identifies API keys and counts what they ask for, over all processes: a fixed window of 60 seconds, opened by a key's
 * first request, in which what is refused is not counted. Requests that arrive together share one statement; those of keys
 * in constant use go without for a moment (`key-leases.ts`).
 */
export class KeyGate {
  readonly #batcher: Batcher<Ask, Grant | null>;
  readonly #leases: KeyLeases;
  readonly #accepted = new LRUCache<string, true>({ max: MAX_ACCEPTED });
  /** The last key of each connection: forgotten with it. */
  readonly #last = new WeakMap<object, HashedKey>();

  constructor(
    private readonly database: Database,
    /** Requests a minute of a key without a limit of its own; 0: unlimited. */
    private readonly defaultLimit: number,
  ) {
    this.#batcher = new Batcher(asks => this.#passAll(asks), { lanes: 2, maxBatch: 500 });
    this.#leases = new KeyLeases({
      ask: (hash, count) => this.#batcher.add({ hash, count, cost: 1 }),
      giveBack: (...unused) => database.query(GIVE_BACK, unused),
    });
  }

  /**
   * Null for a key that does not exist, has expired or whose user may have none. The caller refuses what was not granted. At
   * once for a key that is leased. `connection`: that of the request, whose next one mostly bears the same key.
   */
  pass(key: string, cost: number, connection: object | null): Passage | Promise<Passage | null> {
    const { hash, id } = this.#hashed(key, connection);
    return this.#leases.take(id, hash, cost) ?? this.#asked(id, hash, cost);
  }

  /** Whether this process has accepted the key before. */
  hasAccepted(key: string): boolean {
    return this.#accepted.has(this.#hashed(key, null).id);
  }

  #hashed(key: string, connection: object | null): HashedKey {
    const last = connection === null ? undefined : this.#last.get(connection);
    if (last?.key === key) return last;
    const hash = sha256(key);
    const hashed = { key, hash, id: hash.toString('latin1') };
    if (connection !== null) this.#last.set(connection, hashed);
    return hashed;
  }

  async #asked(id: string, hash: Buffer, cost: number): Promise<Passage | null> {
    const grant = await this.#batcher.add({ hash, count: 1, cost });
    const passage = grant === null ? null : grant.passage;
    this.#leases.saw(id, passage);
    if (passage === null) this.#accepted.delete(id);
    else this.#accepted.set(id, true);
    return passage;
  }

  async #passAll(asks: Ask[]): Promise<(Grant | null)[]> {
    const grants = new Map<Ask, Grant>();
    for (const groups of rounds(asks)) {
      const askedAt = performance.now();
      const rows = await this.database.prepared<Row>('pass-keys', PASS, [
        groups.map(({ hash }) => hash),
        groups.map(({ count }) => count),
        groups.map(({ cost }) => cost),
        this.defaultLimit,
      ]);
      for (const row of rows) share(groups[row.nth - 1] as Group, row, askedAt, grants);
      const stale = rows.filter(row => row.isUseStale).map(row => row.keyId);
      if (stale.length > 0) await this.database.query(NOTE_USE, [stale]);
    }
    return asks.map(ask => grants.get(ask) ?? null);
  }
}

/** A statement counts each key once: asks of another cost wait for the next one. */
function rounds(asks: Ask[]): Group[][] {
  const made: Map<string, Group>[] = [];
  for (const ask of asks) {
    const key = ask.hash.toString('latin1');
    let round = made.find(groups => (groups.get(key)?.cost ?? ask.cost) === ask.cost);
    if (!round) {
      round = new Map();
      made.push(round);
    }
    const group = round.get(key);
    if (!group) round.set(key, { ...ask, asks: [ask] });
    else {
      group.asks.push(ask);
      group.count += ask.count;
    }
  }
  return made.map(round => [...round.values()]);
}

/** Hands what a group was granted to its asks, first come first served. */
function share({ asks, cost }: Group, row: Row, askedAt: number, grants: Map<Ask, Grant>): void {
  const { userId, isAdmin, keyId, isKeyLimited, isSpendingLimited, secondsToLive, secondsLeft, endsAt } = row;
  const viewer: Viewer = { userId, isAdmin, via: 'key', keyId, isKeyLimited, isSpendingLimited };
  const lasting = {
    keyId,
    askedAt,
    validSeconds: Math.min(secondsLeft ?? Number.POSITIVE_INFINITY, secondsToLive ?? Number.POSITIVE_INFINITY),
    windowSeconds: secondsLeft ?? 0,
    windowEndsAt: endsAt ?? 0,
  };
  let before = 0;
  for (const ask of asks) {
    const requests = row.used === null ? 0 : Math.min(Math.max(row.granted / cost - before, 0), ask.count);
    before += requests;
    grants.set(ask, {
      ...lasting,
      requests,
      passage: { viewer, allowance: allowanceOf(row, before * cost, requests > 0) },
    });
  }
}

/** `spent`: by the requests of the statement up to this one. */
function allowanceOf(row: Row, spent: number, isGranted: boolean): Allowance | null {
  const { limit, used, granted, secondsLeft, endsAt } = row;
  if (used === null || secondsLeft === null || endsAt === null) return null;
  return {
    limit,
    remaining: Math.max(limit - (isGranted ? used - granted + spent : used), 0),
    resetSeconds: Math.min(Math.max(Math.ceil(secondsLeft), 1), WINDOW_SECONDS),
    resetAt: Math.ceil(endsAt),
    isGranted,
  };
}
