import type { CallTimer } from '../../call-timer.js';
import { PortError, type Usage } from '../../ports.js';
import { storable } from '../../storable.js';
import type { Graph, GraphNode } from '../graph/graph.js';
import type { Execution, IterationRunner, NodeScope, Outcome, Peer, Steps, ToolPins } from '../graph/node-kind.js';
import { peersOf } from '../graph/peers.js';
import { prepareNode } from '../graph/prepared-node.js';
import { EXECUTE, type ReplayAnswer } from '../history/replay.js';
import { canonicalRequest, hasRequest } from '../history/resolved-request.js';
import { Call } from './call.js';
import { AttemptAborted, type NodeFailure, runEnded, timedOut } from './node-failure.js';
import { NodeIterationRunner } from './node-iteration-runner.js';
import { NodeSteps } from './node-steps.js';
import type { NodePlace, RecordedAttempt } from './recorded-state.js';
import { type RunCore, runStopped } from './run-core.js';
import type { NodeError, NodeMeasures, UntimedEvent } from './run-event.js';

/** The graph whose nodes are executed, and how it is notified. */
export interface NodeAttemptsParts {
  graph: Graph;
  /** The iteration of the graph that contains the nodes. Empty for the run's own graph. */
  iteration: string;
  /** Timer of the enclosing loop; absent in the run's own graph. */
  outerTimer?: CallTimer | undefined;
  /** Called when the time limit of the run is reached. */
  onDeadline(error: NodeError): void;
  /** Reports an event. Resolves when the caller of the run has taken it. */
  report(event: UntimedEvent): Promise<void>;
}

/** Executes attempts of nodes within their time limits. Aborts unfinished attempts with the run. */
export class NodeAttempts {
  readonly #stop = new AbortController();
  readonly #calls = new Set<Call>();
  /** Lines of logs and milliseconds that nodes have waited, not yet reported in an event. */
  readonly #logs = new Map<GraphNode, readonly string[]>();
  readonly #waitedMs = new Map<GraphNode, number>();
  /** Hashes of requests whose result is not reported yet. */
  readonly #requests = new Map<GraphNode, string>();

  constructor(
    private readonly core: RunCore,
    private readonly parts: NodeAttemptsParts,
  ) {}

  /**
   * Executes one attempt. Synchronous nodes return their outcome directly. Convert thrown and rejected errors with
   * `describeFailure`.
   */
  execute(node: GraphNode, scope: NodeScope, from: RecordedAttempt): Outcome | Promise<Outcome> {
    const { replay } = this.core.options;
    const execute = () => this.#execute(node, scope, from);
    return replay ? replay.observe(node, this.parts.iteration, execute) : execute();
  }

  #execute(node: GraphNode, scope: NodeScope, from: RecordedAttempt): Outcome | Promise<Outcome> {
    const { policy, resolve } = prepareNode(node);
    const settings = resolve(scope);
    const { options } = this.core;
    this.#requests.delete(node);
    if (hasRequest(node)) {
      const request = options.digest?.(canonicalRequest(node, settings, scope, peersOf(this.parts.graph, node)));
      if (request !== undefined) this.#requests.set(node, request);
      const answer = this.#answerTo(node, request);
      if (answer !== EXECUTE) return this.#outcomeOf(answer, node);
    }
    const call = this.#callOf(node, options.idempotencyPrefix ?? options.runId);
    const isStepped = node.effects === 'steps';
    const { timeoutMs } = policy;
    const execution: Execution<unknown> = {
      settings,
      scope,
      ports: options.ports,
      call,
      steps: isStepped ? this.#stepsOf(node, call, from) : NO_STEPS,
      iterations: isStepped ? this.#iterationsOf(node, call, scope, from.attempt) : NO_ITERATIONS,
      pins: this.#pinsOf(node),
      peer: id => this.#peerOf(node, id, scope),
      deadline: isStepped ? deadlineOf(from, timeoutMs) : null,
    };
    const execute = () => node.kind.execute(execution);
    const result = node.effects === 'none' ? execute() : call.timer.run(execute);
    if (!('then' in result)) return result;
    if (!isStepped) return this.withTimeLimit(result, call, timeoutMs);
    return this.#executeSteps(result, call, node.kind.isTimedAsWhole ? timeoutMs : null);
  }

  #pinsOf({ id }: GraphNode): ToolPins {
    return this.core.options.pinsOf?.(id) ?? NO_PINS;
  }

  #peerOf({ kind }: GraphNode, id: string, scope: NodeScope): Peer<unknown> | undefined {
    const peer = this.parts.graph.byId.get(id);
    if (peer?.kind !== kind) return undefined;
    return { label: peer.label, pins: this.#pinsOf(peer), resolve: () => prepareNode(peer).resolve(scope) };
  }

  /** Limits an external call to its time. */
  withTimeLimit<T>(result: Promise<T>, call: Call, timeoutMs: number | null): Promise<T> {
    return this.core.trackBusy(this.#track(call, timeoutMs, () => Promise.race([result, call.untilAborted()])));
  }

  /** Waits for `ms` milliseconds. Rejects when the run ends. */
  pause(ms: number): Promise<void> {
    return this.core.options.ports.clock.sleep(ms, this.#stop.signal);
  }

  /** Returns the milliseconds that the node has waited since its last event and the lines of its log, and resets them. */
  takeMeasures(node: GraphNode): NodeMeasures {
    const waitedMs = this.#waitedMs.get(node);
    const log = this.#logs.get(node);
    this.#waitedMs.delete(node);
    this.#logs.delete(node);
    return { ...(waitedMs === undefined ? {} : { waitedMs }), ...(log ? { log } : {}) };
  }

  /** Returns the measures of the node and the hash of its request, for the event that ends it. */
  takeEnd(node: GraphNode): NodeMeasures & { request?: string } {
    const request = this.#requests.get(node);
    this.#requests.delete(node);
    return { ...this.takeMeasures(node), ...(request === undefined ? {} : { request }) };
  }

  /** Aborts all attempts and pauses. */
  abort(): void {
    this.#stop.abort(runStopped);
    for (const call of this.#calls) call.abort(runEnded);
  }

  /** Returns the nodes in a loop body that an earlier execution left unfinished. */
  unfinishedInside(loop: GraphNode, attempt: number): NodePlace[] {
    if (!loop.body) return [];
    return this.#iterationsOf(loop, this.#callOf(loop, ''), null, attempt).unfinishedNodes();
  }

  /** A node with steps ends with its steps. Each step has its own time limit and is aborted separately. */
  #executeSteps(result: Promise<Outcome>, call: Call, timeoutMs: number | null): Promise<Outcome> {
    return this.#track(call, timeoutMs, () => result);
  }

  async #track<T>(call: Call, timeoutMs: number | null, work: () => Promise<T>): Promise<T> {
    this.core.startTimeLimit(this.parts.onDeadline);
    call.timer.start(timeoutMs, () => call.abort(timedOut(timeoutMs ?? 0)));
    this.#calls.add(call);
    try {
      return await work();
    } catch (error) {
      if (!call.failure) throw error;
      throw new AttemptAborted({ ...call.failure, ...usageOf(error) });
    } finally {
      call.timer.stop();
      this.#calls.delete(call);
      const { node, logLines } = call;
      const waitedMs = call.takeWaitedMs();
      if (logLines.length > 0) this.#logs.set(node, logLines.map(storable));
      if (waitedMs > 0) this.#waitedMs.set(node, (this.#waitedMs.get(node) ?? 0) + waitedMs);
    }
  }

  #answerTo(node: GraphNode, request: string | undefined) {
    const { replay } = this.core.options;
    return replay ? replay.answer(node, this.parts.iteration, request) : EXECUTE;
  }

  /** Returns a recorded outcome. A node without one waits until the run is abandoned, or fails if the replay says so. */
  #outcomeOf(answer: ReplayAnswer | undefined, node: GraphNode): Outcome | Promise<Outcome> {
    if (!answer) {
      const call = this.#callOf(node, '');
      const { signal } = call;
      const wait = () => this.core.externalWaits.wait<Outcome>({ until: null, check: async () => undefined, signal });
      return this.core.options.replay?.abortsHeldNodes ? this.#track(call, null, wait) : wait();
    }
    if ('content' in answer) return answer;
    throw new AttemptAborted({ ...answer, isFinal: true });
  }

  #callOf(node: GraphNode, runId: string): Call {
    const { iteration, outerTimer } = this.parts;
    return new Call({ runId, node, iteration, clock: this.core.options.ports.clock, outerTimer });
  }

  #stepsOf(node: GraphNode, call: Call, from: RecordedAttempt): Steps {
    const takeMeasures = () => this.takeMeasures(node);
    return new NodeSteps(this.core, {
      ...this.parts,
      node,
      call,
      from,
      withTimeLimit: this.withTimeLimit.bind(this),
      takeMeasures,
    });
  }

  #iterationsOf(node: GraphNode, call: Call, scope: NodeScope | null, attempt: number): NodeIterationRunner {
    return new NodeIterationRunner(this.core, { node, call, scope, attempt, iteration: this.parts.iteration });
  }
}

function deadlineOf({ startedAt }: RecordedAttempt, timeoutMs: number | null): string | null {
  return timeoutMs === null ? null : new Date(Date.parse(startedAt) + timeoutMs).toISOString();
}

/** The usage of a call that was aborted, if it reported one. */
function usageOf(error: unknown): Pick<NodeFailure, 'usage'> {
  let usage: Usage | undefined;
  if (error instanceof PortError) usage = error.usage;
  else if (error instanceof AttemptAborted) usage = error.failure.usage;
  return usage ? { usage } : {};
}

const refuse = () => Promise.reject(new Error('this node kind has no steps'));
const NO_STEPS: Steps = {
  call: refuse,
  requestApproval: refuse,
  waitForEvent: refuse,
  sendEvent: refuse,
  waitSeconds: refuse,
  waitUntil: refuse,
  executeSubRun: refuse,
  startRun: refuse,
  executeScenarioRun: refuse,
};
const NO_ITERATIONS: IterationRunner = { run: refuse, tryRun: refuse };
const NO_PINS: ToolPins = { hashOf: () => undefined, keep: async () => {} };
