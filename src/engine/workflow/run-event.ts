import type { Usage } from '../ports.js';

export interface NodeError {
  code: string;
  message: string;
}

interface NodeEventBase {
  node: string;
  /** ISO 8601 with milliseconds and `Z`. */
  at: string;
}

/**
 * What a run reports, in an order that is a valid topological order of its graph.
 * `durable` marks the events that the recorder must have committed before the run goes on: a node with outside
 * effects is about to be called, or has answered. `attempt` counts tries from 1; of `node.retrying` it is the try that
 * failed. `branch` is the handle of the way out that a node with branches took.
 */
export type RunEvent =
  | (NodeEventBase & { type: 'node.started'; attempt: number; durable?: true })
  | (NodeEventBase & { type: 'node.retrying'; attempt: number; error: NodeError; usage?: Usage; durable?: true })
  | (NodeEventBase & { type: 'node.succeeded'; content: string; branch?: string; usage?: Usage; durable?: true })
  | (NodeEventBase & { type: 'node.failed'; error: NodeError; continued: boolean; usage?: Usage; durable?: true })
  | (NodeEventBase & { type: 'node.skipped' })
  | { type: 'run.succeeded'; at: string; output: unknown }
  | { type: 'run.failed'; at: string; error: NodeError; output: unknown };

/** What an earlier execution of the same run left behind: the engine goes on from there. */
export interface Recorded {
  /** Finished nodes; never executed again. */
  finished: ReadonlyMap<string, { content: string; branch?: string } | { error: NodeError; continued: boolean }>;
  /** Tries already begun of nodes that did not finish. */
  attempts: ReadonlyMap<string, number>;
}
