/** Limits the number of slots of each holder to `most`. */
export class SocketSlots {
  readonly #taken = new Map<number, number>();

  constructor(private readonly most: number) {}

  /** Takes a slot and returns the function that releases it; null if the holder has reached the limit. */
  take(holder: number): (() => void) | null {
    const taken = this.#taken.get(holder) ?? 0;
    if (taken >= this.most) return null;
    this.#taken.set(holder, taken + 1);
    let isTaken = true;
    return () => {
      if (!isTaken) return;
      isTaken = false;
      const left = this.#taken.get(holder)! - 1;
      if (left === 0) this.#taken.delete(holder);
      else this.#taken.set(holder, left);
    };
  }
}
