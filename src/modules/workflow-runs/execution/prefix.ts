import type { RunResult } from '../../../engine/workflow/run/progress.js';
import type { RunEvent } from '../../../engine/workflow/run/run-event.js';
import type { JournalEvent } from '../journal/run-journal.js';
import type { LedgerRow } from '../journal/run-ledger.js';

/**
 * The part of a run that is complete when the run is inserted: the reused part of a fork, its start up to the first
 * call, or the complete run.
 */
export interface Prefix {
  events: readonly JournalEvent[];
  /** The sealed originals of masked contents. */
  sealedContents: string | null;
  /** Ledger rows of the nodes that this run executed. */
  ledger: readonly LedgerRow[];
  /**
   * The unmasked events of an early start, whose last events announce calls that are not made yet. It is inserted only
   * if the run starts with its insertion. A queued run starts from its beginning.
   */
  unmasked?: readonly RunEvent[];
  /** Set when the run is complete. */
  end?: { state: 'succeeded' | 'failed'; result: RunResult };
}

/** The start of a run, executed in memory up to its first external calls. */
export type EarlyStart = Prefix & Required<Pick<Prefix, 'unmasked'>>;

export function isEarlyStart(prefix: Prefix | undefined): prefix is EarlyStart {
  return prefix?.unmasked !== undefined;
}
