import type { Queue } from '../../../durable/queue.js';
import type { RunResult } from '../../../engine/workflow/run/progress.js';
import { toStoredResult } from '../../../engine/workflow/run/stored-result.js';
import type { Database, Sql } from '../../../platform/database/database.js';
import { isRetryableDatabaseError } from '../../../platform/database/database-errors.js';
import { Bus } from '../../../platform/messaging/bus.js';
import { Batcher } from '../../../platform/sql/batcher.js';
import { textWeight } from '../../../platform/sql/text-weight.js';
import { failpoint } from '../../../platform/testing/failpoint.js';
import { freedColumns, RAISE_TOTALS } from '../../billing/raise-totals.sql.js';
import { activityTopic } from '../../projects/activity-topic.js';
import { deliveriesSql, type WebhookOutbox } from '../../webhooks/webhook-outbox.js';
import { chargeFees, mayWriteSql } from '../admission/run-fees.js';
import { APPROVAL_COLUMNS, type ApprovalRow, approvalsTopic } from '../execution/run-approvals.js';
import { type ClaimedRun, LeaseLostError, RUN_QUEUE, type RunClaims } from '../execution/run-claims.js';
import { endsToTellSql } from '../execution/run-webhooks.js';
import { costSql } from '../history/workflow-run.js';
import { raiseFiguresSql } from './run-figures.js';
import { firstSequenceOf, type JournalEvent } from './run-journal.js';
import { LEDGER_COLUMNS, type LedgerRow } from './run-ledger.js';
import { toStored } from './stored-events.js';

/** What a run reports at once: events with their ledger rows, and perhaps its end. */
export interface RunRecord {
  run: Pick<ClaimedRun, 'id' | 'token' | 'sequence' | 'projectId' | 'parentRunId' | 'marketWorkflowId'>;
  /** Empty only where the journal has the run's end already and the row does not: then `end` comes without events. */
  events: JournalEvent[];
  sealedContents: string | null;
  ledger: LedgerRow[];
  costUsd: string;
  /** Reservations of calls that `ledger` charges, or that cost nothing. */
  settled: string[];
  /** Requests for approval among the events. */
  approvals: ApprovalRow[];
  /** Milliseconds that workers have spent on the run so far. */
  workedMs: number;
  /**
   * `isOfEvents`: the result is what the events of the journal make, so that its entries need not be stored. `finishedAt`:
   * when it ended elsewhere; absent or null: now.
   */
  end: {
    state: 'succeeded' | 'failed' | 'cancelled';
    result: RunResult;
    isOfEvents?: true;
    finishedAt?: Date | null;
  } | null;
}

// One statement, one commit: state, journal, result, ledger, settled reservations, totals, figures, webhooks and notification
// become visible together. The end of a run drops whatever it had reserved.
// `held` demands the fencing token, and that the record goes on where the journal stops: it was not written before (an answer
// lost on the way), and nothing before it was lost (by a fail-over to a replica that lags behind).
// Without an end it changes no indexed column: the next version of the row needs no index entries.
// Projects are locked in the order of their ids, so that two workers never wait for each other; and before figures, which
// stand first: PostgreSQL writes what nobody reads from the last to the first.
const RECORD = `
  with given as (
    select * from unnest($1::uuid[], $2::bigint[], $3::int[], $4::int[], $5::json[], $6::text[], $7::text[], $8::json[], $9::numeric[], $10::bigint[], $16::timestamptz[])
      as g(run_id, token, first_sequence, last_sequence, events, sealed_contents, end_state, result, cost_usd, worked_ms, finished_at)),
  held as (
    update workflow_run r
       set sequence = g.last_sequence, state = coalesce(g.end_state, r.state), worked_ms = g.worked_ms,
           cost_usd = case when g.end_state is null then r.cost_usd else ${costSql('r')} + g.cost_usd end,
           running_cost_usd = case when g.end_state is null then coalesce(r.running_cost_usd, 0) + g.cost_usd end,
           run_finished_at = case when g.end_state is not null then
             least(greatest(coalesce(g.finished_at, now()), r.run_started_at), now()) end,
           updated_at = case when g.end_state is null then r.updated_at else now() end,
           recorded_at = case when g.end_state is null then now() end
      from given g
     where r.id = g.run_id and ${mayWriteSql('r', 'g')}
    returning r.id, r.created_at, r.project_id, r.user_id, g.first_sequence, g.last_sequence, g.events, g.sealed_contents,
              g.end_state, g.result, r.workflow_id, r.market_workflow_id, r.parent_run_id, r.cost_usd, r.commission_usd,
              r.run_started_at, r.run_finished_at),
  journal as (
    insert into workflow_run_journal (run_id, run_created_at, first_sequence, last_sequence, events, sealed_contents)
    select id, created_at, first_sequence, last_sequence, events, sealed_contents from held where events is not null),
  results as (
    update workflow_run_payload p set result = h.result
      from held h where h.end_state is not null and p.run_id = h.id and p.run_created_at = h.created_at),
  ${raiseFiguresSql('held')},
  ledger as (
    insert into billing_transaction
      (project_id, run_id, node_id, iteration, user_id, operation, status, amount_usd, reason, description, usage, service_usd)
    select h.project_id, h.id, l."nodeId", l.iteration, h.user_id, l.operation, l.status, l."amountUsd", l.reason, l.description, l.usage,
           l."serviceUsd"
      from json_to_recordset($11::json) as l(${LEDGER_COLUMNS})
      join held h on h.id = l."runId"
    on conflict (run_id, ledger_key(node_id, iteration, operation)) do nothing
    returning project_id, user_id, amount_usd, service_usd),
  freed as (
    delete from budget_reservation b using held h
     where b.holder = h.id and (h.end_state is not null or b.id = any($14::uuid[]))
    returning ${freedColumns('b')}),
  ${RAISE_TOTALS},
  approvals as (
    insert into workflow_run_approval (id, run_id, project_id, node_id, iteration, kind, tool, arguments, requested_at, expires_at)
    select a.id, h.id, h.project_id, a."nodeId", a.iteration, a.kind, a.tool, a.arguments, a."requestedAt", a."expiresAt"
      from json_to_recordset($12::json) as a(${APPROVAL_COLUMNS})
      join held h on h.id = a."runId"),
  ends_to_tell as (${endsToTellSql('held', '$15')}),
  ${deliveriesSql('ends_to_tell')},
  told as (select pg_notify('scenarium', payload) from unnest($13::text[]) as payload)
  select g.run_id as id,
         exists (select 1 from held h where h.id = g.run_id)
           or coalesce(r.lease_token = g.token and r.sequence >= g.last_sequence, false) as written,
         (select array_agg(distinct project_id) from deliveries) as "toWake",
         (select count(*) from told) as told
    from given g left join workflow_run r on r.id = g.run_id`;

const RETRY_MS = 200;

/** Of one statement: one that takes longer than its deadline would be refused at every try, with all the runs in it. */
const MAX_BATCH_CHARACTERS = 4_000_000;

/** Writes what runs report, many runs in one statement, and only for as long as their leases are ours. */
export class RunRecorder {
  readonly #batches: Batcher<RunRecord, boolean>;

  constructor(
    private readonly database: Database,
    private readonly claims: RunClaims,
    private readonly queue: Queue,
    private readonly webhooks: WebhookOutbox,
    private readonly srPerUsd: string,
  ) {
    this.#batches = new Batcher(records => this.#write(records), {
      lanes: 2,
      maxBatch: 100,
      weight: { max: MAX_BATCH_CHARACTERS, of: ({ events, end }, max) => textWeight([events, end], max) },
      isolate: error => !isRetryableDatabaseError(error),
    });
  }

  /** Resolves after the commit. Throws LeaseLostError when another worker has taken the run, or it has ended. */
  async record(record: RunRecord, signal: AbortSignal): Promise<void> {
    for (;;) {
      try {
        if (await this.#batches.add(record)) return;
        throw new LeaseLostError();
      } catch (error) {
        // While the database is away nothing can be decided; the lease runs out by its clock, not by ours.
        if (!isRetryableDatabaseError(error) || signal.aborted) throw error;
        await new Promise(resolve => setTimeout(resolve, RETRY_MS));
      }
    }
  }

  /** Who waits for a run that has ended hears of it in the transaction that ends it. */
  async #write(records: RunRecord[]): Promise<boolean[]> {
    failpoint('record.before');
    // Fees lock projects that are nobody's here: their ends are written apart from what others report.
    const parts = [records.filter(record => !owesFee(record)), records.filter(owesFee)].filter(part => part.length > 0);
    const written = new Map<RunRecord, boolean>();
    for (const part of parts) {
      const answers = part.some(({ end }) => end !== null)
        ? await this.database.transaction(sql => this.writeWithin(sql, part))
        : await this.writeWithin(this.database, part);
      part.forEach((record, index) => {
        written.set(record, answers[index]!);
      });
    }
    failpoint('record.after');
    return records.map(record => written.get(record) ?? false);
  }

  /** The same within the caller's transaction; tells which records were written. */
  async writeWithin(sql: Sql, records: RunRecord[]): Promise<boolean[]> {
    await chargeFees(sql, records.filter(owesFee));
    const { written, toWake } = await this.#statement(sql, records);
    if (toWake.length > 0) {
      failpoint('record.before-wake');
      await this.webhooks.wake(toWake, sql);
    }
    const ended = records.flatMap(({ run, end }, index) => (end && written[index] ? [run.id] : []));
    await this.queue.complete(RUN_QUEUE, ended, sql);
    const parents = records.flatMap(({ run, end }, index) =>
      end && run.parentRunId && written[index] ? [run.parentRunId] : [],
    );
    if (parents.length > 0) {
      failpoint('record.before-parents');
      await this.claims.signal([...new Set(parents)], sql);
    }
    return written;
  }

  async #statement(sql: Sql, given: RunRecord[]): Promise<{ written: boolean[]; toWake: number[] }> {
    // In the order of their ids: two batches that share rows never wait for each other in a circle.
    const records = given.toSorted((a, b) => (a.run.id < b.run.id ? -1 : 1));
    const rows = await sql.byKey<{ id: string; written: boolean; toWake: number[] | null }>('record-runs', RECORD, [
      records.map(record => record.run.id),
      records.map(record => record.run.token),
      records.map(({ run, events }) => firstSequenceOf(run, events)),
      records.map(({ run, events }) => events.at(-1)?.sequence ?? firstSequenceOf(run, events)),
      records.map(({ events }) => (events.length > 0 ? JSON.stringify(toStored(events)) : null)),
      records.map(record => record.sealedContents),
      records.map(record => record.end?.state ?? null),
      records.map(record => storedResultOf(record)),
      records.map(record => record.costUsd),
      records.map(record => Math.round(record.workedMs)),
      JSON.stringify(records.flatMap(record => record.ledger)),
      JSON.stringify(records.flatMap(record => record.approvals)),
      Bus.payloads(records.flatMap(topicsOf)),
      records.flatMap(record => record.settled),
      this.srPerUsd,
      records.map(record => record.end?.finishedAt ?? null),
    ]);
    const written = new Map(rows.map(row => [row.id, row.written]));
    return { written: given.map(record => written.get(record.run.id) ?? false), toWake: rows[0]?.toWake ?? [] };
  }
}

function storedResultOf({ end }: RunRecord): string | null {
  if (!end) return null;
  const { data: _, ...rest } = end.result;
  return JSON.stringify(end.isOfEvents ? rest : toStoredResult(end.result));
}

/** The end of a run of a marketplace copy: whether it is free shows when it is charged. */
function owesFee({ run, end }: RunRecord): boolean {
  return end !== null && run.marketWorkflowId !== null;
}

function topicsOf({ run, approvals }: RunRecord): string[] {
  return [
    `run:${run.id}`,
    activityTopic(run.projectId),
    ...(approvals.length > 0 ? [approvalsTopic(run.projectId)] : []),
  ];
}
