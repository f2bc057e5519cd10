/** Reads of the same thing that are asked for at about the same moment are one, which begins after the last of them was asked for. */
export class SharedReads<T> {
  readonly #asked = new Map<string, Promise<T>>();

  read(key: string, read: () => Promise<T>): Promise<T> {
    const known = this.#asked.get(key);
    if (known) return known;
    const reading = new Promise<void>(resolve => setImmediate(resolve)).then(() => {
      // Whoever asks from here on may know of a change that this read does not see.
      this.#asked.delete(key);
      return read();
    });
    this.#asked.set(key, reading);
    return reading;
  }
}
