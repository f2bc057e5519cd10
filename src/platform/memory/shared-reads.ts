/** Merges concurrent reads with the same key into one, which starts after all of them were requested. */
export class SharedReads<T> {
  readonly #asked = new Map<string, Promise<T>>();

  read(key: string, read: () => Promise<T>): Promise<T> {
    const known = this.#asked.get(key);
    if (known) return known;
    const reading = new Promise<void>(resolve => setImmediate(resolve)).then(() => {
      // Later callers may know of a change that this read does not see, so they start a new read.
      this.#asked.delete(key);
      return read();
    });
    this.#asked.set(key, reading);
    return reading;
  }
}
