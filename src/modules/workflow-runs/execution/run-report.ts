import type { Suspension } from '../../../durable/run-worker.js';
import type { Usage } from '../../../engine/ports.js';
import type { Graph } from '../../../engine/workflow/graph/graph.js';
import { applyEvent, progressOf, resultOf } from '../../../engine/workflow/run/progress.js';
import { openNodes } from '../../../engine/workflow/run/recorded-state.js';
import type { RunEvent } from '../../../engine/workflow/run/run-event.js';
import type { Vault } from '../../../platform/crypto/crypto.js';
import { whenReachable } from '../../../platform/database/database.js';
import { sum } from '../../../platform/money/money.js';
import type { RunSpending } from '../../billing/run-spending.js';
import {
  contentKey,
  endStateOf,
  engineEvents,
  type JournalEvent,
  sealedContentsPlace,
} from '../journal/run-journal.js';
import { type LedgerRow, ledgerRow, UnbilledUsage } from '../journal/run-ledger.js';
import type { RunRecord, RunRecorder } from '../journal/run-recorder.js';
import { type ApprovalRow, approvalRows } from './run-approvals.js';
import { type ClaimedRun, LeaseLostError, type RunClaims } from './run-claims.js';

/** Events of nodes without outside effects become visible at the latest after this. */
const LAZY_MS = 25;

interface ReportParts {
  run: ClaimedRun;
  recorder: Pick<RunRecorder, 'record'>;
  claims: Pick<RunClaims, 'suspend' | 'hold'>;
  vault: Vault;
  /** Null when the graph cannot be read: then there are no nodes to speak of. */
  graph: Graph | null;
  /** Hides the run's secrets. */
  hide: (event: RunEvent) => RunEvent;
  spending: Pick<RunSpending, 'settled'>;
  /** What the journal holds of the run already. */
  earlier: readonly JournalEvent[];
}

/**
 * What a run under execution reports: numbers and masks its events, gathers those of pure nodes, and has a durable one
 * committed, with everything before it, before the run goes on.
 */
export class RunReport {
  readonly #progress;
  readonly #began = performance.now();
  readonly #unbilled: UnbilledUsage;
  readonly #lost = new AbortController();
  #sequence: number;
  #events: JournalEvent[] = [];
  /** The end of the run, from when its event is taken until a write carries both. */
  #end: RunRecord['end'] = null;
  #sealed: Record<string, string> = {};
  #approvals: ApprovalRow[] = [];
  #ledger: LedgerRow[] = [];
  #charged: Usage[] = [];
  #writing: Promise<void> = Promise.resolve();
  #lazy: NodeJS.Timeout | undefined;
  #soon: NodeJS.Immediate | undefined;

  constructor(private readonly parts: ReportParts) {
    this.#sequence = parts.run.sequence;
    this.#progress = progressOf(engineEvents(parts.earlier));
    this.#unbilled = new UnbilledUsage(parts.earlier);
  }

  /** Aborts when the run turns out not to be ours any more, or cannot be written. */
  get lost(): AbortSignal {
    return this.#lost.signal;
  }

  async take(event: RunEvent, signal: AbortSignal): Promise<void> {
    this.#add(event);
    if (this.#end) return this.#write(signal);
    if (isCallAhead(event)) {
      await this.#write(signal);
      return this.parts.claims.hold(this.parts.run, signal);
    }
    // An answer is on its way to the database at once; what the run makes of it meanwhile goes along. Before the next
    // call all of it is there.
    if ('durable' in event && event.durable) this.#soon ??= setImmediate(() => this.#writeAside(signal));
    // Visible soon even when the next durable event is far away; the run does not wait for it.
    this.#lazy ??= setTimeout(() => this.#writeAside(signal), LAZY_MS);
  }

  /** Resolves when all that was answered is written, where an execution ends without an end of its run. */
  async settle(signal: AbortSignal): Promise<void> {
    if (this.#soon !== undefined) void this.#write(signal);
    await this.#writing.catch(error => {
      if (!(error instanceof LeaseLostError)) throw error;
    });
  }

  /** Gives the run up until `until`: all that is left to do is to wait. */
  async suspend(until: string | null, signal: AbortSignal): Promise<Suspension> {
    await this.#write(signal);
    const { claims, run } = this.parts;
    const suspended = await whenReachable(() => claims.suspend(run, until, this.#workedMs), signal);
    if (!suspended) throw new LeaseLostError();
    return suspended;
  }

  /** Ends the run without the engine: it could not begin, or not go on. */
  async fail(code: string, message: string, signal: AbortSignal): Promise<void> {
    const at = new Date().toISOString();
    const error = { code, message };
    for (const place of openNodes(engineEvents(this.parts.earlier)))
      this.#add({ type: 'node.failed', ...place, at, error, continued: false });
    await this.take({ type: 'run.failed', at, error, output: null }, signal);
  }

  /** Ends the row of a run whose journal has its end already. */
  async finish(state: 'succeeded' | 'failed' | 'cancelled', signal: AbortSignal): Promise<void> {
    this.#end = { state, result: resultOf(this.#progress), isOfEvents: true };
    await this.#write(signal);
  }

  close(): void {
    clearTimeout(this.#lazy);
    clearImmediate(this.#soon);
  }

  #writeAside(signal: AbortSignal): void {
    this.#write(signal).catch(error => this.#lost.abort(error));
  }

  #add(event: RunEvent): void {
    const masked = this.#masked(event);
    this.#events.push({ ...masked, sequence: ++this.#sequence });
    applyEvent(this.#progress, masked);
    const state = endStateOf(masked);
    if (state) this.#end = { state, result: resultOf(this.#progress), isOfEvents: true };
    if ('content' in event && (masked as typeof event).content !== event.content)
      this.#sealed[contentKey(event)] = event.content;
    this.#unbilled.add(masked, event);
    const { run, graph } = this.parts;
    if (event.type === 'node.waiting') this.#approvals.push(...approvalRows(run.id, masked as typeof event));
    if (event.type === 'node.succeeded' || event.type === 'node.failed') {
      const billed = this.#unbilled.take(event);
      this.#ledger.push(ledgerRow({ runId: run.id, event, usages: billed.map(({ shown }) => shown), graph }));
      this.#charged.push(...billed.map(({ used }) => used));
    }
  }

  /** Figures stay what they are, even where one looks like a secret: they are added up. */
  #masked(event: RunEvent): RunEvent {
    const masked = this.parts.hide(event);
    if (!('usage' in event) || !event.usage || masked === event) return masked;
    const { provider, model } = (masked as typeof event).usage ?? event.usage;
    return { ...(masked as typeof event), usage: { ...event.usage, provider, model } };
  }

  get #workedMs(): number {
    return this.parts.run.workedMs + performance.now() - this.#began;
  }

  /**
   * Writes of one run follow each other; those of many runs share a statement in the recorder. A write takes everything that
   * has been added when it begins, the end included, whichever caller queued it.
   */
  #write(signal: AbortSignal): Promise<void> {
    this.close();
    this.#lazy = undefined;
    this.#soon = undefined;
    const written = this.#writing.then(async () => {
      if (this.#events.length === 0 && !this.#end) return;
      await this.parts.recorder.record(this.#take(), signal);
    });
    this.#writing = written;
    return written;
  }

  #take(): RunRecord {
    const { run, vault } = this.parts;
    const end = this.#end;
    const events = this.#events;
    const ledger = this.#ledger;
    const sealed = this.#sealed;
    const approvals = this.#approvals;
    const settled = this.parts.spending.settled(this.#charged);
    this.#charged = [];
    this.#events = [];
    this.#end = null;
    this.#ledger = [];
    this.#sealed = {};
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
          ? vault.seal(JSON.stringify(sealed), sealedContentsPlace(run.id, events[0]!.sequence))
          : null,
      costUsd: sum(ledger.map(row => row.amountUsd)),
      end,
    };
  }
}

/** Whether somebody outside is called, or waited for, once the event was taken. */
function isCallAhead(event: RunEvent): boolean {
  return (
    'durable' in event &&
    event.durable === true &&
    (event.type === 'node.started' || event.type === 'node.step.started' || event.type === 'node.waiting')
  );
}
