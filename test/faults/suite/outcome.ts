/** Result of a procedure. `lost`, `doubled` and `paidTwice` are zero when the service keeps its guarantees. */
export interface Outcome {
  procedure: string;
  /** The fault, with the number of times it was caused. */
  fault: string;
  /** Number of runs; of requests or repetitions where a procedure is about those. */
  runs: number;
  succeeded: number;
  /** Accepted runs without the promised end, result or webhook. */
  lost: number;
  /** Runs that started twice for one key, and calls that were repeated after their answer was recorded. */
  doubled: number;
  /** Nodes that do not have exactly one ledger row, and totals that differ from their rows. */
  paidTwice: number;
  /**
   * Milliseconds from the death of a process to the end of the work it held, 99th percentile; null: not measured here.
   */
  recoveryP99Ms: number | null;
  /** All other failures, in words. Empty: the procedure passed. */
  failures: string[];
  /** Figures that are not in the table. */
  details: Record<string, unknown>;
}

/** An outcome as it is printed and stored: one JSON line. */
export interface OutcomeLine extends Outcome {
  passed: boolean;
  seed: number;
  scale: number;
  seconds: number;
  date: string;
  cores: number;
}

/** Least share of runs that must succeed: a suite that fails everything proves nothing. */
const MIN_SUCCESS = 0.95;
/** Milliseconds from the death of a worker to the end of the work it held. */
const MAX_RECOVERY_MS = 20_000;

/** Reasons why an outcome does not pass; empty when it passes. */
export function faultsOf(outcome: Outcome): string[] {
  const faults = [...outcome.failures];
  for (const column of ['lost', 'doubled', 'paidTwice'] as const)
    if (outcome[column] !== 0) faults.push(`${column} is ${outcome[column]}`);
  if (outcome.runs === 0) faults.push('nothing was run');
  if (outcome.succeeded < outcome.runs * MIN_SUCCESS)
    faults.push(`${outcome.succeeded} of ${outcome.runs} succeeded, at least ${MIN_SUCCESS * 100} % must`);
  if ((outcome.recoveryP99Ms ?? 0) > MAX_RECOVERY_MS)
    faults.push(`recovery took ${outcome.recoveryP99Ms} ms, at most ${MAX_RECOVERY_MS} may`);
  return faults;
}

export function percentile(values: readonly number[], share: number): number | null {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * share) - 1)] ?? null;
}
