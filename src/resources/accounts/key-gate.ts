import { Batcher } from '../../base/batcher.js';
import { sha256 } from '../../base/crypto.js';
import type { Database } from '../../base/database.js';
import type { Viewer } from './viewer.js';

/** What a key may still ask for in its present window. */
export interface Allowance {
  /** Requests a window. */
  limit: number;
  remaining: number;
  /** Whole seconds until the window ends, 1-60. */
  resetSeconds: number;
  /** When it ends, in Unix seconds by the database's clock. */
  resetAt: number;
  /** Whether this request fitted in; one that did not is not counted. */
  isGranted: boolean;
}

/** The viewer behind a key; `allowance` is null for a key without a limit and for what is not counted. */
export interface Passage {
  viewer: Viewer;
  allowance: Allowance | null;
}

interface Ask {
  hash: Buffer;
  /** Requests that this one counts for; 0: it only asks whose the key is. */
  cost: number;
}

/** Asks of one key and one cost: the window takes as many of them as fit. */
interface Group extends Ask {
  asks: Ask[];
}

interface Row {
  nth: number;
  keyId: number;
  isKeyLimited: boolean;
  isUseStale: boolean;
  userId: number;
  isAdmin: boolean;
  limit: number;
  used: number | null;
  granted: number;
  secondsLeft: number;
  endsAt: number;
}

/** The length of a window. It begins with the first request of a key that has none, and is never prolonged. */
export const WINDOW_SECONDS = 60;

// One statement identifies the keys and counts their requests. Each row is locked by the upsert, so that any number of
// processes grant a window's requests exactly once; in the order of the ids, so that two never wait in a circle.
const PASS = `
  with asked as (
    select * from unnest($1::bytea[], $2::int[], $3::int[]) with ordinality as a(hash, count, cost, nth)),
  known as materialized (
    select a.nth, a.count, a.cost, k.id, k.user_id, u.is_admin, coalesce(k.rate_limit, $4::int) as most,
           k.budget_usd is not null as is_limited,
           k.last_used_at is null or k.last_used_at < now() - interval '1 minute' as is_use_stale
      from asked a join api_key k on k.hash = a.hash join app_user u on u.id = k.user_id
     where (k.expires_at is null or k.expires_at > now()) and u.is_api_allowed),
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
  select k.nth, k.id as "keyId", k.is_limited as "isKeyLimited", k.is_use_stale as "isUseStale", k.user_id as "userId", k.is_admin as "isAdmin", k.most as "limit", t.used, t.granted,
         extract(epoch from t.ends_at - now())::float8 as "secondsLeft", extract(epoch from t.ends_at)::float8 as "endsAt"
    from known k left join taken t on t.api_key_id = k.id`;

/** Of the requests that come at once the first writes, and nobody waits for it. */
const NOTE_USE = `
  update api_key set last_used_at = now() where id in (
    select id from api_key
     where id = any($1::int[]) and (last_used_at is null or last_used_at < now() - interval '1 minute')
       for update skip locked)`;

/**
 * Identifies API keys and counts what they ask for, over all processes: a fixed window of 60 seconds, opened by a key's
 * first request, in which what is refused is not counted. Requests that arrive together share one statement.
 */
export class KeyGate {
  readonly #batcher: Batcher<Ask, Passage | null>;

  constructor(
    private readonly database: Database,
    /** Requests a minute of a key without a limit of its own; 0: unlimited. */
    private readonly defaultLimit: number,
  ) {
    this.#batcher = new Batcher(asks => this.#passAll(asks), { lanes: 2, maxBatch: 500 });
  }

  /** Null for a key that does not exist, has expired or whose user may have none. The caller refuses what was not granted. */
  pass(key: string, cost: number): Promise<Passage | null> {
    return this.#batcher.add({ hash: sha256(key), cost });
  }

  async #passAll(asks: Ask[]): Promise<(Passage | null)[]> {
    const passages = new Map<Ask, Passage>();
    for (const groups of rounds(asks)) {
      const rows = await this.database.prepared<Row>('pass-keys', PASS, [
        groups.map(({ hash }) => hash),
        groups.map(group => group.asks.length),
        groups.map(({ cost }) => cost),
        this.defaultLimit,
      ]);
      for (const row of rows) share(groups[row.nth - 1] as Group, row, passages);
      const stale = rows.filter(row => row.isUseStale).map(row => row.keyId);
      if (stale.length > 0) await this.database.query(NOTE_USE, [stale]);
    }
    return asks.map(ask => passages.get(ask) ?? null);
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
    if (group) group.asks.push(ask);
    else round.set(key, { ...ask, asks: [ask] });
  }
  return made.map(round => [...round.values()]);
}

/** Hands what a group was granted to its asks, first come first served. */
function share({ asks, cost }: Group, row: Row, passages: Map<Ask, Passage>): void {
  const { userId, isAdmin, keyId, isKeyLimited } = row;
  const viewer: Viewer = { userId, isAdmin, via: 'key', keyId, isKeyLimited };
  for (const [index, ask] of asks.entries()) passages.set(ask, { viewer, allowance: allowanceOf(row, cost, index) });
}

function allowanceOf(
  { limit, used, granted, secondsLeft, endsAt }: Row,
  cost: number,
  index: number,
): Allowance | null {
  if (used === null) return null;
  const isGranted = (index + 1) * cost <= granted;
  return {
    limit,
    remaining: Math.max(limit - (isGranted ? used - granted + (index + 1) * cost : used), 0),
    resetSeconds: Math.min(Math.max(Math.ceil(secondsLeft), 1), WINDOW_SECONDS),
    resetAt: Math.ceil(endsAt),
    isGranted,
  };
}
