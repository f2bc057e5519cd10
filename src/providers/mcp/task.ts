import { z } from 'zod';
import { PortError } from '../../engine/ports.js';

/** How long a server keeps a task and how long its result is awaited, unless `taskTimeoutMs` is set. Equals the limit of nodes. */
export const MAX_TASK_MS = 3_600_000;
/** A server chooses the delay between questions for the state of a task within these limits. */
const MIN_POLL_MS = 250;
const DEFAULT_POLL_MS = 1_000;
const MAX_POLL_MS = 30_000;

/** Source: MCP 2025-11-25 (tasks). */
export const taskState = z.looseObject({
  taskId: z.string().min(1),
  status: z.string(),
  pollInterval: z.number().nullish(),
});
export const createdTask = z.looseObject({ task: taskState });
export type Task = z.output<typeof taskState>;

/** Returns the milliseconds until the next question for the state of a task. */
export function pollDelayMs({ pollInterval }: Task): number {
  return Math.min(Math.max(pollInterval ?? DEFAULT_POLL_MS, MIN_POLL_MS), MAX_POLL_MS);
}

export function taskTimedOut(timeoutMs = MAX_TASK_MS): PortError {
  return new PortError('mcp_timeout', `the task of the MCP server did not end within ${timeoutMs / 1000} seconds`);
}
