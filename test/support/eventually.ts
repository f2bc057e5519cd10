const EVERY_MS = 15;

/**
 * Reads until the value is as wanted. The limit is a net for what never comes, not an assertion: a busy machine does not
 * reach it.
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
      throw new Error(`waited ${withinMs} ms in vain; the last value was ${JSON.stringify(value)}`);
    await new Promise(resolve => setTimeout(resolve, EVERY_MS));
  }
}
