/** Seconds of the processor that a synchronous work takes, whatever else the machine does. */
export function cpuSecondsOf(work: () => void): number {
  const began = process.cpuUsage();
  work();
  return process.cpuUsage(began).user / 1e6;
}

/** Far above what linear work on the tests' texts takes on a slow machine, far below what quadratic work would take. */
export const LINEAR_SECONDS = 60;
