import { CallTimer } from '../../call-timer.js';
import { PortError, type SubRunEnd, type SubRuns } from '../../ports.js';
import { storable } from '../../storable.js';
import type { EventToSend } from '../../wait-ports.js';
import {
  type ApprovalAnswer,
  formatAnswer,
  type PendingApproval,
  parseAnswer,
  toAnswer,
} from '../graph/approvals/approval.js';
import type { GraphNode } from '../graph/graph.js';
import type {
  AwaitedEvent,
  AwaitedRun,
  ScenarioRunRequest,
  Step,
  StepOutcome,
  Steps,
  SubRunRequest,
} from '../graph/node-kind.js';
import { prepareNode } from '../graph/prepared-node.js';
import { Call } from './call.js';
import { AttemptAborted, interrupted, timedOut } from './node-failure.js';
import type { RecordedAttempt, RecordedStep } from './recorded-state.js';
import type { RunCore } from './run-core.js';
import type { NodeMeasures, UntimedEvent, Wait } from './run-event.js';

/** The node and attempt whose steps are executed. */
export interface StepsParts {
  iteration: string;
  outerTimer?: CallTimer | undefined;
  /** Reports an event. Resolves when the caller has taken it. */
  report(event: UntimedEvent): Promise<void>;
  node: GraphNode;
  /** Call of the node. Its signal aborts waits. */
  call: Call;
  /** Recorded state of this attempt. */
  from: RecordedAttempt;
  /** Limits a call to its time in milliseconds and aborts it with the run. */
  withTimeLimit<T>(result: Promise<T>, call: Call, timeoutMs: number | null): Promise<T>;
  /** Returns and resets the time that the node has waited and its log, for its next event. */
  takeMeasures(): NodeMeasures;
}

/** The steps of one attempt of a node. */
export class NodeSteps implements Steps {
  /** Working time so far in milliseconds, limited by `timeout_seconds`. */
  #workedMs: number;
  /** Steps in progress. Time that they share counts once. */
  #inProgress = 0;
  #busySinceMs = 0;
  /** Waits while at least one step waits, and pauses the timer of an enclosing loop. */
  readonly #timer: CallTimer;
  #waitedBeforeMs = 0;

  constructor(
    private readonly core: RunCore,
    private readonly parts: StepsParts,
  ) {
    this.#workedMs = parts.from.workedMs;
    this.#timer = new CallTimer(core.options.ports.clock, parts.outerTimer);
  }

  async call(step: Step, work: (call: Call) => Promise<StepOutcome>): Promise<string> {
    const recorded = this.#recordedStep(step);
    if (recorded?.content !== undefined) return recorded.content;
    const { node, iteration, withTimeLimit } = this.parts;
    const { timeoutMs, attemptsAcrossCrashes } = prepareNode(node).policy;
    if ((recorded?.attempts ?? 0) >= attemptsAcrossCrashes) throw new AttemptAborted(interrupted);
    const left = this.#remainingMs(timeoutMs);
    await this.#reportStart(step);
    const release = await this.#acquireSlotUnlessAborted();
    const { runId, idempotencyPrefix = runId, ports } = this.core.options;
    const identity = { runId: idempotencyPrefix, node, iteration, step: step.name };
    const call = new Call({ ...identity, clock: ports.clock, stepsTimer: this.#timer });
    if (this.#inProgress++ === 0) {
      this.#busySinceMs = this.#nowMs();
      this.#waitedBeforeMs = this.#timer.waitedMs;
    }
    try {
      const { content, usage } = await withTimeLimit(
        call.timer.run(() => work(call)),
        call,
        left,
      );
      return await this.#recordResult(step, content, { ...(usage ? { usage } : {}), ...this.parts.takeMeasures() });
    } catch (error) {
      if (call.failure?.error.code === 'timeout' && timeoutMs !== null) throw timeoutOf(error, timeoutMs);
      throw error;
    } finally {
      if (--this.#inProgress === 0) {
        const waitedMs = this.#timer.waitedMs - this.#waitedBeforeMs;
        this.#workedMs += Math.max(0, this.#nowMs() - this.#busySinceMs - waitedMs);
      }
      release();
    }
  }

  async requestApproval(step: Step, { timeoutSeconds, ...request }: PendingApproval): Promise<ApprovalAnswer> {
    const recorded = this.#recordedStep(step);
    if (recorded?.content !== undefined) return parseAnswer(recorded.content);
    const { approvals } = this.core.options.ports;
    const wait = await this.#recordWait(step, (): Extract<Wait, { kind: 'approval' }> => {
      const requestedAt = this.core.now();
      const until = this.#timeAfter(timeoutSeconds);
      return {
        kind: 'approval',
        until,
        request: { id: approvals.newId(), ...request, requestedAt, expiresAt: until },
      };
    });
    const answer = await this.#waitExternally(wait, async (): Promise<ApprovalAnswer | undefined> => {
      const decision = await approvals.findDecision(wait.request.id);
      if (decision) return toAnswer(decision, request.arguments);
      return this.#isPast(wait.until) ? { decision: 'expired' } : undefined;
    });
    await this.#recordResult(step, formatAnswer(answer));
    return answer;
  }

  async waitForEvent(step: Step, awaited: AwaitedEvent): Promise<{ payload: unknown } | null> {
    const recorded = this.#recordedStep(step);
    if (recorded?.content !== undefined) return JSON.parse(recorded.content);
    const { events } = this.core.options.ports;
    const { name, key, timeoutSeconds, acceptEarlierSeconds } = awaited;
    const wait = await this.#recordWait(step, (): Extract<Wait, { kind: 'event' }> => {
      const until = this.#timeAfter(timeoutSeconds);
      const acceptedFrom = this.#timeAfter(-acceptEarlierSeconds);
      return { kind: 'event', until, request: { id: events.newId(), name, key, acceptedFrom } };
    });
    // Name and key of the recorded wait may be masked.
    const request = { ...wait.request, name, key, expiresAt: wait.until };
    const event = await this.#waitExternally(wait, async () => {
      const received = await events.findEvent(request);
      return received ?? (this.#isPast(wait.until) ? null : undefined);
    });
    await this.#recordResult(step, JSON.stringify(event));
    return event;
  }

  /** A repeated call after the death of a process sends no second event. */
  sendEvent(step: Step, event: Omit<EventToSend, 'idempotencyKey'>): Promise<string> {
    const { events } = this.core.options.ports;
    const idempotencyKey = this.#keyOf(step);
    return this.call(step, async () => ({ content: await events.send({ ...event, idempotencyKey }) }));
  }

  waitSeconds(step: Step, seconds: number): Promise<void> {
    return this.waitUntil(step, this.#timeAfter(seconds));
  }

  async waitUntil(step: Step, until: string): Promise<void> {
    const wait = await this.#recordWait(step, () => ({ kind: 'timer', until }));
    await this.#waitExternally(wait, async () => (this.#isPast(wait.until) ? true : undefined));
  }

  executeSubRun(step: Step, { workflowId, input, ...awaited }: SubRunRequest): Promise<SubRunEnd> {
    const { runs } = this.core.options.ports;
    return this.#runToEnd(step, 'run', awaited, runs, key => runs.start({ workflowId, input, key }));
  }

  /** A repeated start after the death of a process returns the run that the first one started. */
  startRun(step: Step, { workflowId, input }: Pick<SubRunRequest, 'workflowId' | 'input'>): Promise<string> {
    const { runs } = this.core.options.ports;
    const key = this.#keyOf(step);
    return this.call(step, async () => ({ content: await runs.start({ workflowId, input, key, isDetached: true }) }));
  }

  executeScenarioRun(step: Step, { scenarioId, variables, ...awaited }: ScenarioRunRequest): Promise<SubRunEnd> {
    const { scenarios } = this.core.options.ports;
    const start = (key: string) => scenarios.start({ scenarioId, variables, key });
    return this.#runToEnd(step, 'scenario', awaited, scenarios, start);
  }

  /** Starts another run unless the start is recorded, and waits for its end. */
  async #runToEnd(
    step: Step,
    kind: 'run' | 'scenario',
    { until, signal }: AwaitedRun,
    runs: Pick<SubRuns, 'findEnd' | 'cancel'>,
    start: (key: string) => Promise<string>,
  ): Promise<SubRunEnd> {
    const recorded = this.#recordedStep(step);
    if (recorded?.content !== undefined) return JSON.parse(recorded.content);
    let runId = recorded?.wait?.kind === kind ? recorded.wait.runId : undefined;
    if (runId === undefined) {
      await this.#reportStart(step);
      runId = await this.core.trackBusy(start(this.#keyOf(step)));
    }
    const id = runId;
    const wait = await this.#recordWait(step, () => ({
      kind,
      runId: id,
      ...(until === undefined ? {} : { until }),
    }));
    try {
      const check = async () => {
        const end = await runs.findEnd(id);
        if (end || until === undefined || !this.#isPast(until)) return end;
        throw new PortError('timeout', 'the sub-run did not finish before the deadline');
      };
      const end = await this.#waitExternally(wait, check, signal);
      await this.#recordResult(step, JSON.stringify(end));
      return end;
    } catch (error) {
      // A worker that shuts down does not cancel the sub-run. The worker that resumes this run continues to wait for
      // it.
      if (!this.core.isAbandoned) await this.core.trackBusy(runs.cancel(id));
      throw error;
    }
  }

  #recordedStep(step: Step): RecordedStep | undefined {
    return this.parts.from.steps.get(step.name);
  }

  /** Reports the start of a step. Throws if the node was aborted meanwhile. */
  async #reportStart({ name, tool, arguments: args }: Step): Promise<void> {
    const { node, call } = this.parts;
    const details = { ...(tool === undefined ? {} : { tool }), ...(args === undefined ? {} : { arguments: args }) };
    await this.parts.report({ type: 'node.step.started', node: node.id, step: name, ...details, durable: true });
    if (call.failure) throw new AttemptAborted(call.failure);
  }

  async #recordResult(
    { name }: Step,
    text: string,
    more: Pick<StepOutcome, 'usage'> & NodeMeasures = {},
  ): Promise<string> {
    const content = storable(text);
    const tooLarge = this.core.addSize(content);
    const { node } = this.parts;
    await this.parts.report({
      type: 'node.step.succeeded',
      node: node.id,
      step: name,
      content,
      ...more,
      durable: true,
    });
    if (tooLarge) throw new AttemptAborted({ error: tooLarge, isFinal: true });
    return content;
  }

  /** Returns the recorded wait of a step, or records a new one. Throws if the node was aborted meanwhile. */
  async #recordWait<W extends Wait>({ name }: Step, make: () => W): Promise<W> {
    const recorded = this.#recordedStep({ name })?.wait;
    if (recorded) return recorded as W;
    const wait = make();
    const { node, call } = this.parts;
    await this.parts.report({ type: 'node.waiting', node: node.id, step: name, wait, durable: true });
    if (call.failure) throw new AttemptAborted(call.failure);
    return wait;
  }

  #waitExternally<T>({ until }: Wait, check: () => Promise<T | undefined>, abortSignal?: AbortSignal): Promise<T> {
    const { signal } = this.parts.call;
    return this.core.externalWaits.wait({
      until: until === undefined ? null : Date.parse(until),
      check,
      signal: abortSignal ? AbortSignal.any([signal, abortSignal]) : signal,
    });
  }

  /** Returns the remaining time of the node in milliseconds; null: unlimited. */
  #remainingMs(timeoutMs: number | null): number | null {
    if (timeoutMs === null) return null;
    const left = timeoutMs - this.#workedMs;
    if (left <= 0) throw new AttemptAborted(timedOut(timeoutMs));
    return left;
  }

  async #acquireSlotUnlessAborted(): Promise<() => void> {
    const release = await this.#acquireSlot();
    const failure = this.parts.call.failure;
    if (!failure) return release;
    release();
    throw new AttemptAborted(failure);
  }

  /** Acquires a concurrency slot for the step and returns its release function. */
  #acquireSlot(): Promise<() => void> {
    return new Promise(resolve => {
      const slot = this.core.slots.request(() => resolve(() => slot.release()));
    });
  }

  /** The key with which a repeated start or event is recognized. */
  #keyOf({ name }: Step): string {
    const { node, iteration, from } = this.parts;
    return JSON.stringify([node.id, iteration, from.attempt, name]);
  }

  #timeAfter(seconds: number): string {
    return new Date(this.#nowMs() + 1000 * seconds).toISOString();
  }

  #isPast(until: string): boolean {
    return this.#nowMs() >= Date.parse(until);
  }

  #nowMs(): number {
    return this.core.options.ports.clock.now().getTime();
  }
}

/** The message states the configured limit of the node instead of the remaining time. */
function timeoutOf(error: unknown, timeoutMs: number): unknown {
  if (!(error instanceof AttemptAborted)) return error;
  return new AttemptAborted({ ...error.failure, ...timedOut(timeoutMs) });
}
