import { setTimeout } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import type { AuthResult } from '../sessions/auth-result.js';

/**
 * The duration of a lease in milliseconds, measured from before the query. An operation that restricts a key
 * must call `waitForLeaseExpiry` before it responds.
 */
const LEASE_MS = 100;
/** The number of requests within LEASE_MS from which a key is leased. */
const HOT = 20;
/**
 * The maximum share of the remaining requests that one lease reserves. Near its limit, a key is counted request
 * by request.
 */
const LARGEST_SHARE = 1 / 10;
const MAX_KEYS = 1_000;

/** Resolves when every lease that existed before this call has expired, in every process. */
export function waitForLeaseExpiry(): Promise<void> {
  return setTimeout(LEASE_MS);
}

/** The result of a key check, with the number of requests reserved in the current window. */
export interface Grant {
  passage: AuthResult;
  keyId: number;
  /** The number of reserved requests. 0 for a key without a limit. */
  requests: number;
  /** When the query was sent, in milliseconds of `performance.now()`. */
  askedAt: number;
  /** Seconds until the key expires or its window ends, whichever comes first. */
  validSeconds: number;
  /** Seconds until the window ends. 0 without a window. */
  windowSeconds: number;
  /** The end of the window in Unix seconds. It identifies the window. */
  windowEndsAt: number;
}

interface Lease extends Grant {
  /** Reserved requests that are not used yet. */
  left: number;
  taken: number;
  until: number;
}

interface Use {
  since: number;
  requests: number;
  /** Requests left in the window. Undefined: not known yet. Null: the key has no limit. */
  remaining: number | null | undefined;
}

export interface LeaseSource {
  /** Checks a key and reserves requests. Returns null for an invalid key. */
  ask(hash: Buffer, requests: number): Promise<Grant | null>;
  giveBack(keyId: number, requests: number, windowEndsAt: number): Promise<unknown>;
}

/**
 * Leases for frequently used keys, so that not every request needs a query. One statement identifies the key
 * for 100 ms and reserves requests of its window. Unused requests are returned to the window.
 */
export class KeyLeases {
  readonly #leases = new Map<string, Lease>();
  readonly #uses = new LRUCache<string, Use>({ max: MAX_KEYS });
  readonly #asking = new Set<string>();
  #isSweeping = false;

  constructor(private readonly source: LeaseSource) {}

  /** Returns the result for a leased key. Undefined: the caller must query the database. */
  take(id: string, hash: Buffer, cost: number): AuthResult | undefined {
    const now = performance.now();
    const lease = this.#leases.get(id);
    if (!lease) {
      const use = this.#used(id, cost, now);
      if (use.requests >= HOT) this.#renew(id, hash, use.requests * 2, use.remaining);
      return undefined;
    }
    const { allowance } = lease.passage;
    const fits = allowance === null || lease.left >= cost;
    if (now >= lease.until || !fits || now - lease.askedAt > LEASE_MS / 2) this.#renewLease(id, hash, lease, now);
    if (now >= lease.until || !fits) return undefined;
    lease.taken += cost;
    if (allowance === null || cost === 0) return { ...lease.passage, allowance: null };
    lease.left -= cost;
    const seconds = lease.windowSeconds - (now - lease.askedAt) / 1000;
    const remaining = allowance.remaining + lease.left;
    return {
      viewer: lease.passage.viewer,
      allowance: { ...allowance, remaining, resetSeconds: Math.max(Math.ceil(seconds), 1), isGranted: true },
    };
  }

  /** Records the result of a request that was checked by the database. */
  saw(id: string, passage: AuthResult | null): void {
    const use = this.#uses.peek(id);
    if (use) use.remaining = passage?.allowance === null ? null : passage?.allowance.remaining;
  }

  #used(id: string, cost: number, now: number): Use {
    const known = this.#uses.get(id);
    const use =
      known && now - known.since < LEASE_MS ? known : { since: now, requests: 0, remaining: known?.remaining };
    use.requests += cost;
    if (use !== known) this.#uses.set(id, use);
    return use;
  }

  #renewLease(id: string, hash: Buffer, lease: Lease, now: number): void {
    const aMs = lease.taken / Math.max(now - lease.askedAt, 1);
    const wanted = Math.ceil(aMs * LEASE_MS * 1.5) - lease.left;
    const { allowance } = lease.passage;
    this.#renew(id, hash, wanted, allowance === null ? null : allowance.remaining);
  }

  #renew(id: string, hash: Buffer, wanted: number, remaining: number | null | undefined): void {
    if (remaining === undefined || this.#asking.has(id)) return;
    if (this.#asking.size + this.#leases.size >= MAX_KEYS && !this.#leases.has(id)) return;
    const most = remaining === null ? 1 : Math.floor(remaining * LARGEST_SHARE);
    if (remaining !== null && most < HOT) return;
    this.#asking.add(id);
    this.source
      .ask(hash, Math.min(Math.max(wanted, 1), most))
      .then(grant => this.#granted(id, grant))
      // The next request queries the database itself and receives the error.
      .catch(() => {})
      .finally(() => this.#asking.delete(id));
  }

  #granted(id: string, grant: Grant | null): void {
    const before = this.#leases.get(id);
    this.#leases.delete(id);
    if (!grant) return;
    const isSameWindow = before?.windowEndsAt === grant.windowEndsAt;
    const until = grant.askedAt + Math.min(LEASE_MS, grant.validSeconds * 1000);
    this.#leases.set(id, { ...grant, left: grant.requests + (isSameWindow ? before.left : 0), taken: 0, until });
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
        if (lease.until > now || this.#asking.has(id)) continue;
        this.#leases.delete(id);
        // If this fails, the requests count as used until the window ends.
        if (lease.left > 0) await this.source.giveBack(lease.keyId, lease.left, lease.windowEndsAt).catch(() => {});
      }
    }
    this.#isSweeping = false;
  }
}
