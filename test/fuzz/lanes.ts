import fc from 'fast-check';

/** Cases per operation, some 5,000 in total; `npm run test:fuzz` sets 2,000. */
export const FUZZ_RUNS = Number(process.env.FUZZ_RUNS ?? 6);
/** Set FUZZ_SEED to the seed that a failure printed to repeat it. */
const FUZZ_SEED = process.env.FUZZ_SEED === undefined ? {} : { seed: Number(process.env.FUZZ_SEED) };

/** Simultaneous requests. */
export const LANES = 8;

/**
 * Largest share of operations that may refuse all their requests; it is larger with few cases, where chance matters.
 */
export const MOST_REFUSED = FUZZ_RUNS < 30 ? 0.6 : FUZZ_RUNS < 200 ? 0.4 : 0.2;

/** Time limit in milliseconds for all operations together. */
export const FUZZ_MS = 120_000 + 1_200 * FUZZ_RUNS;

/** Checks a property. A failure reports its seed and the smallest failing case. */
export async function assertHolds<T>(arbitrary: fc.Arbitrary<T>, holds: (value: T) => Promise<void>, runs = FUZZ_RUNS) {
  await fc.assert(fc.asyncProperty(arbitrary, holds), { numRuns: runs, ...FUZZ_SEED });
}

/** Executes tasks in `LANES` lanes, each task once. Returns the outcome of each. */
export function inLanes(tasks: ReadonlyMap<string, () => Promise<void>>): Map<string, Promise<void>> {
  const waiting = [...tasks].map(([name, task]) => ({ name, task, ...Promise.withResolvers<void>() }));
  const outcomes = new Map(waiting.map(({ name, promise }) => [name, promise]));
  const lane = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      // A failure rejects the outcome of this task only; the lane continues with the next.
      await next.task().then(next.resolve, next.reject);
    }
  };
  for (const outcome of outcomes.values()) outcome.catch(() => {});
  for (let count = 0; count < LANES; count++) void lane();
  return outcomes;
}
