import type { Usage } from '../../ports.js';

export interface NodeError {
  code: string;
  message: string;
}

/** What an approval asks a person, and until when. Times are ISO 8601. */
export interface ApprovalRequest {
  id: string;
  /** `start`: whether the node may begin; `tool`: one call of a tool. */
  kind: 'start' | 'tool';
  tool: string | null;
  arguments: unknown;
  requestedAt: string;
  expiresAt: string;
}

/** What a node waits for without holding a worker. `until` (ISO 8601) ends the wait whatever has come by then. */
export type Wait =
  | { kind: 'timer'; until: string }
  | { kind: 'approval'; until: string; request: ApprovalRequest }
  | { kind: 'run'; until?: string; runId: string }
  | { kind: 'scenario'; until?: string; runId: string };

interface NodeEventBase {
  node: string;
  /** ISO 8601 with milliseconds and `Z`. */
  at: string;
  /** Of a node in a loop's body: the index of the round, of loops within loops joined by dots, outermost first. */
  iteration?: string;
}

interface StepEventBase extends NodeEventBase {
  /** Name of the step, unique within one try of the node. */
  step: string;
  durable: true;
}

/**
 * What a run reports, in an order that is a valid topological order of its graph.
 * `durable` marks the events that the recorder must have committed before the run goes on: a node with outside
 * effects is about to be called, or has answered. `attempt` counts tries from 1; of `node.retrying` it is the try that
 * failed. `branch` is the handle of the way out that a node with branches took. `reused` marks what a fork took over from
 * the run it was forked from: the node was not executed. `waitedMs`: for how long the node waited for its turn (a thread, a
 * slot of a model's provider) since the last event that says so; absent: it did not wait.
 */
export type RunEvent =
  | (NodeEventBase & { type: 'node.started'; attempt: number; durable?: true })
  | (NodeEventBase & {
      type: 'node.retrying';
      attempt: number;
      error: NodeError;
      usage?: Usage;
      waitedMs?: number;
      durable?: true;
    })
  | (NodeEventBase & {
      type: 'node.succeeded';
      content: string;
      branch?: string;
      usage?: Usage;
      waitedMs?: number;
      reused?: true;
      durable?: true;
    })
  | (NodeEventBase & {
      type: 'node.failed';
      error: NodeError;
      continued: boolean;
      usage?: Usage;
      waitedMs?: number;
      reused?: true;
      durable?: true;
    })
  | (NodeEventBase & { type: 'node.skipped' })
  | (StepEventBase & { type: 'node.step.started'; tool?: string; arguments?: unknown })
  | (StepEventBase & { type: 'node.step.succeeded'; content: string; usage?: Usage; waitedMs?: number })
  | (StepEventBase & { type: 'node.waiting'; wait: Wait })
  | { type: 'run.succeeded'; at: string; output: unknown }
  | { type: 'run.failed'; at: string; error: NodeError; output: unknown };

export type NodeEvent = Extract<RunEvent, { node: string }>;

/** An event of a node before it is known when it is reported. */
export type UntimedEvent = NodeEvent extends infer E ? (E extends NodeEvent ? Omit<E, 'at'> : never) : never;

/**
 * Comes last instead of the run's end when all that is left to do is to wait: the run is to be executed again at `until`
 * (null: at nobody's time), or when something that it waits for has come. It is no part of the run's events.
 */
export interface RunSuspended {
  type: 'run.suspended';
  at: string;
  until: string | null;
}
