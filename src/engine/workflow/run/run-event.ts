import type { HttpResponse } from '../../http-port.js';
import type { Usage } from '../../ports.js';
import type { ApprovalDetails, ApprovalKind } from '../graph/approvals/approval.js';

/** Error with a code for programs and a message for users. */
export interface NodeError {
  code: string;
  message: string;
}

/** An approval request for a person. Times are ISO 8601. */
export interface ApprovalRequest {
  id: string;
  kind: ApprovalKind;
  tool: string | null;
  arguments: unknown;
  requestedAt: string;
  expiresAt: string;
  /** Not part of the journal. */
  details?: ApprovalDetails;
}

/** The event for which a node waits. */
export interface EventWaitRequest {
  id: string;
  name: string;
  key: string;
  /** Events that were sent from this time on count, ISO 8601. */
  acceptedFrom: string;
}

/** A wait that occupies no worker. `until` (ISO 8601) ends the wait in any case. */
export type Wait =
  | { kind: 'timer'; until: string }
  | { kind: 'approval'; until: string; request: ApprovalRequest }
  | { kind: 'event'; until: string; request: EventWaitRequest }
  | { kind: 'run'; until?: string; runId: string }
  | { kind: 'scenario'; until?: string; runId: string };

/** The kinds of waits, for descriptions and documentation. */
export const WAIT_CONDITIONS = 'a time, an approval, an event, a sub-run or a scenario run';

/** Measures of a node since its last event: milliseconds that it waited, and lines that its script wrote to the console. */
export interface NodeMeasures {
  waitedMs?: number;
  log?: readonly string[];
}

interface NodeEventBase {
  node: string;
  /** ISO 8601 with milliseconds and `Z`. */
  at: string;
  /** For nodes in a loop body: the index of the iteration. Indexes of nested loops are joined by dots, outermost first. */
  iteration?: string;
}

interface StepEventBase extends NodeEventBase {
  /** Name of the step, unique within one attempt of the node. */
  step: string;
  durable: true;
}

/**
 * An event of a run. Events are in a topological order of the graph.
 *
 * The recorder must commit a `durable` event before the run continues: a node with external effects is about to be
 * called, or has returned. `attempt` counts from 1; in `node.retrying` it is the failed attempt. `branch` is the
 * selected output handle of a node with branches, `response` the HTTP response from which its content comes, if a
 * placeholder reads it. `reused` marks a result that a fork took over without executing the node. `attempts` (absent:
 * 1) and `status`, an HTTP status, describe a failure after which the run continued. `waitedMs` is the time that the
 * node has waited for a thread, a provider slot or the database since its last event with this field. `log` contains the lines that its
 * script wrote to the console since then. `request` is the keyed hash of the resolved request of a node with external
 * effects.
 */
export type RunEvent =
  | (NodeEventBase & { type: 'node.started'; attempt: number; durable?: true })
  | (NodeEventBase & {
      type: 'node.retrying';
      attempt: number;
      error: NodeError;
      usage?: Usage;
      waitedMs?: number;
      log?: readonly string[];
      durable?: true;
    })
  | (NodeEventBase & {
      type: 'node.succeeded';
      content: string;
      branch?: string;
      response?: HttpResponse;
      usage?: Usage;
      waitedMs?: number;
      log?: readonly string[];
      request?: string;
      reused?: true;
      durable?: true;
    })
  | (NodeEventBase & {
      type: 'node.failed';
      error: NodeError;
      continued: boolean;
      attempts?: number;
      status?: number;
      usage?: Usage;
      waitedMs?: number;
      log?: readonly string[];
      request?: string;
      reused?: true;
      durable?: true;
    })
  | (NodeEventBase & { type: 'node.skipped' })
  | (StepEventBase & { type: 'node.step.started'; tool?: string; arguments?: unknown })
  | (StepEventBase & { type: 'node.step.succeeded'; content: string; usage?: Usage } & NodeMeasures)
  | (StepEventBase & { type: 'node.waiting'; wait: Wait })
  | { type: 'run.succeeded'; at: string; output: unknown }
  | { type: 'run.failed'; at: string; error: NodeError; output: unknown };

export type NodeEvent = Extract<RunEvent, { node: string }>;

/** A node event without its time, which is set when it is queued. `infer` applies `Omit` to each kind of event separately. */
export type UntimedEvent = NodeEvent extends infer E ? (E extends NodeEvent ? Omit<E, 'at'> : never) : never;

/**
 * Last event of an execution that can only wait. The run must be executed again at `until` (null: no time), or when an
 * event that it waits for occurs. It is not recorded.
 */
export interface RunSuspended {
  type: 'run.suspended';
  at: string;
  until: string | null;
}

/** Returns true if the event announces an external call, which is made after the event is committed. */
export function announcesCall(event: RunEvent): boolean {
  return (event.type === 'node.started' || event.type === 'node.step.started') && event.durable === true;
}
