import { setTimeout } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import type { AuthResult } from './auth-result.js';

/**
 * The duration of a lease in milliseconds, counted from the moment its query was sent. An operation that restricts
 * a key must call `waitForLeaseExpiry` before it responds.
 */
const LEASE_MS = 100;
/** A key is leased when it is used for at least this many requests within LEASE_MS. */
const MIN_REQUESTS = 20;
/**
 * The maximum share of the remaining requests that one lease reserves. Near the limit of a key, each request is
 * counted by a query.
 */
const MAX_SHARE = 1 / 10;
/** The maximum number of leases, and of keys whose use is counted. */
const MAX_KEYS = 1_000;
/** A first lease reserves this multiple of the requests that were counted within LEASE_MS so far. */
const FIRST_LEASE_FACTOR = 2;
/** A renewed lease reserves this multiple of the requests that the current rate uses within LEASE_MS. */
const RENEWED_LEASE_FACTOR = 1.5;

/** Resolves when every lease that existed before this call has expired, in every process. */
export function waitForLeaseExpiry(): Promise<void> {
  return setTimeout(LEASE_MS);
}

/** The result of a key check, with the number of requests reserved in the current window. */
export interface Grant {
  authResult: AuthResult;
  keyId: number;
  /** The number of reserved requests. 0 for a key without a limit. */
  requests: number;
  /** When the query was sent, in milliseconds of `performance.now()`. */
  queriedAt: number;
  /** Seconds until the key expires or its window ends, whichever comes first. */
  validSeconds: number;
  /** Seconds until the window ends. 0 without a window. */
  windowSeconds: number;
  /** The end of the window in Unix seconds. It identifies the window. */
  windowEndsAt: number;
}

interface Lease extends Grant {
  /** Reserved requests that are not used yet. */
  unusedRequests: number;
  usedRequests: number;
  /** In milliseconds of `performance.now()`. */
  expiresAt: number;
}

/** Recent use of a key in this process. */
interface Use {
  /** When counting began, in milliseconds of `performance.now()`. */
  since: number;
  /** Requests since then. */
  requests: number;
  /** Requests left in the window. Undefined: not known yet. Null: the key has no limit. */
  remaining: number | null | undefined;
}

/** The database side of leases, by which they get and return requests. */
export interface LeaseSource {
  /** Checks a key and reserves requests in its current window. Returns null for an invalid key. */
  check(hash: Buffer, requests: number): Promise<Grant | null>;
  /** Returns reserved requests to the window. Has no effect after the window has ended. */
  returnRequests(keyId: number, requests: number, windowEndsAt: number): Promise<unknown>;
}

/**
 * Leases for frequently used keys, so that not every request needs a query. One statement checks the key and
 * reserves requests in its window. The result is used for LEASE_MS. Unused requests are returned to the window.
 */
export class KeyLeases {
  readonly #leases = new Map<string, Lease>();
  readonly #uses = new LRUCache<string, Use>({ max: MAX_KEYS });
  readonly #renewing = new Set<string>();
  #isSweeping = false;

  constructor(private readonly source: LeaseSource) {}

  /**
   * Uses `cost` requests of a lease and returns the result for the key. Undefined: the caller must query the database.
   * `id` identifies the key in memory.
   */
  take(id: string, hash: Buffer, cost: number): AuthResult | undefined {
    const now = performance.now();
    const lease = this.#leases.get(id);
    if (!lease) {
      const use = this.#countUse(id, cost, now);
      if (use.requests >= MIN_REQUESTS) this.#renew(id, hash, use.requests * FIRST_LEASE_FACTOR, use.remaining);
      return undefined;
    }
    const { allowance } = lease.authResult;
    const hasRequests = allowance === null || lease.unusedRequests >= cost;
    // A lease is renewed from half of its time on, so that a busy key has a valid one without a gap.
    if (now >= lease.expiresAt || !hasRequests || now - lease.queriedAt > LEASE_MS / 2)
      this.#renewLease(id, hash, lease, now);
    if (now >= lease.expiresAt || !hasRequests) return undefined;
    lease.usedRequests += cost;
    if (allowance === null || cost === 0) return { ...lease.authResult, allowance: null };
    lease.unusedRequests -= cost;
    const seconds = lease.windowSeconds - (now - lease.queriedAt) / 1000;
    const remaining = allowance.remaining + lease.unusedRequests;
    return {
      viewer: lease.authResult.viewer,
      allowance: { ...allowance, remaining, resetSeconds: Math.max(Math.ceil(seconds), 1), isGranted: true },
    };
  }

  /** Records the result of a request that was checked by the database. */
  recordResult(id: string, authResult: AuthResult | null): void {
    const use = this.#uses.peek(id);
    if (use) use.remaining = authResult?.allowance === null ? null : authResult?.allowance.remaining;
  }

  #countUse(id: string, cost: number, now: number): Use {
    const current = this.#uses.get(id);
    const use =
      current && now - current.since < LEASE_MS ? current : { since: now, requests: 0, remaining: current?.remaining };
    use.requests += cost;
    if (use !== current) this.#uses.set(id, use);
    return use;
  }

  #renewLease(id: string, hash: Buffer, lease: Lease, now: number): void {
    const perMs = lease.usedRequests / Math.max(now - lease.queriedAt, 1);
    const requests = Math.ceil(perMs * LEASE_MS * RENEWED_LEASE_FACTOR) - lease.unusedRequests;
    const { allowance } = lease.authResult;
    this.#renew(id, hash, requests, allowance === null ? null : allowance.remaining);
  }

  #renew(id: string, hash: Buffer, requests: number, remaining: number | null | undefined): void {
    if (remaining === undefined || this.#renewing.has(id)) return;
    if (this.#renewing.size + this.#leases.size >= MAX_KEYS && !this.#leases.has(id)) return;
    const max = remaining === null ? 1 : Math.floor(remaining * MAX_SHARE);
    if (remaining !== null && max < MIN_REQUESTS) return;
    this.#renewing.add(id);
    this.source
      .check(hash, Math.min(Math.max(requests, 1), max))
      .then(grant => this.#storeLease(id, grant))
      // The next request queries the database itself and receives the error.
      .catch(() => {})
      .finally(() => this.#renewing.delete(id));
  }

  #storeLease(id: string, grant: Grant | null): void {
    const previous = this.#leases.get(id);
    this.#leases.delete(id);
    if (!grant) return;
    const isSameWindow = previous?.windowEndsAt === grant.windowEndsAt;
    const expiresAt = grant.queriedAt + Math.min(LEASE_MS, grant.validSeconds * 1000);
    this.#leases.set(id, {
      ...grant,
      unusedRequests: grant.requests + (isSameWindow ? previous.unusedRequests : 0),
      usedRequests: 0,
      expiresAt,
    });
    void this.#sweep();
  }

  /** Returns the unused requests of expired leases. */
  async #sweep(): Promise<void> {
    if (this.#isSweeping) return;
    this.#isSweeping = true;
    while (this.#leases.size > 0) {
      await setTimeout(LEASE_MS, undefined, { ref: false });
      const now = performance.now();
      for (const [id, lease] of this.#leases) {
        if (lease.expiresAt > now || this.#renewing.has(id)) continue;
        this.#leases.delete(id);
        // If this fails, the requests count as used until the window ends.
        if (lease.unusedRequests > 0)
          await this.source.returnRequests(lease.keyId, lease.unusedRequests, lease.windowEndsAt).catch(() => {});
      }
    }
    this.#isSweeping = false;
  }
}
