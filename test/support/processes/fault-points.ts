import { test } from '@jest/globals';

/** Every fifth: enough to see that the next process goes on, not to see that it does so from everywhere. */
const STEP = 5;
const isComplete = process.env.FAULTS === 'all';

/** The cases of this list that are tested, such as points at which a process is killed: a few, all with `npm run test:faults`. */
export function faultPoints<T>(points: readonly T[]): T[] {
  return points.filter((_, index) => isComplete || index % STEP === 1);
}

/** A test that only `npm run test:faults` runs. */
export const faultTest = isComplete ? test : test.skip;
