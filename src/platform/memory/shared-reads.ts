/** Merges concurrent reads with the same key into one, which starts after all of them were requested. */
export class SharedReads<T> {
  readonly #pending = new Map<string, Promise<T>>();

  read(key: string, read: () => Promise<T>): Promise<T> {
    const pending = this.#pending.get(key);
    if (pending) return pending;
    const reading = new Promise<void>(resolve => setImmediate(resolve)).then(() => {
      // Later callers may know of a change that this read does not see, so they start a new read.
      this.#pending.delete(key);
      return read();
    });
    this.#pending.set(key, reading);
    return reading;
  }
}
