import type { Suspension } from '../../../durable/run-worker.js';
import type { Usage } from '../../../engine/ports.js';
import type { Graph } from '../../../engine/workflow/graph/graph.js';
import { applyEvent, progressOf, resultOf } from '../../../engine/workflow/run/progress.js';
import { openNodes } from '../../../engine/workflow/run/recorded-state.js';
import { announcesCall, type RunEvent } from '../../../engine/workflow/run/run-event.js';
import type { Vault } from '../../../platform/crypto/crypto.js';
import { whenReachable } from '../../../platform/database/database.js';
import { sum } from '../../../platform/money/money.js';
import type { RunSpending } from '../../billing/run-spending.js';
import { type ApprovalRow, approvalRows, withoutDetails } from '../approvals/run-approvals.js';
import {
  addUnmasked,
  contentsSealContext,
  endStateOf,
  engineEvents,
  type JournalEvent,
} from '../journal/run-journal.js';
import { type LedgerRow, ledgerRow, UnbilledUsage } from '../journal/run-ledger.js';
import type { RunRecord, RunRecorder } from '../journal/run-recorder.js';
import { type ClaimedRun, LeaseLostError, type RunClaims } from './run-claims.js';

/** Maximum delay in milliseconds until events without external effects become visible. */
const MAX_DELAY_MS = 25;

interface ReportParts {
  run: ClaimedRun;
  recorder: Pick<RunRecorder, 'record'>;
  claims: Pick<RunClaims, 'suspend' | 'assertLease'>;
  vault: Vault;
  /** Null when the graph cannot be read, in which case no nodes are reported. */
  graph: Graph | null;
  /** Masks the secrets of the run. */
  hide: (event: RunEvent) => RunEvent;
  spending: Pick<RunSpending, 'takeSettled'>;
  /** Whether a failure of the run starts the error workflow of its graph. Absent: no. */
  hasErrorHandler?: boolean;
  /** The events that are already in the journal. */
  earlier: readonly JournalEvent[];
}

/**
 * Reports the events of a run in execution. It numbers and masks events and batches those of pure nodes. A durable
 * event is committed together with all earlier events before the announced call.
 */
export class RunReport {
  readonly #progress;
  readonly #startedAt = performance.now();
  readonly #unbilled: UnbilledUsage;
  readonly #lostController = new AbortController();
  #sequence: number;
  #events: JournalEvent[] = [];
  /** The end of the run, until a write contains it together with its event. */
  #end: RunRecord['end'] = null;
  #unmaskedContents: Record<string, string> = {};
  #approvals: ApprovalRow[] = [];
  #ledger: LedgerRow[] = [];
  #charged: Usage[] = [];
  #writing: Promise<void> = Promise.resolve();
  #lazyTimer: NodeJS.Timeout | undefined;
  #immediateWrite: NodeJS.Immediate | undefined;

  constructor(private readonly parts: ReportParts) {
    this.#sequence = parts.run.sequence;
    this.#progress = progressOf(engineEvents(parts.earlier));
    this.#unbilled = new UnbilledUsage(parts.earlier);
  }

  /** Aborts when the run belongs to another worker or cannot be written. */
  get lost(): AbortSignal {
    return this.#lostController.signal;
  }

  /** Adds a group of events, which is committed together: the start of calls in parallel, or one event. */
  async submit(events: readonly RunEvent[], signal: AbortSignal): Promise<void> {
    for (const event of events) this.#add(event);
    if (this.#end) return this.#write(signal);
    if (events.some(isCallAhead)) {
      await this.#write(signal);
      return this.parts.claims.assertLease(this.parts.run, signal);
    }
    // The result of a call is written immediately and asynchronously. Events that the run emits meanwhile join that
    // write. All of them are committed before the next call.
    if (events.some(event => 'durable' in event && event.durable))
      this.#immediateWrite ??= setImmediate(() => this.#writeInBackground(signal));
    // Makes events visible soon, even without a durable event. The run does not wait for this write.
    this.#lazyTimer ??= setTimeout(() => this.#writeInBackground(signal), MAX_DELAY_MS);
  }

  /** Resolves when all call results are written, for an execution that stops without the end of its run. */
  async settle(signal: AbortSignal): Promise<void> {
    if (this.#immediateWrite !== undefined) void this.#write(signal);
    await this.#writing.catch(error => {
      if (!(error instanceof LeaseLostError)) throw error;
    });
  }

  /** Suspends the run until `until`, because it only waits. Throws LeaseLostError when it belongs to another worker. */
  async suspend(until: string | null, signal: AbortSignal): Promise<Suspension> {
    await this.#write(signal);
    const { claims, run } = this.parts;
    const suspended = await whenReachable(() => claims.suspend(run, until, this.#workedMs), signal);
    if (!suspended) throw new LeaseLostError();
    return suspended;
  }

  /** Fails the run outside the engine, when it cannot be started or continued. */
  async fail(code: string, message: string, signal: AbortSignal): Promise<void> {
    const at = new Date().toISOString();
    const error = { code, message };
    for (const place of openNodes(engineEvents(this.parts.earlier)))
      this.#add({ type: 'node.failed', ...place, at, error, continued: false });
    await this.submit([{ type: 'run.failed', at, error, output: null }], signal);
  }

  /** Completes the row of a run whose journal already contains its end. The report has no events, so it stores the result. */
  async finish(state: 'succeeded' | 'failed' | 'cancelled', signal: AbortSignal): Promise<void> {
    this.#end = this.#endOf(state);
    await this.#write(signal);
  }

  close(): void {
    clearTimeout(this.#lazyTimer);
    clearImmediate(this.#immediateWrite);
  }

  #endOf(state: 'succeeded' | 'failed' | 'cancelled'): NonNullable<RunRecord['end']> {
    const isHandled = state === 'failed' && this.parts.hasErrorHandler === true;
    const handler = isHandled ? { hasErrorHandler: true as const } : {};
    return { state, result: resultOf(this.#progress), ...handler };
  }

  #writeInBackground(signal: AbortSignal): void {
    this.#write(signal).catch(error => this.#lostController.abort(error));
  }

  #add(event: RunEvent): void {
    const masked = this.#masked(event);
    this.#events.push({ ...withoutDetails(masked), sequence: ++this.#sequence });
    applyEvent(this.#progress, masked);
    const state = endStateOf(masked);
    if (state) this.#end = { ...this.#endOf(state), isDerivedFromEvents: true };
    addUnmasked(this.#unmaskedContents, event, masked);
    this.#unbilled.add(masked, event);
    const { run, graph } = this.parts;
    if (event.type === 'node.waiting') this.#approvals.push(...approvalRows(run.id, masked as typeof event));
    if (event.type === 'node.succeeded' || event.type === 'node.failed') {
      const billed = this.#unbilled.take(event);
      this.#ledger.push(ledgerRow({ runId: run.id, event, usages: billed.map(({ masked }) => masked), graph }));
      this.#charged.push(...billed.map(({ original }) => original));
    }
  }

  /** Masks an event except for its usage figures, which are summed, even if a number equals a secret. */
  #masked(event: RunEvent): RunEvent {
    const masked = this.parts.hide(event);
    if (!('usage' in event) || !event.usage || masked === event) return masked;
    const { provider, model } = (masked as typeof event).usage ?? event.usage;
    return { ...(masked as typeof event), usage: { ...event.usage, provider, model } };
  }

  get #workedMs(): number {
    return this.parts.run.workedMs + performance.now() - this.#startedAt;
  }

  /**
   * Queues a write. Writes of one run are sequential; the recorder combines those of many runs. A write contains
   * all events added until it starts, including the end of the run.
   */
  #write(signal: AbortSignal): Promise<void> {
    this.close();
    this.#lazyTimer = undefined;
    this.#immediateWrite = undefined;
    const written = this.#writing.then(async () => {
      if (this.#events.length === 0 && !this.#end) return;
      await this.parts.recorder.record(this.#drain(), signal);
    });
    this.#writing = written;
    return written;
  }

  #drain(): RunRecord {
    const { run, vault } = this.parts;
    const end = this.#end;
    const events = this.#events;
    const ledger = this.#ledger;
    const sealed = this.#unmaskedContents;
    const approvals = this.#approvals;
    const settled = this.parts.spending.takeSettled(this.#charged);
    this.#charged = [];
    this.#events = [];
    this.#end = null;
    this.#ledger = [];
    this.#unmaskedContents = {};
    this.#approvals = [];
    return {
      run,
      events,
      ledger,
      approvals,
      settled,
      workedMs: this.#workedMs,
      sealedContents:
        Object.keys(sealed).length > 0
          ? vault.seal(JSON.stringify(sealed), contentsSealContext(run.id, events[0]!.sequence))
          : null,
      costUsd: sum(ledger.map(row => row.amountUsd)),
      end,
    };
  }
}

/** Whether the event announces an external call or a wait. */
function isCallAhead(event: RunEvent): boolean {
  return announcesCall(event) || event.type === 'node.waiting';
}
