import { setTimeout } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import type { AuthResult } from '../sessions/auth-result.js';

/**
 * For so long a process goes by what the database said of a key that is in constant use, counted from before it was
 * asked. Whoever takes something away from a key answers only when that time has passed: `untilLeasesLapse`.
 */
const LEASE_MS = 100;
/** Requests within that time from which on a key is in constant use. */
const HOT = 20;
/** Of what is left in a window at most this part is set aside: near its limit a key is counted request by request. */
const LARGEST_SHARE = 1 / 10;
const MAX_KEYS = 1_000;

/** Resolves when no process goes by what it knew of any key before this call. */
export function waitForLeaseExpiry(): Promise<void> {
  return setTimeout(LEASE_MS);
}

/** What the database said of a key, and how many requests it set aside in the present window. */
export interface Grant {
  passage: AuthResult;
  keyId: number;
  /** 0 for a key without a limit. */
  requests: number;
  /** By the process's own clock, before the database was asked. */
  askedAt: number;
  /** Until the key expires or its window ends, whichever comes first. */
  validSeconds: number;
  /** Until its window ends; 0 where it has none. */
  windowSeconds: number;
  /** Tells a key's windows apart. */
  windowEndsAt: number;
}

interface Lease extends Grant {
  /** Requests set aside that nobody has made yet. */
  left: number;
  taken: number;
  until: number;
}

interface Use {
  since: number;
  requests: number;
  /** Undefined: not told yet. Null: the key has no limit. */
  remaining: number | null | undefined;
}

export interface LeaseSource {
  /** Null for a key that opens nothing. */
  ask(hash: Buffer, requests: number): Promise<Grant | null>;
  giveBack(keyId: number, requests: number, windowEndsAt: number): Promise<unknown>;
}

/**
 * Keys in constant use, which are not asked about at each request: one statement says for a tenth of a second whose the
 * key is, and sets requests of its window aside. What was not used of them is given back.
 */
export class KeyLeases {
  readonly #leases = new Map<string, Lease>();
  readonly #uses = new LRUCache<string, Use>({ max: MAX_KEYS });
  readonly #asking = new Set<string>();
  #isSweeping = false;

  constructor(private readonly source: LeaseSource) {}

  /** The passage of a request with a key that is leased; undefined: the database is to be asked. */
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

  /** What the database answered to a request that was not leased. */
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
      // The next request asks for itself, and hears what is wrong.
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

  /** Takes back the leases of keys that are no longer in use. */
  async #sweep(): Promise<void> {
    if (this.#isSweeping) return;
    this.#isSweeping = true;
    while (this.#leases.size > 0) {
      await setTimeout(LEASE_MS, undefined, { ref: false });
      const now = performance.now();
      for (const [id, lease] of this.#leases) {
        if (lease.until > now || this.#asking.has(id)) continue;
        this.#leases.delete(id);
        // Where that fails they count as used until the window ends.
        if (lease.left > 0) await this.source.giveBack(lease.keyId, lease.left, lease.windowEndsAt).catch(() => {});
      }
    }
    this.#isSweeping = false;
  }
}
