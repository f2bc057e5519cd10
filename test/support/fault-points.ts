/** Every fifth: enough to see that the next process goes on, not to see that it does so from everywhere. */
const STEP = 5;

/** The points of this list at which a process is killed: a few of them, all with `npm run test:faults`. */
export function faultPoints(points: readonly string[]): string[] {
  return points.filter((_, index) => process.env.FAULTS === 'all' || index % STEP === 1);
}
