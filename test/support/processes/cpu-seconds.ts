/** Seconds of CPU time of synchronous work, independent of other load of the machine. */
export function cpuSecondsOf(work: () => void): number {
  const began = process.cpuUsage();
  work();
  return process.cpuUsage(began).user / 1e6;
}

/** Far more than linear work on the texts of the tests takes on a slow machine, and far less than quadratic work. */
export const LINEAR_SECONDS = 60;
