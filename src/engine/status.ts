/** The states of a workflow run inside the service; the words a client reads are derived from them below. */
export const runStates = ['draft', 'queued', 'running', 'waiting', 'succeeded', 'failed', 'cancelled'] as const;
export type RunState = (typeof runStates)[number];

/**
 * A run whose worker died stays `running` until its lease is taken over; one that a stopping worker hands back in good
 * order is `queued` again. A `waiting` one keeps no worker until what it waits for has come.
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

export function isTransitionAllowed(from: RunState, to: RunState): boolean {
  return runTransitions[from].includes(to);
}

export function isTerminal(state: RunState): boolean {
  return runTransitions[state].length === 0;
}

/** The states a run may be in just before `to`: the condition of a guarded update. */
export function statesBefore(to: RunState): RunState[] {
  return runStates.filter(from => isTransitionAllowed(from, to));
}

/** What polling says (specification, "Execution-service run status"). */
export const executionLabels = {
  draft: 'not found',
  queued: 'in queue',
  running: 'in progress',
  waiting: 'in progress',
  succeeded: 'succeed',
  failed: 'failed',
  cancelled: 'failed',
} as const satisfies Record<RunState, string>;
export type ExecutionLabel = (typeof executionLabels)[RunState];

/** What the history says (specification, "Stored run status"). */
export const storedLabels = {
  draft: 'Draft',
  queued: 'In Progress',
  running: 'In Progress',
  waiting: 'In Progress',
  succeeded: 'Succeeded',
  failed: 'Error',
  cancelled: 'Cancelled',
} as const satisfies Record<RunState, string>;
