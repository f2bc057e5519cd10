import { LRUCache } from 'lru-cache';
import { sha256 } from '../../../platform/crypto/crypto.js';
import type { Database } from '../../../platform/database/database.js';
import { expression, NOW, queryBuilder } from '../../../platform/database/typed-queries.js';
import { Batcher } from '../../../platform/sql/batcher.js';
import type { AccountTables } from '../account-tables.js';
import type { Viewer } from '../viewer.js';
import type { Allowance, AuthResult } from './auth-result.js';
import { type AcceptedKey, checkKeys, WINDOW_SECONDS } from './key-authenticator.sql.js';
import { type Grant, KeyLeases } from './key-leases.js';

interface PendingKeyCheck {
  hash: Buffer;
  /** The number of identical requests. Greater than 1 when a lease reserves requests. */
  count: number;
  /** The number of requests that each one counts as. 0 only identifies the key. */
  cost: number;
}

/** Pending checks of one key with the same cost. The window grants as many of them as fit. */
interface Group extends PendingKeyCheck {
  checks: PendingKeyCheck[];
}

interface HashedKey {
  key: string;
  hash: Buffer;
  /** The hash as a string, for keys of maps. */
  id: string;
}

/** The number of accepted keys that a process remembers. */
const MAX_ACCEPTED = 10_000;
/** Maximum difference in seconds between two readings of the same end of a window, because both are floats. */
const WINDOW_END_TOLERANCE_SECONDS = 0.001;

/**
 * Identifies API keys and enforces their rate limits across all processes. The limit applies to a fixed window
 * of 60 seconds, which starts with the first request. Refused requests are not counted. Concurrent requests
 * share one statement. Frequently used keys are leased and need no statement for a short time
 * (`key-leases.ts`).
 */
export class KeyAuthenticator {
  readonly #batcher: Batcher<PendingKeyCheck, Grant | null>;
  readonly #leases: KeyLeases;
  readonly #accepted = new LRUCache<string, true>({ max: MAX_ACCEPTED });
  /** The last key of each connection. The entry is garbage-collected with the connection. */
  readonly #last = new WeakMap<object, HashedKey>();

  constructor(
    private readonly database: Database,
    /** Requests per minute of a key without its own limit. 0: unlimited. */
    private readonly defaultLimit: number,
  ) {
    this.#batcher = new Batcher(checks => this.#checkAll(checks), { concurrency: 2, maxBatch: 500 });
    this.#leases = new KeyLeases({
      check: (hash, count) => this.#batcher.add({ hash, count, cost: 1 }),
      returnRequests: (...args) => this.#returnRequests(...args),
    });
  }

  /**
   * Identifies a key and counts the request. Returns null if the key does not exist, has expired or belongs to
   * a user who may not use the API. The caller must refuse requests with `isGranted: false`. The result is
   * synchronous for a leased key. `connection` caches the hash, because most requests of a connection use the
   * same key.
   */
  authenticate(key: string, cost: number, connection: object | null): AuthResult | Promise<AuthResult | null> {
    const { hash, id } = this.#hashed(key, connection);
    return this.#leases.take(id, hash, cost) ?? this.#queryDatabase(id, hash, cost);
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

  async #queryDatabase(id: string, hash: Buffer, cost: number): Promise<AuthResult | null> {
    const grant = await this.#batcher.add({ hash, count: 1, cost });
    const authResult = grant === null ? null : grant.authResult;
    this.#leases.recordResult(id, authResult);
    if (authResult === null) this.#accepted.delete(id);
    else this.#accepted.set(id, true);
    return authResult;
  }

  async #checkAll(checks: PendingKeyCheck[]): Promise<(Grant | null)[]> {
    const grants = new Map<PendingKeyCheck, Grant>();
    for (const groups of splitIntoBatches(checks)) {
      const queriedAt = performance.now();
      const rows = await checkKeys(this.database, groups, this.defaultLimit);
      for (const row of rows) distributeGrants(groups[row.nth - 1] as Group, row, queriedAt, grants);
      const stale = rows.filter(row => row.isUseStale).map(row => row.keyId);
      if (stale.length > 0) await this.#recordUse(stale);
    }
    return checks.map(check => grants.get(check) ?? null);
  }

  /** Returns unused leased requests to their window. Has no effect after the end of the window. */
  #returnRequests(keyId: number, requests: number, windowEndsAt: number) {
    return queryBuilder<AccountTables>(this.database)
      .updateTable('api_key_window')
      .set({ used: expression<number>`greatest(used - ${requests}::int, 0)` })
      .where('api_key_id', '=', keyId)
      .where(
        expression<number>`abs(extract(epoch from opened_at + make_interval(secs => ${WINDOW_SECONDS}))::float8
          - ${windowEndsAt}::float8)`,
        '<',
        WINDOW_END_TOLERANCE_SECONDS,
      )
      .execute();
  }

  /** Sets `last_used_at`. Only the first of several concurrent requests writes; SKIP LOCKED prevents the others from waiting. */
  async #recordUse(keyIds: number[]): Promise<void> {
    await queryBuilder<AccountTables>(this.database)
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

/**
 * Splits checks into batches, because one statement can count each key only once. Checks of the same key with
 * another cost go into the next batch.
 */
function splitIntoBatches(checks: PendingKeyCheck[]): Group[][] {
  const batches: Map<string, Group>[] = [];
  for (const check of checks) {
    const key = check.hash.toString('latin1');
    let batch = batches.find(groups => (groups.get(key)?.cost ?? check.cost) === check.cost);
    if (!batch) {
      batch = new Map();
      batches.push(batch);
    }
    const group = batch.get(key);
    if (!group) batch.set(key, { ...check, checks: [check] });
    else {
      group.checks.push(check);
      group.count += check.count;
    }
  }
  return batches.map(batch => [...batch.values()]);
}

/** Distributes the granted requests of a group among its checks, in order of arrival. */
function distributeGrants(
  { checks, cost }: Group,
  row: AcceptedKey,
  queriedAt: number,
  grants: Map<PendingKeyCheck, Grant>,
): void {
  const { userId, isAdmin, keyId, isKeyLimited, isSpendingLimited, secondsToLive, secondsLeft, endsAt } = row;
  const viewer: Viewer = { userId, isAdmin, via: 'key', keyId, isKeyLimited, isSpendingLimited };
  const shared = {
    keyId,
    queriedAt,
    validSeconds: Math.min(secondsLeft ?? Number.POSITIVE_INFINITY, secondsToLive ?? Number.POSITIVE_INFINITY),
    windowSeconds: secondsLeft ?? 0,
    windowEndsAt: endsAt ?? 0,
  };
  // `used` is null when nothing was counted: the key is unlimited, or the cost is 0.
  let grantedBefore = 0;
  for (const check of checks) {
    const requests = row.used === null ? 0 : Math.min(Math.max(row.granted / cost - grantedBefore, 0), check.count);
    grantedBefore += requests;
    grants.set(check, {
      ...shared,
      requests,
      authResult: { viewer, allowance: allowanceOf(row, grantedBefore * cost, requests > 0) },
    });
  }
}

/** `spent` is the number of requests granted by this statement up to and including this one. */
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
