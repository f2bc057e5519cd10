import type { Graph } from '../../../engine/workflow/graph/graph.js';
import type { RehearsalReplay } from '../../../engine/workflow/history/rehearsal-replay.js';
import { keyOf } from '../../../engine/workflow/history/replay-record.js';
import type { NodeEvent, RunEvent } from '../../../engine/workflow/run/run-event.js';
import { sum } from '../../../platform/money/money.js';
import type { RunCharge } from '../../billing/charge-run.sql.js';
import type { RunSpending } from '../../billing/run-spending.js';
import { ledgerRow, UnbilledUsage } from '../../workflow-runs/journal/run-ledger.js';
import type { RecordedCalls } from './rehearsal-records.js';

interface RecorderParts {
  /** Persists calls. Resolves after the commit. */
  write(calls: RecordedCalls): Promise<void>;
  replay: RehearsalReplay;
  spending: RunSpending;
  graph: Graph;
  /** Replaces the secrets of the run in an event by the mask. */
  maskEvent(event: RunEvent): RunEvent;
  /** Events of this rehearsal that are recorded already. */
  earlier: readonly RunEvent[];
  /** Id of the run in the rehearsal, to which its ledger rows belong. */
  rowId: string;
}

/** The cost and duration of a call of a rehearsal. */
export interface ExecutedCall {
  costUsd: string;
  durationMs: number;
}

/** Records the events of calls that the rehearsal makes, each before it continues. Other events are computed again. */
export class CallRecorder {
  /** Finished calls by `keyOf`, including those of earlier workers. */
  readonly executed = new Map<string, ExecutedCall>();
  /** Start events by `keyOf`, until they are recorded with the end of their call. */
  readonly #starts = new Map<string, RunEvent & { at: string }>();
  /** Times of recorded starts by `keyOf`. */
  readonly #recordedStarts = new Map<string, string>();
  readonly #unbilled: UnbilledUsage;
  readonly #costs = new Map<string, string>();
  #sequence: number;

  constructor(private readonly parts: RecorderParts) {
    const { earlier } = parts;
    this.#sequence = earlier.length;
    this.#unbilled = new UnbilledUsage(earlier);
    for (const event of earlier) if ('node' in event) this.#observe(event);
  }

  async submit(event: RunEvent): Promise<void> {
    if (!('node' in event)) return;
    const key = keyOf(event);
    if (event.type === 'node.started') {
      this.#starts.set(key, event);
      return;
    }
    // An end that is recorded already is reported again by the replay.
    if (!this.parts.replay.isExecuted(event) || this.executed.has(key)) return;
    const start = this.#starts.get(key);
    this.#starts.delete(key);
    const events: RecordedCalls['events'] = start ? [start, event] : [event];
    for (const each of events) this.#observe(each as NodeEvent);
    await this.#write(events, event);
  }

  /** Adds up the cost and the duration of a call. */
  #observe(event: NodeEvent): void {
    const key = keyOf(event);
    if (event.type === 'node.started' && !this.#recordedStarts.has(key)) this.#recordedStarts.set(key, event.at);
    if ('usage' in event && event.usage)
      this.#costs.set(key, sum([this.#costs.get(key) ?? '0', event.usage.costUsd ?? '0']));
    if (event.type !== 'node.succeeded' && event.type !== 'node.failed') return;
    const durationMs = Date.parse(event.at) - Date.parse(this.#recordedStarts.get(key) ?? event.at);
    this.executed.set(key, { costUsd: this.#costs.get(key) ?? '0', durationMs });
  }

  async #write(events: RecordedCalls['events'], last: NodeEvent): Promise<void> {
    const { maskEvent, spending, graph, rowId, write } = this.parts;
    this.#unbilled.add(maskEvent(last), last);
    const isEnd = last.type === 'node.succeeded' || last.type === 'node.failed';
    const billed = isEnd ? this.#unbilled.take(last) : [];
    const masked = maskEvent(last) as typeof last;
    const charges: RunCharge[] =
      isEnd && (masked.type === 'node.succeeded' || masked.type === 'node.failed')
        ? [ledgerRow({ runId: rowId, event: masked, usages: billed.map(({ masked: usage }) => usage), graph })]
        : [];
    const firstSequence = this.#sequence + 1;
    this.#sequence += events.length;
    await write({
      ...{ events, firstSequence, charges },
      settled: spending.takeSettled(billed.map(({ original }) => original)),
      costUsd: sum(charges.map(({ amountUsd }) => amountUsd)),
    });
  }
}
