import type { Usage } from '../../../engine/ports.js';
import { applyEvent, progressOf, resultOf, type ScenarioResult } from '../../../engine/scenario/events/progress.js';
import { RecordedRun } from '../../../engine/scenario/events/recorded-run.js';
import type { RunError, ScenarioEvent } from '../../../engine/scenario/events/run-event.js';
import type { Scenario } from '../../../engine/scenario/scenario.js';
import { sumSpent, toSpentUsage } from '../../../engine/scenario/spent-usage.js';
import type { ClaimedScenarioRun } from './scenario-run-claims.js';
import type { JournalEvent } from './scenario-run-journal.js';
import { toRunCharge } from './scenario-run-ledger.js';
import type { ScenarioRunEnd, ScenarioRunRecord } from './scenario-run-recorder.js';

/** Numbers the events of a run and groups them into records. The record that contains an event also charges it. */
export class ScenarioRunReport {
  readonly #progress;
  readonly #keys: ReadonlyMap<number, string>;
  #sequence: number;
  #events: JournalEvent[] = [];
  /** Status of the end of the run. Set when its event is added, cleared when a record contains it. */
  #end: ScenarioRunEnd['status'] | null = null;

  constructor(
    private readonly run: Pick<
      ClaimedScenarioRun,
      'id' | 'runId' | 'token' | 'projectId' | 'parentRunId' | 'sequence' | 'workedMs'
    >,
    scenario: Scenario,
    private readonly earlierEvents: readonly JournalEvent[],
  ) {
    this.#sequence = run.sequence;
    this.#progress = progressOf(scenario, earlierEvents);
    this.#keys = this.#progress.keys;
  }

  add(event: ScenarioEvent): void {
    this.#events.push({ ...event, sequence: ++this.#sequence });
    applyEvent(this.#progress, event);
    if (event.type === 'run.finished') this.#end = 'finished';
    if (event.type === 'run.failed') this.#end = 'error';
  }

  /** Ends the run without the engine, as failed or cancelled. Rounds in progress fail with the same error. */
  fail(error: RunError, status: 'error' | 'cancelled' = 'error'): void {
    const at = new Date().toISOString();
    for (const { message, round, rounds } of new RecordedRun(this.earlierEvents).open)
      this.add({ type: 'message.failed', message, round, rounds, at, error, durable: true });
    this.add({ type: 'run.failed', at, error });
    this.#end = status;
  }

  get result(): ScenarioResult {
    return resultOf(this.#progress);
  }

  /** Builds a record of all events since the last one. There must be at least one event. */
  takeRecord({
    workedMs,
    settle,
  }: {
    /** Working time of this execution, in milliseconds. */
    workedMs: number;
    /** Returns the ids of the reservations that the record releases: those of the charged usages. */
    settle: (charged: Usage[]) => string[];
  }): ScenarioRunRecord {
    const events = this.#events;
    const end = this.#end;
    this.#events = [];
    this.#end = null;
    const ends = events.flatMap(event =>
      event.type === 'message.succeeded' || event.type === 'message.failed' ? [event] : [],
    );
    const usages = ends.flatMap(({ usage }) => usage ?? []);
    const { promptTokens, completionTokens, costUsd } = sumSpent(usages.map(toSpentUsage));
    return {
      run: this.run,
      events,
      ledger: ends.map(event => toRunCharge(event, this.#keys.get(event.message) ?? String(event.message))),
      promptTokens,
      completionTokens,
      costUsd,
      settled: settle(usages),
      workedMs: this.run.workedMs + workedMs,
      end: end && { status: end, result: this.result },
    };
  }
}
