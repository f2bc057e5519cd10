/**
 * The internal states of a workflow run. The labels in API responses are derived from them. A run whose worker died stays
 * `running` until another worker claims it. A worker that shuts down returns its runs to `queued`. A `waiting` run
 * occupies no worker.
 */
export type RunState = 'draft' | 'queued' | 'running' | 'waiting' | 'succeeded' | 'failed' | 'cancelled';

/** States that a run never leaves. */
const FINAL_STATES: ReadonlySet<RunState> = new Set<RunState>(['succeeded', 'failed', 'cancelled']);

/** Returns true for a final state. */
export function isTerminal(state: RunState): boolean {
  return FINAL_STATES.has(state);
}

/** Status labels of webhooks (interface specification, "Stored run status"). */
export const storedLabels = {
  draft: 'Draft',
  queued: 'In Progress',
  running: 'In Progress',
  waiting: 'In Progress',
  succeeded: 'Succeeded',
  failed: 'Error',
  cancelled: 'Cancelled',
} as const satisfies Record<RunState, string>;
