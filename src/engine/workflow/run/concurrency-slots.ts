/** A request for a concurrency slot, granted immediately or later. */
export interface Slot {
  readonly isGranted: boolean;
  /** Releases the slot, or cancels the request. */
  release(): void;
}

/** The slot of a node that needs none. */
export const NO_SLOT: Slot = { isGranted: true, release: () => {} };

interface SlotRequest {
  /** Undefined: the slot is granted. */
  grant: (() => void) | undefined;
}

/** A limited number of concurrency slots, granted in order of request. */
export class ConcurrencySlots {
  #free: number;
  readonly #waiting = new Set<SlotRequest>();

  constructor(count: number) {
    this.#free = count;
  }

  /** Requests a slot. Calls `grant` when it is available, possibly before this method returns. */
  request(grant: () => void): Slot {
    const slotRequest: SlotRequest = { grant };
    let isReleased = false;
    this.#waiting.add(slotRequest);
    const slot = {
      get isGranted() {
        return slotRequest.grant === undefined;
      },
      release: () => {
        if (this.#waiting.delete(slotRequest) || isReleased) return;
        isReleased = true;
        this.#free++;
        this.#grantNext();
      },
    };
    this.#grantNext();
    return slot;
  }

  #grantNext(): void {
    for (const slotRequest of this.#waiting) {
      if (this.#free === 0) return;
      this.#free--;
      this.#waiting.delete(slotRequest);
      const { grant } = slotRequest;
      slotRequest.grant = undefined;
      grant?.();
    }
  }
}
