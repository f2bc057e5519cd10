/** The internal states of a workflow run. The labels in API responses are derived from them. */
export const runStates = ['draft', 'queued', 'running', 'waiting', 'succeeded', 'failed', 'cancelled'] as const;
export type RunState = (typeof runStates)[number];

/**
 * The allowed transitions. A run whose worker died stays `running` until another worker claims it. A worker that shuts
 * down returns its runs to `queued`. A `waiting` run occupies no worker.
 */
const runTransitions: Readonly<Record<RunState, readonly RunState[]>> = {
  draft: ['queued', 'failed', 'cancelled'],
  queued: ['running', 'failed', 'cancelled'],
  running: ['queued', 'waiting', 'succeeded', 'failed', 'cancelled'],
  waiting: ['running', 'cancelled'],
  succeeded: [],
  failed: [],
  cancelled: [],
};

/** Returns true if a run may change from one state to the other. */
export function isTransitionAllowed(from: RunState, to: RunState): boolean {
  return runTransitions[from].includes(to);
}

/** Returns true for a final state. */
export function isTerminal(state: RunState): boolean {
  return runTransitions[state].length === 0;
}

/** Returns the states from which `to` can be reached. They are the condition of a guarded update. */
export function statesBefore(to: RunState): RunState[] {
  return runStates.filter(from => isTransitionAllowed(from, to));
}

/** Status labels of webhooks (specification, "Stored run status"). */
export const storedLabels = {
  draft: 'Draft',
  queued: 'In Progress',
  running: 'In Progress',
  waiting: 'In Progress',
  succeeded: 'Succeeded',
  failed: 'Error',
  cancelled: 'Cancelled',
} as const satisfies Record<RunState, string>;
