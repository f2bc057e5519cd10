import { setTimeout } from 'node:timers/promises';
import type { Queue } from '../../../durable/queue.js';
import type { ScenarioResult } from '../../../engine/scenario/events/progress.js';
import type { Database, Sql } from '../../../platform/database/database.js';
import { isRetryableDatabaseError } from '../../../platform/database/database-errors.js';
import { Bus } from '../../../platform/messaging/bus.js';
import { failpoint } from '../../../platform/testing/failpoint.js';
import { freedColumns, RAISE_TOTALS } from '../../billing/raise-totals.sql.js';
import type { JournalEvent } from './scenario-run-journal.js';
import { type ClaimedScenarioRun, SCENARIO_RUN_QUEUE } from './scenario-run-leases.js';
import { LEDGER_COLUMNS, type LedgerRow } from './scenario-run-ledger.js';

/** How a run ended, for whoever has to hear of it. */
export interface ScenarioRunEnd {
  runId: number;
  projectId: number;
  status: 'finished' | 'error' | 'cancelled';
  /** The run of a workflow that waits for it. */
  parentRunId: string | null;
}

/** Called in the transaction that ends a run: what it enqueues is sent if and only if the run has ended. */
export type ScenarioRunEndListener = (end: ScenarioRunEnd, sql: Sql) => Promise<void>;

/** What a run reports at once: events with their ledger rows, and perhaps its end. */
export interface ScenarioRunRecord {
  run: Pick<ClaimedScenarioRun, 'id' | 'runId' | 'token' | 'projectId' | 'parentRunId'>;
  events: JournalEvent[];
  ledger: LedgerRow[];
  promptTokens: number;
  completionTokens: number;
  costUsd: string;
  /** Reservations of calls that `ledger` charges, or that cost nothing. */
  settled: string[];
  workedMs: number;
  end: { status: ScenarioRunEnd['status']; result: ScenarioResult } | null;
}

/** The run is no longer this worker's: whatever it still wants to write is refused. */
export class ScenarioRunLostError extends Error {
  constructor() {
    super('the lease of the scenario run was lost');
    this.name = 'ScenarioRunLostError';
  }
}

/** The topic on which watchers hear that something was recorded. */
export function scenarioRunTopic(runId: number): string {
  return `scenario-run:${runId}`;
}

// One statement, one commit: status, journal, result, ledger, settled reservations, project totals and notification
// become visible together. `held` demands the fencing token, and that the record goes on where the journal stops: it was not
// written before (an answer lost on the way), and nothing before it was lost (by a fail-over to a replica that lags behind). The end of a run drops whatever it had reserved.
const RECORD = `
  with held as (
    update scenario_run r
       set sequence = $4, status = coalesce($6, r.status), cost_usd = r.cost_usd + $7::numeric,
           prompt_tokens = r.prompt_tokens + $8::bigint, completion_tokens = r.completion_tokens + $9::bigint,
           worked_ms = $10::bigint, final_result = $11::text, local_variables = $12::json, processed_messages = $13::json,
           error = $14::json, finished_at = case when $6::text is not null then now() end,
           updated_at = now()
     where r.id = $1 and r.lease_token = $2 and r.sequence = $3 - 1
       and (r.status = 'in_progress' or ($6 = 'cancelled' and r.status = 'created'))
    returning r.id, r.billing_id, r.project_id, r.user_id),
  journal as (
    insert into scenario_run_journal (run_id, first_sequence, last_sequence, events)
    select id, $3, $4, $5::json from held),
  ledger as (
    insert into billing_transaction
      (project_id, run_id, node_id, iteration, user_id, operation, status, amount_usd, reason, description, usage, service_usd)
    select h.project_id, h.billing_id, l."nodeId", l.iteration, h.user_id, 'scenario-message', l.status, l."amountUsd", l.reason,
           l.description, l.usage, l."serviceUsd"
      from held h, json_to_recordset($15::json) as l(${LEDGER_COLUMNS})
    on conflict (run_id, ledger_key(node_id, iteration, operation)) do nothing
    returning project_id, user_id, amount_usd, service_usd),
  freed as (
    delete from budget_reservation b using held h
     where b.holder = h.billing_id and ($6::text is not null or b.id = any($16::uuid[]))
    returning ${freedColumns('b')}),
  ${RAISE_TOTALS},
  told as (select pg_notify('scenarium', payload) from unnest($17::text[]) as payload)
  select exists (select 1 from held) as "isNew",
         exists (select 1 from scenario_run r where r.id = $1 and r.lease_token = $2 and r.sequence >= $4) as "isKnown",
         (select count(*) from told) as told`;

const RETRY_MS = 200;

/** Writes what runs report, and only for as long as their leases are ours. */
export class ScenarioRunRecorder {
  constructor(
    private readonly database: Database,
    private readonly queue: Queue,
    /** Whoever is to hear of ends: webhooks, runs of workflows that wait. */
    private readonly whenEnded: readonly ScenarioRunEndListener[],
  ) {}

  /** Resolves after the commit. Throws ScenarioRunLostError when another worker has taken the run, or it has ended. */
  async record(record: ScenarioRunRecord, signal: AbortSignal): Promise<void> {
    for (;;) {
      try {
        failpoint('scenario-record.before');
        const isOurs = record.end
          ? await this.database.transaction(sql => this.writeWithin(sql, record))
          : await this.#statement(this.database, record).then(({ isNew, isKnown }) => isNew || isKnown);
        failpoint('scenario-record.after');
        if (isOurs) return;
        throw new ScenarioRunLostError();
      } catch (error) {
        // While the database is away nothing can be decided; the lease runs out by its clock, not by ours.
        if (!isRetryableDatabaseError(error) || signal.aborted) throw error;
        await setTimeout(RETRY_MS);
      }
    }
  }

  /** The same within the caller's transaction; tells whether it was written. */
  async writeWithin(sql: Sql, record: ScenarioRunRecord): Promise<boolean> {
    const { isNew, isKnown } = await this.#statement(sql, record);
    const { run, end } = record;
    if (isNew && end) {
      const { runId, projectId, parentRunId } = run;
      await this.queue.complete(SCENARIO_RUN_QUEUE, [run.id], sql);
      for (const listener of this.whenEnded) await listener({ runId, projectId, status: end.status, parentRunId }, sql);
    }
    return isNew || isKnown;
  }

  async #statement(sql: Sql, record: ScenarioRunRecord): Promise<{ isNew: boolean; isKnown: boolean }> {
    const { run, events, end } = record;
    const [row] = await sql.query<{ isNew: boolean; isKnown: boolean }>(RECORD, [
      run.runId,
      run.token,
      events[0]!.sequence,
      events.at(-1)!.sequence,
      JSON.stringify(events),
      end?.status ?? null,
      record.costUsd,
      record.promptTokens,
      record.completionTokens,
      Math.round(record.workedMs),
      end?.result.finalResult ?? null,
      end ? JSON.stringify(end.result.localVariables) : null,
      end ? JSON.stringify(end.result.processedMessages) : null,
      end?.result.error ? JSON.stringify(end.result.error) : null,
      JSON.stringify(record.ledger),
      record.settled,
      Bus.payloads([scenarioRunTopic(run.runId)]),
    ]);
    return row!;
  }
}
