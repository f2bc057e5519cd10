/** A claim to one of the places, granted now or later. */
export interface Place {
  readonly isGranted: boolean;
  /** Gives the place back, or the claim to it up. */
  leave(): void;
}

interface Claim {
  grant: (() => void) | undefined;
}

/** A bounded number of places, granted in the order in which they were asked for. */
export class ConcurrencySlots {
  #free: number;
  readonly #waiting = new Set<Claim>();

  constructor(count: number) {
    this.#free = count;
  }

  /** Calls `grant` once there is a place, which may be before this answers. */
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
