import { readGraph } from '@/canvas/graph';
import type { RunDetailsFragment } from './run.generated';
import { type Execution, executionKey, type RunSnapshot } from './run-trace';

type StoredNode = RunDetailsFragment['nodes'][number];

/**
 * The executions of a run. The stream knows steps, waits and iterations. Stored nodes complete it: results that a fork
 * took over have no events of this run, and events expire. Start nodes come first, then reused results, then the others in
 * the order of their start.
 */
export function executionsOf(run: RunDetailsFragment, { executions }: RunSnapshot): Execution[] {
  const starts = startNodesOf(run);
  const own = executions.map(one => withoutEarlierTimes(one, run, starts));
  const known = new Map(own.map(execution => [execution.key, execution]));
  const stored = run.nodes
    .map(toExecution)
    // An execution from events has more than the stored node, except when the event of its start has expired. A skipped
    // node never starts.
    .filter(({ key }) => {
      const one = known.get(key);
      return one === undefined || (one.startedAt === null && one.state !== 'SKIPPED' && !one.isReused);
    });
  const storedKeys = new Set(stored.map(({ key }) => key));
  // An ended run has no active nodes: those that were active at its end were stopped.
  const isEnded = run.runFinishedAt !== null;
  return [...own.filter(({ key }) => !storedKeys.has(key)), ...stored]
    .map(one =>
      isEnded && (one.state === 'RUNNING' || one.state === 'WAITING') ? { ...one, state: 'CANCELLED' as const } : one,
    )
    .sort((a, b) => rankOf(a, starts) - rankOf(b, starts) || (a.startedAt ?? 0) - (b.startedAt ?? 0));
}

function startNodesOf({ data }: RunDetailsFragment): ReadonlySet<string> {
  const nodes = readGraph(data).nodes.filter(({ type }) => type === 'trigger-node');
  return new Set(nodes.map(({ id }) => id));
}

function rankOf({ nodeId, iteration, isReused }: Execution, starts: ReadonlySet<string>): number {
  if (starts.has(nodeId) && iteration === null) return 0;
  return isReused ? 1 : 2;
}

/** A fork copies the last event of a reused node, with the time of the original run. Start nodes are always executed. */
function withoutEarlierTimes(one: Execution, run: RunDetailsFragment, starts: ReadonlySet<string>): Execution {
  const isReused =
    run.forkedFromId !== null &&
    one.attempts.length === 0 &&
    !starts.has(one.nodeId) &&
    (one.endedAt ?? Number.POSITIVE_INFINITY) < Date.parse(run.createdAt);
  return isReused ? { ...one, isReused, startedAt: null, endedAt: null } : one;
}

function toExecution(node: StoredNode): Execution {
  const { nodeId, iteration, status, content, error, usage, finishReason, waitedMs, log, wait } = node;
  return {
    key: executionKey(nodeId, iteration),
    nodeId,
    iteration,
    state: status,
    isReused: false,
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

/** The states of executions, the most urgent first. */
const URGENCY = ['FAILED', 'WAITING', 'RUNNING', 'CANCELLED', 'SUCCEEDED', 'SKIPPED'];

export interface NodeSummary {
  /** The most urgent state of its executions: in a loop there are several. */
  state: string;
  /** Milliseconds from the first start to the last end. Null while it runs. */
  duration: number | null;
  /** Whether all its results were taken over from the original run of a fork. */
  isReused: boolean;
}

/** The state and duration of each node for the canvas, by its id. */
export function summariesOf(executions: readonly Execution[]): Map<string, NodeSummary> {
  const groups = Map.groupBy(executions, ({ nodeId }) => nodeId);
  return new Map(
    [...groups].map(([nodeId, group]) => {
      const states = new Set<string>(group.map(({ state }) => state));
      const executed = group.filter(({ isReused }) => !isReused);
      const starts = executed.flatMap(({ startedAt }) => startedAt ?? []);
      const ends = executed.map(({ endedAt }) => endedAt);
      const hasEnded = starts.length > 0 && ends.every(end => end !== null);
      const duration = hasEnded ? maximum(ends as number[]) - minimum(starts) : null;
      const state = URGENCY.find(one => states.has(one)) ?? 'RUNNING';
      return [nodeId, { state, duration, isReused: executed.length === 0 }];
    }),
  );
}

/** Without spreading into `Math.min`, whose number of arguments is limited: a loop may have 10,000 iterations. */
export const minimum = (values: readonly number[]) => values.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY);
export const maximum = (values: readonly number[]) => values.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY);
