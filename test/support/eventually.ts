const EVERY_MS = 15;

/** Reads until the value is as wanted; throws with the last one when that takes too long. */
export async function eventually<T>(
  read: () => Promise<T>,
  holds: (value: T) => boolean,
  { withinMs = 10_000 }: { withinMs?: number } = {},
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
