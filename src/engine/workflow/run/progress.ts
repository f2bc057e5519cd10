import type { JsonObject } from '../../json-value.js';
import type { ExecutionLabel } from '../../status.js';
import { addUsage, type NodeUsage } from './node-usage.js';
import type { ApprovalRequest, NodeError, NodeEvent, RunEvent } from './run-event.js';

/**
 * A node's entry in `data.data`. A skipped node has none. `usage`: only when a model was used. `reused`: the node was not
 * executed, its result is that of the run this one was forked from.
 */
export type NodeEntry = { id: string; usage?: NodeUsage; reused?: true } & (
  | { status: 'in progress'; approval?: ApprovalView }
  | { status: 'succeed'; result: { content: string } }
  | { status: 'failed'; error: NodeError }
);

/** An approval that a node waits for, as its entry shows it. */
export interface ApprovalView {
  request_id: string;
  kind: ApprovalRequest['kind'];
  tool: string | null;
  arguments: unknown;
  requested_at: string;
  expires_at: string;
}

/** How far a run has come, by its events. */
export interface Progress {
  status: ExecutionLabel;
  nodes: Map<string, NodeEntry>;
  /** Milliseconds for which nodes have waited for their turn; only those that did. */
  waits: Map<string, number>;
  output: unknown;
  error: NodeError | null;
}

function startProgress(): Progress {
  return { status: 'in queue', nodes: new Map(), waits: new Map(), output: null, error: null };
}

/** Takes one event in. The progress is changed in place: copying it for each event would cost the square of the nodes. */
export function applyEvent(progress: Progress, event: RunEvent): Progress {
  if (progress.status === 'in queue') progress.status = 'in progress';
  // The nodes of a loop's body have no entries: the loop's content holds what they made.
  if ('iteration' in event && event.iteration !== undefined) return progress;
  if ('node' in event) trackNode(progress, event);
  else trackEnd(progress, event);
  return progress;
}

function trackNode(progress: Progress, event: NodeEvent): void {
  const { nodes, waits } = progress;
  const usage = usageAfter(progress, event);
  if ('waitedMs' in event) waits.set(event.node, (waits.get(event.node) ?? 0) + (event.waitedMs ?? 0));
  const entry = entryOf(event);
  if (!entry) {
    nodes.delete(event.node);
    return;
  }
  if (usage) entry.usage = usage;
  if ('reused' in event && event.reused) entry.reused = true;
  nodes.set(event.node, entry);
}

function trackEnd(progress: Progress, event: Exclude<RunEvent, NodeEvent>): void {
  progress.output = event.output;
  if (event.type === 'run.succeeded') {
    progress.status = 'succeed';
  } else {
    progress.status = 'failed';
    progress.error = event.error;
  }
}

/** The entry of a node after an event; undefined: it has none. */
function entryOf(event: NodeEvent): NodeEntry | undefined {
  const { node: id } = event;
  switch (event.type) {
    case 'node.started':
    case 'node.retrying':
    case 'node.step.started':
    case 'node.step.succeeded':
      return { id, status: 'in progress' };
    case 'node.waiting': {
      const approval = event.wait.kind === 'approval' ? { approval: shown(event.wait.request) } : {};
      return { id, status: 'in progress', ...approval };
    }
    case 'node.succeeded':
      return { id, status: 'succeed', result: { content: event.content } };
    case 'node.failed':
      return { id, status: 'failed', error: event.error };
    case 'node.skipped':
      return undefined;
  }
}

function shown({ id, kind, tool, arguments: given, requestedAt, expiresAt }: ApprovalRequest): ApprovalView {
  return { request_id: id, kind, tool, arguments: given, requested_at: requestedAt, expires_at: expiresAt };
}

/** Every event that tells of a use counts, whatever became of the try or the step. */
function usageAfter({ nodes }: Progress, event: NodeEvent): NodeUsage | undefined {
  const before = nodes.get(event.node)?.usage;
  return 'usage' in event && event.usage ? addUsage(before, event.usage) : before;
}

export function progressOf(events: Iterable<RunEvent>): Progress {
  const progress = startProgress();
  for (const event of events) applyEvent(progress, event);
  return progress;
}

/**
 * The history's `result`: every node's entry by its id, beside the run's output and, when it failed, the reason. `waits`:
 * milliseconds for which nodes waited for their turn, when any did; it is kept and not shown as a part of the result.
 */
export interface RunResult {
  data: JsonObject;
  output: unknown;
  error?: NodeError;
  waits?: Record<string, number>;
}

export function resultOf({ nodes, waits, output, error }: Progress): RunResult {
  // `fromEntries` makes own members of any name; an assignment to `__proto__` would not.
  return {
    data: Object.fromEntries(nodes),
    output,
    ...(error ? { error } : {}),
    ...(waits.size > 0 ? { waits: Object.fromEntries(waits) } : {}),
  };
}
