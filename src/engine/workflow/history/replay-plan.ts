import type { JsonObject } from '../../json-value.js';
import type { Clock, Ports } from '../../ports.js';
import type { Secrets } from '../../secrets.js';
import type { Graph, GraphNode } from '../graph/graph.js';
import { nodesWithin } from '../graph/node-checks.js';
import type { NodePlace } from '../run/recorded-state.js';
import { runWorkflow } from '../run/run.js';
import type { RunEvent } from '../run/run-event.js';
import { decides, type PlannedCall, PlannedReplay, type ReusePolicy } from './planned-replay.js';
import { toReplayRecord } from './replay-record.js';
import { hasRequest } from './resolved-request.js';

/** A run whose results may be reused, with the contents from before masking. */
export interface ReplaySource {
  runId: string;
  events: readonly RunEvent[];
}

/** The graph to execute and the values that its placeholders read. */
export interface ReplayTarget {
  graph: Graph;
  input: Readonly<JsonObject>;
  environment: ReadonlyMap<string, string>;
  secrets: Readonly<Secrets>;
  workflowId: number | null;
}

/** Options of `planReplay`. */
export interface ReplayOptions {
  policy: ReusePolicy;
  /** Keyed hash of a request, the same as in the events of the source. */
  digest: (request: string) => string;
  /** The ports of nodes without effects. */
  ports: Pick<Ports, 'clock' | 'html'>;
  signal: AbortSignal;
}

/** The calls of a new run, and the results that it takes over. */
export interface ReplayPlan {
  calls: readonly PlannedCall[];
  /** Returns true if the result of this execution, or of a loop around it, is taken over. */
  isReused(place: NodePlace): boolean;
  /** Returns true if the new run starts with this result. Results inside a loop whose result is taken over are left out. */
  isTakenOver(place: NodePlace): boolean;
}

/**
 * Plans a run that takes over results of an earlier one. The engine executes the graph with the recorded answers and
 * calls nothing outside. A result is reused if its request is unchanged and depends on no call that is made again. Calls
 * behind a repeated one are predicted from its recorded result.
 */
export async function planReplay(
  source: ReplaySource,
  target: ReplayTarget,
  { policy, digest, ports, signal }: ReplayOptions,
): Promise<ReplayPlan> {
  const { graph } = target;
  const nodes = new Map([...nodesWithin(graph)].map(node => [node.id, node]));
  const replay = new PlannedReplay(graph, toReplayRecord(source.events), policy);
  const [first] = source.events;
  const { clock, html } = ports;
  const events = runWorkflow({
    ...target,
    digest,
    replay,
    signal,
    runId: source.runId,
    ...(first ? { startedAt: first.at } : {}),
    // Nodes without effects use no other port, and their pauses between attempts need not be waited for.
    ports: { html, clock: withoutPauses(clock) } as Partial<Ports> as Ports,
    // Nodes without an answer keep their slots.
    limits: { maxParallel: Number.POSITIVE_INFINITY },
  });
  let hasFailed = false;
  for await (const event of events) {
    // While a node without an answer is open, a failure suspends the run instead of ending it.
    const isFailure = event.type === 'node.failed' && !event.continued;
    hasFailed ||= isFailure || event.type === 'run.failed';
    const isEnd = event.type === 'node.succeeded' || event.type === 'node.failed' || event.type === 'node.skipped';
    // The new run may execute nodes that the failure ends here.
    if (isEnd && !isFailure) replay.settle(nodes.get(event.node)!, event);
  }
  const ofNode = (test: (node: GraphNode, iteration: string) => boolean) => (place: NodePlace) => {
    const node = nodes.get(place.node);
    return node !== undefined && test(node, place.iteration ?? '');
  };
  const calls = [...replay.calls, ...callsAhead(graph, replay, hasFailed)];
  return {
    calls: hasFailed || replay.hasRaces ? calls.map(withoutCertainty) : calls,
    isReused: ofNode((node, iteration) => replay.isReused(node, iteration)),
    isTakenOver: ofNode((node, iteration) => replay.isTakenOver(node, iteration)),
  };
}

/** Marks a call that is made as uncertain: which calls begin before the failure of a run depends on time. */
function withoutCertainty(call: PlannedCall): PlannedCall {
  return call.kind === 'reused' ? call : { ...call, isCertain: false };
}

function withoutPauses(clock: Clock): Clock {
  return { now: () => clock.now(), sleep: (_ms, signal) => clock.sleep(0, signal) };
}

/** Returns the calls that the plan could not reach: behind nodes without an answer, or behind a decision. */
function callsAhead(graph: Graph, replay: PlannedReplay, hasFailed: boolean): PlannedCall[] {
  const planned = new Set(replay.calls.map(({ node }) => node));
  const ahead: NodesAhead = { pending: new Set(), uncertain: new Set(), hasFailed };
  return graph.order.flatMap(node => (isAhead(node, ahead, replay) ? callsOf(node, planned, ahead, replay) : []));
}

interface NodesAhead {
  /** Nodes that have not ended in the plan. */
  pending: Set<GraphNode>;
  /** Nodes that depend on a decision that is made again. */
  uncertain: Set<GraphNode>;
  /** Whether the run fails in the plan. */
  hasFailed: boolean;
}

/** Returns true if the node may be executed after the plan has ended. Predecessors come first. */
function isAhead(node: GraphNode, { pending, uncertain, hasFailed }: NodesAhead, replay: PlannedReplay): boolean {
  const isDecidedAgain = node.previous.some(
    before => uncertain.has(before) || (pending.has(before) && decides(before)) || replay.decidesAgain(before),
  );
  if (replay.isSettled(node)) {
    if (replay.isUncertain(node)) uncertain.add(node);
    return replay.isUncertain(node);
  }
  const isBehind = isDecidedAgain || node.previous.some(before => pending.has(before));
  // A failure ends the plan before nodes that the new run may reach.
  if (!replay.isObserved(node) && !isBehind && !hasFailed) return false;
  pending.add(node);
  if (isDecidedAgain || replay.isUncertain(node)) uncertain.add(node);
  return true;
}

function callsOf(
  node: GraphNode,
  planned: ReadonlySet<string>,
  { pending, uncertain }: NodesAhead,
  replay: PlannedReplay,
): PlannedCall[] {
  if (!node.body) {
    const isMissing = hasRequest(node) && !planned.has(node.id);
    return isMissing
      ? [{ node: node.id, kind: replay.kindOf({ node: node.id }), isCertain: !uncertain.has(node) }]
      : [];
  }
  // How often an unfinished loop will execute its nodes is not known.
  return [...nodesWithin(node.body)]
    .filter(each => hasRequest(each) && (pending.has(node) || !planned.has(each.id)))
    .map(({ id }) => ({ node: id, kind: 'new', isCertain: false }));
}
