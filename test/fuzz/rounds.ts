import fc from 'fast-check';

/** Cases of each operation, of all some 5,000; `npm run test:fuzz` asks for 2,000 of each. */
export const FUZZ_RUNS = Number(process.env.FUZZ_RUNS ?? 6);
/** Set to the seed that a failure printed, to see it again. */
const FUZZ_SEED = process.env.FUZZ_SEED === undefined ? {} : { seed: Number(process.env.FUZZ_SEED) };

/** Requests that are under way at the same time. */
export const LANES = 8;

/** The share of the operations that may answer no request with a success: with few cases chance has a part in it. */
export const MOST_REFUSED = FUZZ_RUNS < 30 ? 0.6 : FUZZ_RUNS < 200 ? 0.4 : 0.2;

/** Most milliseconds for all operations together. */
export const FUZZ_MS = 120_000 + 1_200 * FUZZ_RUNS;

/** Runs a property; a failure says its seed and the smallest case that was found. */
export async function assertHolds<T>(arbitrary: fc.Arbitrary<T>, holds: (value: T) => Promise<void>, runs = FUZZ_RUNS) {
  await fc.assert(fc.asyncProperty(arbitrary, holds), { numRuns: runs, ...FUZZ_SEED });
}

/** Does several works at a time, each once; answers what becomes of each. */
export function inLanes(works: ReadonlyMap<string, () => Promise<void>>): Map<string, Promise<void>> {
  const waiting = [...works].map(([name, work]) => ({ name, work, ...Promise.withResolvers<void>() }));
  const outcomes = new Map(waiting.map(({ name, promise }) => [name, promise]));
  const lane = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      // Whoever waits for it hears of the failure; the lane goes on with the next.
      await next.work().then(next.resolve, next.reject);
    }
  };
  for (const outcome of outcomes.values()) outcome.catch(() => {});
  for (let count = 0; count < LANES; count++) void lane();
  return outcomes;
}
