import type { RunDetailsFragment } from './run.generated';
import { type Execution, executionKey, type RunSnapshot } from './run-trace';

type StoredNode = RunDetailsFragment['nodes'][number];

/**
 * The executions of a run. The stream knows steps, waits and iterations. Stored nodes complete it: results that a fork
 * took over have no events, and events expire.
 */
export function executionsOf(run: RunDetailsFragment, { executions }: RunSnapshot): Execution[] {
  const known = new Map(executions.map(execution => [execution.key, execution]));
  const stored = run.nodes
    .map(toExecution)
    .filter(({ key }) => known.get(key)?.startedAt == null && known.get(key)?.state !== 'SKIPPED');
  const storedKeys = new Set(stored.map(({ key }) => key));
  const isFinal = run.runFinishedAt !== null;
  return [...executions.filter(({ key }) => !storedKeys.has(key)), ...stored]
    .map(one =>
      isFinal && (one.state === 'RUNNING' || one.state === 'WAITING') ? { ...one, state: 'CANCELLED' as const } : one,
    )
    .sort((a, b) => (a.startedAt ?? 0) - (b.startedAt ?? 0));
}

function toExecution(node: StoredNode): Execution {
  const { nodeId, iteration, status, content, error, usage, finishReason, waitedMs, log, wait } = node;
  return {
    key: executionKey(nodeId, iteration),
    nodeId,
    iteration,
    state: status,
    startedAt: node.startedAt === null ? null : Date.parse(node.startedAt),
    endedAt: node.endedAt === null ? null : Date.parse(node.endedAt),
    attempts: node.attempts.map(attempt => ({
      number: attempt.number,
      from: Date.parse(attempt.startedAt),
      to: attempt.endedAt === null ? null : Date.parse(attempt.endedAt),
      error: attempt.error,
    })),
    waits: [],
    wait,
    waitedMs,
    log,
    content,
    error,
    usage,
    finishReason,
    steps: [],
  };
}

/** States that the canvas shows: of a node in a loop, the most urgent one of its iterations. */
const URGENCY = ['FAILED', 'WAITING', 'RUNNING', 'CANCELLED', 'SUCCEEDED', 'SKIPPED'];

export interface NodeSummary {
  state: string;
  /** Executions of the node. */
  count: number;
  /** Milliseconds from the first start to the last end. Null while it runs. */
  duration: number | null;
}

export function summariesOf(executions: readonly Execution[]): Map<string, NodeSummary> {
  const groups = new Map<string, Execution[]>();
  for (const execution of executions) {
    const group = groups.get(execution.nodeId);
    if (group) group.push(execution);
    else groups.set(execution.nodeId, [execution]);
  }
  return new Map(
    [...groups].map(([nodeId, group]) => {
      const states = new Set<string>(group.map(({ state }) => state));
      const starts = group.flatMap(({ startedAt }) => startedAt ?? []);
      const ends = group.map(({ endedAt }) => endedAt);
      const isEnded = starts.length > 0 && ends.every(end => end !== null);
      const duration = isEnded ? maximum(ends as number[]) - minimum(starts) : null;
      return [nodeId, { state: URGENCY.find(state => states.has(state)) ?? 'RUNNING', count: group.length, duration }];
    }),
  );
}

/** Without spreading: a loop may have 10,000 iterations. */
export const minimum = (values: readonly number[]) => values.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY);
export const maximum = (values: readonly number[]) => values.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY);
