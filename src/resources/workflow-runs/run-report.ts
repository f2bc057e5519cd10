import type { Vault } from '../../base/crypto.js';
import { sum } from '../../base/money.js';
import type { Usage } from '../../engine/ports.js';
import type { Graph } from '../../engine/workflow/graph.js';
import { progressOf, resultOf, track } from '../../engine/workflow/progress.js';
import type { RunEvent } from '../../engine/workflow/run-event.js';
import { engineEvents, type JournalEvent } from './run-journal.js';
import type { ClaimedRun } from './run-leases.js';
import { type LedgerRow, ledgerRow, unbilledUsage } from './run-ledger.js';
import type { RunRecord, RunRecorder } from './run-recorder.js';
import type { RunSpending } from './run-spending.js';

/** Events of nodes without outside effects become visible at the latest after this. */
const LAZY_MS = 25;

interface ReportParts {
  run: ClaimedRun;
  recorder: RunRecorder;
  vault: Vault;
  /** Null when the graph cannot be read: then there are no nodes to speak of. */
  graph: Graph | null;
  /** Hides the run's secrets. */
  hide: (event: RunEvent) => RunEvent;
  spending: RunSpending;
  /** What the journal holds of the run already. */
  earlier: JournalEvent[];
}

/**
 * What a run under execution reports: numbers and masks its events, gathers those of pure nodes, and has a durable one
 * committed, with everything before it, before the run goes on.
 */
export class RunReport {
  readonly #progress;
  /** Of nodes that have not ended. `shown` is masked and goes on the ledger, `used` leads to the reservations. */
  readonly #unbilled = new Map<string, { shown: Usage; used: Usage }[]>();
  readonly #lost = new AbortController();
  #sequence: number;
  #events: JournalEvent[] = [];
  #sealed: Record<string, string> = {};
  #ledger: LedgerRow[] = [];
  #charged: Usage[] = [];
  #writing: Promise<void> = Promise.resolve();
  #lazy: NodeJS.Timeout | undefined;

  constructor(private readonly parts: ReportParts) {
    this.#sequence = parts.run.sequence;
    this.#progress = progressOf(engineEvents(parts.earlier));
    for (const [node, usages] of unbilledUsage(parts.earlier))
      this.#unbilled.set(
        node,
        usages.map(usage => ({ shown: usage, used: usage })),
      );
  }

  /** Aborts when the run turns out not to be ours any more. */
  get lost(): AbortSignal {
    return this.#lost.signal;
  }

  async take(event: RunEvent, signal: AbortSignal): Promise<void> {
    this.#add(event);
    if (event.type === 'run.succeeded' || event.type === 'run.failed') {
      const state = event.type === 'run.succeeded' ? 'succeeded' : 'failed';
      return this.#write({ state, result: resultOf(this.#progress) }, signal);
    }
    if ('durable' in event && event.durable) return this.#write(null, signal);
    // Visible soon even when the next durable event is far away; the run does not wait for it.
    this.#lazy ??= setTimeout(() => {
      this.#write(null, signal).catch(() => this.#lost.abort(new Error('the lease of the run was lost')));
    }, LAZY_MS);
  }

  /** Ends the run without the engine: it could not begin, or not go on. */
  async fail(code: string, message: string, signal: AbortSignal): Promise<void> {
    const at = new Date().toISOString();
    const error = { code, message };
    const underWay = [...this.#progress.nodes.values()].filter(node => node.status === 'in progress');
    for (const { id } of underWay) this.#add({ type: 'node.failed', node: id, at, error, continued: false });
    await this.take({ type: 'run.failed', at, error, output: null }, signal);
  }

  close(): void {
    clearTimeout(this.#lazy);
  }

  #add(event: RunEvent): void {
    const masked = this.#masked(event);
    this.#events.push({ ...masked, sequence: ++this.#sequence });
    track(this.#progress, masked);
    if (event.type === 'node.succeeded' && (masked as typeof event).content !== event.content)
      this.#sealed[event.node] = event.content;
    if (!('node' in event)) return;
    const unbilled = this.#unbilled.get(event.node) ?? [];
    if ('usage' in event && event.usage) {
      unbilled.push({ shown: (masked as typeof event).usage ?? event.usage, used: event.usage });
      this.#unbilled.set(event.node, unbilled);
    }
    if (event.type === 'node.succeeded' || event.type === 'node.failed') {
      const usages = unbilled.map(({ shown }) => shown);
      this.#ledger.push(ledgerRow({ runId: this.parts.run.id, event, usages, graph: this.parts.graph }));
      this.#charged.push(...unbilled.map(({ used }) => used));
      this.#unbilled.delete(event.node);
    }
  }

  /** Figures stay what they are, even where one looks like a secret: they are added up. */
  #masked(event: RunEvent): RunEvent {
    const masked = this.parts.hide(event);
    if (!('usage' in event) || !event.usage || masked === event) return masked;
    const { provider, model } = (masked as typeof event).usage ?? event.usage;
    return { ...(masked as typeof event), usage: { ...event.usage, provider, model } };
  }

  /** Writes of one run follow each other; those of many runs share a statement in the recorder. */
  #write(end: RunRecord['end'], signal: AbortSignal): Promise<void> {
    clearTimeout(this.#lazy);
    this.#lazy = undefined;
    const written = this.#writing.then(async () => {
      if (this.#events.length === 0) return;
      const record = this.#take(end);
      await this.parts.recorder.record(record, signal);
    });
    this.#writing = written;
    return written;
  }

  #take(end: RunRecord['end']): RunRecord {
    const { run, vault } = this.parts;
    const events = this.#events;
    const ledger = this.#ledger;
    const sealed = this.#sealed;
    const settled = this.parts.spending.settled(this.#charged);
    this.#charged = [];
    this.#events = [];
    this.#ledger = [];
    this.#sealed = {};
    return {
      run,
      events,
      ledger,
      settled,
      sealedContents:
        Object.keys(sealed).length > 0
          ? vault.seal(JSON.stringify(sealed), sealedContentsPlace(run.id, events[0]!.sequence))
          : null,
      costUsd: sum(ledger.map(row => row.amountUsd)),
      end,
    };
  }
}

export function sealedContentsPlace(runId: string, firstSequence: number): string {
  return `workflow_run_journal:sealed_contents:${runId}:${firstSequence}`;
}
