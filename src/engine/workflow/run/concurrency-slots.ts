/** A request for a concurrency slot, granted immediately or later. */
export interface Place {
  readonly isGranted: boolean;
  /** Releases the slot, or cancels the request. */
  leave(): void;
}

interface Claim {
  grant: (() => void) | undefined;
}

/** A limited number of concurrency slots, granted in order of request. */
export class ConcurrencySlots {
  #free: number;
  readonly #waiting = new Set<Claim>();

  constructor(count: number) {
    this.#free = count;
  }

  /** Requests a slot. Calls `grant` when it is available, possibly before this method returns. */
  take(grant: () => void): Place {
    const claim: Claim = { grant };
    this.#waiting.add(claim);
    const place = {
      get isGranted() {
        return claim.grant === undefined;
      },
      leave: () => {
        if (this.#waiting.delete(claim) || left) return;
        left = true;
        this.#free++;
        this.#grantNext();
      },
    };
    let left = false;
    this.#grantNext();
    return place;
  }

  #grantNext(): void {
    for (const claim of this.#waiting) {
      if (this.#free === 0) return;
      this.#free--;
      this.#waiting.delete(claim);
      const { grant } = claim;
      claim.grant = undefined;
      grant?.();
    }
  }
}
