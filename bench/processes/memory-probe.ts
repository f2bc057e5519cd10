/** Loaded into a measured process (`--import`, `--expose-gc`): reports its memory to the parent process on request. */
export interface MemoryUse {
  /** Bytes in use on the heap and outside of it, after a garbage collection. */
  used: number;
  resident: number;
}

process.on('message', async () => {
  const collect = (globalThis as { gc?: () => void }).gc;
  // Twice, because finalizers of the first collection release more memory.
  for (let time = 0; time < 2; time++) {
    collect?.();
    await new Promise(resolve => setTimeout(resolve, 50));
  }
  const { heapUsed, external, rss } = process.memoryUsage();
  process.send?.({ used: heapUsed + external, resident: rss } satisfies MemoryUse);
});
// The probe does not keep the process alive.
process.channel?.unref();
