/** Limits the number of slots of each holder to `max`. A holder is the id of a user, a slot an open socket or stream. */
export class SubscriberSlots {
  readonly #counts = new Map<number, number>();

  constructor(private readonly max: number) {}

  /** Takes a slot and returns the function that releases it; null if the holder has reached the limit. */
  acquire(holder: number): (() => void) | null {
    const count = this.#counts.get(holder) ?? 0;
    if (count >= this.max) return null;
    this.#counts.set(holder, count + 1);
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      const left = this.#counts.get(holder)! - 1;
      if (left === 0) this.#counts.delete(holder);
      else this.#counts.set(holder, left);
    };
  }
}
