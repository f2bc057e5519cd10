import { test } from '@jest/globals';

/** One of five points: enough to test that the next process continues, but not from every point. */
const STEP = 5;
const isComplete = process.env.FAULTS === 'all';

/**
 * The tested cases of a list, such as points at which a process is killed: a few of them, or all with `npm run
 * test:faults`.
 */
export function faultPoints<T>(points: readonly T[]): T[] {
  return points.filter((_, index) => isComplete || index % STEP === 1);
}

/** A test that runs only with `npm run test:faults`. */
export const faultTest = isComplete ? test : test.skip;
