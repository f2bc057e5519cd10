/** The median; the mean of the two middle values for an even number. Throws for an empty list. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  if (sorted.length === 0) throw new Error('a median needs at least one value');
  return sorted.length % 2 === 1 ? sorted[Math.floor(middle)]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

/** The value below which the share (0-1) of the sorted values is. */
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
 * Measures all implementations in turn in every round, so that disturbances of the machine affect all of them. Every
 * second round uses the reverse order, so no implementation always follows the same one. Returns one measurement per
 * round.
 */
export async function inRounds<T, Name extends string>(
  implementations: Record<Name, () => Promise<T>>,
  rounds: number,
): Promise<Record<Name, T[]>> {
  const names = Object.keys(implementations) as Name[];
  const measured = Object.fromEntries(names.map(name => [name, []])) as unknown as Record<Name, T[]>;
  for (let round = 0; round < rounds; round++)
    for (const name of round % 2 === 0 ? names : names.toReversed()) measured[name].push(await implementations[name]());
  return measured;
}
