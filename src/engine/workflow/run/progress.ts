import type { JsonObject } from '../../json-value.js';
import { addUsage, type NodeUsage } from './node-usage.js';
import type { ApprovalRequest, NodeError, NodeEvent, RunEvent, Wait } from './run-event.js';

/**
 * Entry of a node in `data.data`. A skipped node has none. `usage` is present only if a model was called. `reused`: the
 * result was taken over from the forked run.
 */
export type NodeEntry = { id: string; usage?: NodeUsage; reused?: true } & (
  | { status: 'in progress'; approval?: ApprovalView }
  | { status: 'succeed'; result: { content: string } }
  | { status: 'failed'; error: NodeError }
);

/** A pending approval in the entry of a node. */
export interface ApprovalView {
  request_id: string;
  kind: ApprovalRequest['kind'];
  tool: string | null;
  arguments: unknown;
  requested_at: string;
  expires_at: string;
}

/** Progress of a run, derived from its events. */
export interface Progress {
  status: 'in queue' | NodeEntry['status'];
  nodes: Map<string, NodeEntry>;
  /** Milliseconds that nodes have waited for a slot, only for nodes that did. */
  slotWaits: Map<string, number>;
  /** What nodes wait for now: a time, a decision, an event or another run. */
  openWaits: Map<string, Wait>;
  /** Lines that the scripts of nodes wrote to the console, only for nodes that did. */
  logs: Map<string, readonly string[]>;
  output: unknown;
  error: NodeError | null;
}

function startProgress(): Progress {
  const maps = { nodes: new Map(), slotWaits: new Map(), openWaits: new Map(), logs: new Map() };
  return { status: 'in queue', ...maps, output: null, error: null };
}

/** Applies one event. Mutates `progress`, because a copy for each event would take quadratic time. */
export function applyEvent(progress: Progress, event: RunEvent): Progress {
  if (progress.status === 'in queue') progress.status = 'in progress';
  // Nodes of a loop body have no entries. Their results are part of the loop's content.
  if ('iteration' in event && event.iteration !== undefined) return progress;
  if ('node' in event) trackNode(progress, event);
  else trackEnd(progress, event);
  return progress;
}

function trackNode(progress: Progress, event: NodeEvent): void {
  const { nodes, slotWaits, openWaits, logs } = progress;
  const usage = usageAfter(progress, event);
  if ('waitedMs' in event) slotWaits.set(event.node, (slotWaits.get(event.node) ?? 0) + (event.waitedMs ?? 0));
  if (event.type === 'node.waiting') openWaits.set(event.node, event.wait);
  else openWaits.delete(event.node);
  if ('log' in event && event.log) logs.set(event.node, [...(logs.get(event.node) ?? []), ...event.log]);
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

/** Returns the entry of a node after an event, or undefined. */
function entryOf(event: NodeEvent): NodeEntry | undefined {
  const { node: id } = event;
  switch (event.type) {
    case 'node.started':
    case 'node.retrying':
    case 'node.step.started':
    case 'node.step.succeeded':
      return { id, status: 'in progress' };
    case 'node.waiting': {
      const approval = event.wait.kind === 'approval' ? { approval: toApprovalView(event.wait.request) } : {};
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

function toApprovalView({ id, kind, tool, arguments: args, requestedAt, expiresAt }: ApprovalRequest): ApprovalView {
  return { request_id: id, kind, tool, arguments: args, requested_at: requestedAt, expires_at: expiresAt };
}

/** The sum of the usage of all events of a node, failed attempts included. */
function usageAfter({ nodes }: Progress, event: NodeEvent): NodeUsage | undefined {
  const before = nodes.get(event.node)?.usage;
  return 'usage' in event && event.usage ? addUsage(before, event.usage) : before;
}

/** Derives the progress of a run from all its events. */
export function progressOf(events: Iterable<RunEvent>): Progress {
  const progress = startProgress();
  for (const event of events) applyEvent(progress, event);
  return progress;
}

/**
 * The `result` in the run history: the entries by node id, the output, and the error of a failed run. `waits`:
 * milliseconds that nodes waited for a slot, `logs`: lines of the console by node; both are stored but not returned as a part of
 * the result.
 */
export interface RunResult {
  data: JsonObject;
  output: unknown;
  error?: NodeError;
  waits?: Record<string, number>;
  logs?: Record<string, readonly string[]>;
}

/** Converts progress to the stored result. */
export function resultOf({ nodes, slotWaits, logs, output, error }: Progress): RunResult {
  // `Object.fromEntries` creates own properties of any name. An assignment to `__proto__` would not.
  return {
    data: Object.fromEntries(nodes),
    output,
    ...(error ? { error } : {}),
    ...(slotWaits.size > 0 ? { waits: Object.fromEntries(slotWaits) } : {}),
    ...(logs.size > 0 ? { logs: Object.fromEntries(logs) } : {}),
  };
}
