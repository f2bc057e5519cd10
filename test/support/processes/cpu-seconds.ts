/**
 * Returns the user CPU time that the process needs during synchronous work, in seconds. Unlike elapsed time it does not
 * depend on other processes.
 */
export function cpuSecondsOf(work: () => void): number {
  const began = process.cpuUsage();
  work();
  return process.cpuUsage(began).user / 1e6;
}

/** Far more than linear work on the texts of the tests takes on a slow machine, and far less than quadratic work. */
export const LINEAR_SECONDS = 60;
