import type { Bench } from '../bench.js';

/** Returns the median: for an even number of values the mean of the two middle ones. Throws for an empty list. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  if (sorted.length === 0) throw new Error('a median needs at least one value');
  return sorted.length % 2 === 1 ? sorted[Math.floor(middle)]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

/**
 * Returns the value below which `share` (0-1) of the values are. `sorted` must be in ascending order. NaN if it is empty.
 */
export function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

/** Returns the duration of the work in milliseconds. */
export async function measureMs(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

/**
 * Time in milliseconds for which software is under load before it is measured. The engine compiles its functions
 * meanwhile: on a machine with two slow cores a run takes a third of the processor time afterwards.
 */
const WARM_UP_MS = 10_000;

/** The load of a warm-up. */
export const WARM_UP = { clients: 20, ms: WARM_UP_MS };

/** Repeats the work for `WARM_UP_MS`. */
export async function warmUp(work: () => Promise<unknown>): Promise<void> {
  const started = performance.now();
  do await work();
  while (performance.now() - started < WARM_UP_MS);
}

/**
 * Measures all candidates in turn in every round, so that disturbances of the machine affect all of them. Every
 * second round uses the reverse order, so no candidate always follows the same one. Returns one measurement per
 * round.
 */
export async function measureInRounds<T, Name extends string>(
  candidates: Record<Name, () => Promise<T>>,
  rounds: number,
): Promise<Record<Name, T[]>> {
  const names = Object.keys(candidates) as Name[];
  const measured = Object.fromEntries(names.map(name => [name, []])) as unknown as Record<Name, T[]>;
  for (let round = 0; round < rounds; round++)
    for (const name of round % 2 === 0 ? names : names.toReversed()) measured[name].push(await candidates[name]());
  return measured;
}

/** Number of measurements of a latency in one round. */
const TIMES = 50;

/** Measures latencies in milliseconds in rounds, after a warm-up. Returns the median of each round. */
export async function measureLatencies(
  { isSmoke, rounds }: Pick<Bench, 'isSmoke' | 'rounds'>,
  candidates: Record<string, () => Promise<number>>,
): Promise<Record<string, number[]>> {
  const inRounds = Object.entries(candidates).map(([name, measure]) => {
    const round = async () => {
      const all: number[] = [];
      for (let n = 0; n < (isSmoke ? 1 : TIMES); n++) all.push(await measure());
      return median(all);
    };
    return [name, round] as const;
  });
  for (const [, round] of inRounds) await (isSmoke ? round() : warmUp(round));
  return measureInRounds(Object.fromEntries(inRounds), rounds);
}
