/** Loaded into a process that is measured (`--import`, `--expose-gc`): tells its parent, when asked, what it holds. */
export interface Held {
  /** Bytes of the heap and outside it that are in use, after a collection. */
  used: number;
  resident: number;
}

process.on('message', async () => {
  const collect = (globalThis as { gc?: () => void }).gc;
  // Twice: what finalizers let go is gone at the second time.
  for (let time = 0; time < 2; time++) {
    collect?.();
    await new Promise(resolve => setTimeout(resolve, 50));
  }
  const { heapUsed, external, rss } = process.memoryUsage();
  process.send?.({ used: heapUsed + external, resident: rss } satisfies Held);
});
// Nobody stays alive to be measured.
process.channel?.unref();
