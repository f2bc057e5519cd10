/** What a procedure found. `lost`, `doubled` and `paidTwice` are zero in a house that keeps its promises. */
export interface Outcome {
  procedure: string;
  /** What was done to the service, with how often. */
  fault: string;
  /** Runs, or requests and rounds where a procedure is about those. */
  runs: number;
  succeeded: number;
  /** Accepted and without the end, the result or the webhook that was promised. */
  lost: number;
  /** Begun twice for one key, or asked of the upstream again after its answer was recorded. */
  doubled: number;
  /** Nodes with another number of ledger rows than one, and totals that differ from their rows. */
  paidTwice: number;
  /** From the death to the end of what it had held, 99th percentile; null: not measured here. */
  recoveryP99Ms: number | null;
  /** Everything else that is not as it must be, in words. Empty: the procedure passed. */
  failures: string[];
  /** Figures beside the table's. */
  details: Record<string, unknown>;
}

/** An outcome as it is printed and kept: one JSON line. */
export interface OutcomeLine extends Outcome {
  passed: boolean;
  seed: number;
  scale: number;
  seconds: number;
  date: string;
  cores: number;
}

/** Least share of runs that must succeed: a suite that fails everything proves nothing. */
const LEAST_SUCCESS = 0.95;
/** From a worker's death to the end of what it had held. */
const MOST_RECOVERY_MS = 20_000;

/** Why an outcome does not pass; empty when it does. */
export function faultsOf(outcome: Outcome): string[] {
  const faults = [...outcome.failures];
  for (const column of ['lost', 'doubled', 'paidTwice'] as const)
    if (outcome[column] !== 0) faults.push(`${column} is ${outcome[column]}`);
  if (outcome.runs === 0) faults.push('nothing was run');
  if (outcome.succeeded < outcome.runs * LEAST_SUCCESS)
    faults.push(`${outcome.succeeded} of ${outcome.runs} succeeded, at least ${LEAST_SUCCESS * 100} % must`);
  if ((outcome.recoveryP99Ms ?? 0) > MOST_RECOVERY_MS)
    faults.push(`recovery took ${outcome.recoveryP99Ms} ms, at most ${MOST_RECOVERY_MS} may`);
  return faults;
}

export function percentile(values: readonly number[], share: number): number | null {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * share) - 1)] ?? null;
}
