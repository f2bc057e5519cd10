import { interrupted } from './node-failure.js';
import type { NodeError, NodeEvent, RunEvent } from './run-event.js';

/** One attempt of a node. Times are ISO 8601. `endedAt` is null while it runs, `error` is null unless it failed. */
export interface NodeAttempt {
  readonly number: number;
  readonly startedAt: string;
  readonly endedAt: string | null;
  readonly error: NodeError | null;
}

/**
 * Returns the attempts of a node after its next event. An attempt that never ended was interrupted: its end is the
 * start of the next one.
 */
export function attemptsAfter(attempts: readonly NodeAttempt[], event: NodeEvent): readonly NodeAttempt[] {
  switch (event.type) {
    case 'node.started':
      return [
        ...endedAttempts(attempts, event.at, interrupted.error),
        { number: event.attempt, startedAt: event.at, endedAt: null, error: null },
      ];
    case 'node.succeeded':
      return endedAttempts(attempts, event.at, null);
    case 'node.retrying':
    case 'node.failed':
      return endedAttempts(attempts, event.at, event.error);
    default:
      return attempts;
  }
}

/** Returns the attempts by node id. Nodes of loop bodies are excluded, because they run once for each iteration. */
export function attemptHistory(events: Iterable<RunEvent>): Map<string, readonly NodeAttempt[]> {
  const history = new Map<string, readonly NodeAttempt[]>();
  for (const event of events)
    if ('node' in event && event.iteration === undefined)
      history.set(event.node, attemptsAfter(history.get(event.node) ?? [], event));
  return history;
}

/** Ends the last attempt. No effect when it has already ended. */
function endedAttempts(attempts: readonly NodeAttempt[], at: string, error: NodeError | null): readonly NodeAttempt[] {
  const last = attempts.at(-1);
  return last?.endedAt === null ? [...attempts.slice(0, -1), { ...last, endedAt: at, error }] : attempts;
}
