import { LRUCache } from 'lru-cache';
import { sha256 } from '../../../platform/crypto/crypto.js';
import type { Database } from '../../../platform/database/database.js';
import { expression, NOW, queries } from '../../../platform/database/typed-queries.js';
import { Batcher } from '../../../platform/sql/batcher.js';
import type { AccountTables } from '../account-tables.js';
import type { Allowance, AuthResult } from '../sessions/auth-result.js';
import type { Viewer } from '../viewer.js';
import { type AcceptedKey, checkKeys, WINDOW_SECONDS } from './key-gate.sql.js';
import { type Grant, KeyLeases } from './key-leases.js';

interface PendingKeyCheck {
  hash: Buffer;
  /** How often the same is asked: more than once where requests are set aside. */
  count: number;
  /** Requests that each counts for; 0: it only asks whose the key is. */
  cost: number;
}

/** Asks of one key and one cost: the window takes as many of them as fit. */
interface Group extends PendingKeyCheck {
  asks: PendingKeyCheck[];
}

interface HashedKey {
  key: string;
  hash: Buffer;
  /** The hash as a text. */
  id: string;
}

/** Keys that a process remembers to have accepted. */
const MAX_ACCEPTED = 10_000;
/**
 * Identifies API keys and counts what they ask for, over all processes: a fixed window of 60 seconds, opened by a key's
 * first request, in which what is refused is not counted. Requests that arrive together share one statement; those of keys
 * in constant use go without for a moment (`key-leases.ts`).
 */
export class KeyGate {
  readonly #batcher: Batcher<PendingKeyCheck, Grant | null>;
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
      giveBack: (...unused) => this.#giveBack(...unused),
    });
  }

  /**
   * Null for a key that does not exist, has expired or whose user may have none. The caller refuses what was not granted. At
   * once for a key that is leased. `connection`: that of the request, whose next one mostly bears the same key.
   */
  pass(key: string, cost: number, connection: object | null): AuthResult | Promise<AuthResult | null> {
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

  async #asked(id: string, hash: Buffer, cost: number): Promise<AuthResult | null> {
    const grant = await this.#batcher.add({ hash, count: 1, cost });
    const passage = grant === null ? null : grant.passage;
    this.#leases.saw(id, passage);
    if (passage === null) this.#accepted.delete(id);
    else this.#accepted.set(id, true);
    return passage;
  }

  async #passAll(asks: PendingKeyCheck[]): Promise<(Grant | null)[]> {
    const grants = new Map<PendingKeyCheck, Grant>();
    for (const groups of rounds(asks)) {
      const askedAt = performance.now();
      const rows = await checkKeys(this.database, groups, this.defaultLimit);
      for (const row of rows) share(groups[row.nth - 1] as Group, row, askedAt, grants);
      const stale = rows.filter(row => row.isUseStale).map(row => row.keyId);
      if (stale.length > 0) await this.#noteUse(stale);
    }
    return asks.map(ask => grants.get(ask) ?? null);
  }

  /** Returns requests that were leased and not made. A window that is over takes none. */
  #giveBack(keyId: number, requests: number, windowEndsAt: number) {
    return queries<AccountTables>(this.database)
      .updateTable('api_key_window')
      .set({ used: expression<number>`greatest(used - ${requests}::int, 0)` })
      .where('api_key_id', '=', keyId)
      .where(
        expression<number>`abs(extract(epoch from opened_at + make_interval(secs => ${WINDOW_SECONDS}))::float8
          - ${windowEndsAt}::float8)`,
        '<',
        0.001,
      )
      .execute();
  }

  /** Of the requests that come at once the first writes; the others do not wait for it. */
  async #noteUse(keyIds: number[]): Promise<void> {
    await queries<AccountTables>(this.database)
      .updateTable('api_key')
      .set({ last_used_at: NOW })
      .where('id', 'in', ({ selectFrom }) =>
        selectFrom('api_key')
          .select('id')
          .where('id', 'in', keyIds)
          .where(({ eb, or }) =>
            or([
              eb('last_used_at', 'is', null),
              eb('last_used_at', '<', expression<Date>`now() - interval '1 minute'`),
            ]),
          )
          .forUpdate()
          .skipLocked(),
      )
      .execute();
  }
}

/** A statement counts each key once: asks of another cost wait for the next one. */
function rounds(asks: PendingKeyCheck[]): Group[][] {
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
function share({ asks, cost }: Group, row: AcceptedKey, askedAt: number, grants: Map<PendingKeyCheck, Grant>): void {
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
function allowanceOf(row: AcceptedKey, spent: number, isGranted: boolean): Allowance | null {
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
