import type { RunResult } from '../../../engine/workflow/run/progress.js';
import type { RunEvent } from '../../../engine/workflow/run/run-event.js';
import type { JournalEvent } from '../journal/run-journal.js';
import type { LedgerRow } from '../journal/run-ledger.js';

/** What is done of a run when it is accepted: what a fork takes over, its head up to the first call, or all of it. */
export interface Prefix {
  events: readonly JournalEvent[];
  /** What masking hid in the events, sealed. */
  sealedContents: string | null;
  /** What the nodes cost that this run executed. */
  ledger: readonly LedgerRow[];
  /**
   * Set for a head, whose last event announces a call that is not made yet: its events before masking. A head is written
   * only if the process that executed it goes on with the run; any other process begins it at the beginning.
   */
  clear?: readonly RunEvent[];
  /** Set when nothing is left to execute. */
  end?: { state: 'succeeded' | 'failed'; result: RunResult };
}

/** The prefix of a run that stops before its first call. */
export type Head = Prefix & Required<Pick<Prefix, 'clear'>>;

export function isHead(prefix: Prefix | undefined): prefix is Head {
  return prefix?.clear !== undefined;
}
