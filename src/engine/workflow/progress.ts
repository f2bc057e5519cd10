import type { JsonObject } from '../json-value.js';
import type { ExecutionLabel } from '../status.js';
import { addUsage, type NodeUsage } from './node-usage.js';
import type { NodeError, Recorded, RunEvent } from './run-event.js';

/** A node's entry in `data.data`. A skipped node has none. `usage`: only when a model was used. */
export type NodeEntry = { id: string; usage?: NodeUsage } & (
  | { status: 'in progress' }
  | { status: 'succeed'; result: { content: string } }
  | { status: 'failed'; error: NodeError }
);

/** How far a run has come, by its events. */
export interface Progress {
  status: ExecutionLabel;
  nodes: Map<string, NodeEntry>;
  output: unknown;
  error: NodeError | null;
}

export function startProgress(): Progress {
  return { status: 'in queue', nodes: new Map(), output: null, error: null };
}

/** Takes one event in. The progress is changed in place: copying it for each event would cost the square of the nodes. */
export function track(progress: Progress, event: RunEvent): Progress {
  if (progress.status === 'in queue') progress.status = 'in progress';
  const usage = 'node' in event ? usageAfter(progress, event) : undefined;
  switch (event.type) {
    case 'node.started':
    case 'node.retrying':
      progress.nodes.set(event.node, { id: event.node, status: 'in progress' });
      break;
    case 'node.succeeded':
      progress.nodes.set(event.node, { id: event.node, status: 'succeed', result: { content: event.content } });
      break;
    case 'node.failed':
      progress.nodes.set(event.node, { id: event.node, status: 'failed', error: event.error });
      break;
    case 'node.skipped':
      progress.nodes.delete(event.node);
      break;
    case 'run.succeeded':
      progress.status = 'succeed';
      progress.output = event.output;
      break;
    case 'run.failed':
      progress.status = 'failed';
      progress.output = event.output;
      progress.error = event.error;
      break;
  }
  const entry = 'node' in event ? progress.nodes.get(event.node) : undefined;
  if (entry && usage) entry.usage = usage;
  return progress;
}

/** Every event that tells of a use counts, whatever became of the try or the step. */
function usageAfter({ nodes }: Progress, event: Extract<RunEvent, { node: string }>): NodeUsage | undefined {
  const before = nodes.get(event.node)?.usage;
  return 'usage' in event && event.usage ? addUsage(before, event.usage) : before;
}

export function progressOf(events: Iterable<RunEvent>): Progress {
  const progress = startProgress();
  for (const event of events) track(progress, event);
  return progress;
}

/** The history's `result`: every node's entry by its id, beside the run's output and, when it failed, the reason. */
export interface RunResult {
  data: JsonObject;
  output: unknown;
  error?: NodeError;
}

export function resultOf({ nodes, output, error }: Progress): RunResult {
  // `fromEntries` makes own members of any name; an assignment to `__proto__` would not.
  return { data: Object.fromEntries(nodes), output, ...(error ? { error } : {}) };
}

/** What an execution that was interrupted after these events leaves to the next one. */
export function recordedFrom(events: Iterable<RunEvent>): Recorded {
  const finished = new Map<string, NonNullable<ReturnType<Recorded['finished']['get']>>>();
  const attempts = new Map<string, number>();
  for (const event of events) {
    if (event.type === 'node.started') attempts.set(event.node, event.attempt);
    else if (event.type === 'node.succeeded') {
      finished.set(event.node, {
        content: event.content,
        ...(event.branch === undefined ? {} : { branch: event.branch }),
      });
    } else if (event.type === 'node.failed')
      finished.set(event.node, { error: event.error, continued: event.continued });
  }
  for (const node of finished.keys()) attempts.delete(node);
  return { finished, attempts };
}
