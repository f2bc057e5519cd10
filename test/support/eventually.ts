const EVERY_MS = 15;

/**
 * Reads until the value meets the condition. The timeout only ends a test whose condition is never met; it is no
 * assertion, and a busy machine does not reach it.
 */
export async function eventually<T>(
  read: () => Promise<T>,
  holds: (value: T) => boolean,
  { withinMs = 150_000 }: { withinMs?: number } = {},
): Promise<T> {
  const until = Date.now() + withinMs;
  for (;;) {
    const value = await read();
    if (holds(value)) return value;
    if (Date.now() > until)
      throw new Error(`the condition did not hold within ${withinMs} ms; the last value was ${JSON.stringify(value)}`);
    await new Promise(resolve => setTimeout(resolve, EVERY_MS));
  }
}
