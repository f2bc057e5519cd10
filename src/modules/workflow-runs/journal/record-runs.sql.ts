import type { JobStatements } from '../../../durable/job-statements.js';
import type { Sql } from '../../../platform/database/database.js';
import { type ColumnTypes, columnArrays, columnsTable } from '../../../platform/sql/column-arrays.js';
import { freedSql, insertEntriesSql, RAISE_TOTALS } from '../../billing/ledger.sql.js';
import { deliveriesSql } from '../../webhooks/webhook-outbox.sql.js';
import { addFiguresSql } from '../../workflows/run-writes.sql.js';
import { mayWriteSql } from '../admission/run-fees.sql.js';
import { APPROVAL_COLUMNS, type ApprovalRow } from '../approvals/run-approvals.js';
import { endedRunsSql } from '../execution/run-webhooks.sql.js';
import { costSql } from '../history/workflow-run.js';
import { LEDGER_COLUMNS, type LedgerRow, numberLedgers } from './run-ledger.js';

/** One report of a run. */
export interface RecordRow {
  run_id: string;
  token: number;
  first_sequence: number;
  last_sequence: number;
  /** Null when the journal already contains the events. */
  events: readonly object[] | null;
  sealed_contents: string | null;
  end_state: string | null;
  /** Null when it follows from the events. */
  result: object | null;
  /** US dollars to add to the cost of the run. */
  cost_usd: string;
  worked_ms: number;
  finished_at: Date | null;
  ledger: readonly LedgerRow[];
  /** Ids of reservations to release. The end of a run releases all of its reservations. */
  settled: readonly string[];
  approvals: readonly ApprovalRow[];
}

/** Whether a report was written. */
export interface RecordedRun {
  id: string;
  written: boolean;
}

type ReportRow = Omit<RecordRow, 'ledger' | 'settled' | 'approvals'>;

const REPORT_COLUMNS: ColumnTypes<ReportRow> = {
  run_id: 'uuid',
  token: 'bigint',
  first_sequence: 'int',
  last_sequence: 'int',
  events: 'json',
  sealed_contents: 'text',
  end_state: 'text',
  result: 'json',
  cost_usd: 'numeric',
  worked_ms: 'bigint',
  finished_at: 'timestamptz',
};
// Parameters: the columns of the reports, those of the ledger, then these.
const FIRST_OF_LEDGER = Object.keys(REPORT_COLUMNS).length + 1;
const TOPICS = FIRST_OF_LEDGER + Object.keys(LEDGER_COLUMNS).length;
const SR_PER_USD = TOPICS + 1;
const SETTLED = TOPICS + 2;
const REQUESTED_APPROVALS = TOPICS + 3;

// `updated_runs` requires the current fencing token, and that the record continues the journal exactly. This rejects a
// record that was already written (its response was lost), and a gap after a fail-over to a lagging replica.
// Without an end, the update changes no indexed column, so the new row version needs no index entries.
const UPDATED_RUNS = `
  updated_runs as (
    update workflow_run r
       set sequence = g.last_sequence, state = coalesce(g.end_state, r.state), worked_ms = g.worked_ms,
           cost_usd = case when g.end_state is null then r.cost_usd else ${costSql('r')} + g.cost_usd end,
           running_cost_usd = case when g.end_state is null then coalesce(r.running_cost_usd, 0) + g.cost_usd end,
           run_finished_at = case when g.end_state is not null then
             least(greatest(coalesce(g.finished_at, now()), r.run_started_at), now()) end,
           updated_at = case when g.end_state is null then r.updated_at else now() end,
           recorded_at = case when g.end_state is null then now() end
      from reports g
     where r.id = g.run_id and ${mayWriteSql('r', 'g')}
    returning g.nth, r.id, r.created_at, r.project_id, r.user_id, g.first_sequence, g.last_sequence, g.events, g.sealed_contents,
              g.end_state, g.result, r.workflow_id, r.market_workflow_id, r.parent_run_id, r.scenario_run_id,
              r.cost_usd, r.commission_usd, r.run_started_at, r.run_finished_at)`;

const JOURNAL = `
  journal as (
    insert into workflow_run_journal (run_id, run_created_at, first_sequence, last_sequence, events, sealed_contents)
    select id, created_at, first_sequence, last_sequence, events, sealed_contents from updated_runs where events is not null),
  stored_results as (
    update workflow_run_payload p set result = h.result
      from updated_runs h where h.result is not null and p.run_id = h.id and p.run_created_at = h.created_at)`;

const LEDGER = `
  ledger as (${insertEntriesSql(
    'project_id, run_id, node_id, iteration, user_id, operation, status, amount_usd, reason, description, usage, service_usd',
    `select h.project_id, h.id, l."nodeId", l.iteration, h.user_id, l.operation, l.status, l."amountUsd", l.reason, nullif(l.description, l.operation), l.usage,
           l."serviceUsd"
      from updated_runs h join ${columnsTable(LEDGER_COLUMNS, 'l', FIRST_OF_LEDGER)} on l.owner = h.nth`,
  )}
    returning project_id, user_id, amount_usd, service_usd),
  ${freedSql(`b.holder = h.id and (h.end_state is not null or b.id = any($${SETTLED}::uuid[]))`, 'updated_runs h')}`;

const APPROVALS = `
  approvals as (
    insert into workflow_run_approval (id, run_id, project_id, node_id, iteration, kind, tool, arguments, details, requested_at, expires_at)
    select a.id, h.id, h.project_id, a."nodeId", a.iteration, a.kind, a.tool, a.arguments, a.details, a."requestedAt", a."expiresAt"
      from json_to_recordset($${REQUESTED_APPROVALS}::json) as a(${APPROVAL_COLUMNS}) join updated_runs h on h.id = a."runId")`;

const ENDED = '(select array_agg(id) from updated_runs where end_state is not null)';

/**
 * Returns the statement that writes reports of runs. One statement and commit covers state, journal, result,
 * ledger, settled reservations, totals, figures, webhooks, the end of the pg-boss job and notifications. Parameters: those of
 * `recordRuns`. `webhookJobs`: `WebhookOutbox.wakeSql`.
 *
 * Projects are locked in the order of their ids, so that two workers cannot deadlock. They are also locked before
 * the figures, although the figures come first in the text: PostgreSQL executes unreferenced CTEs from last to
 * first.
 *
 * The column `notified` is not used: PostgreSQL executes CTEs with a select only if the statement reads them.
 */
export function recordRunsSql({ jobs, webhookJobs }: { jobs: JobStatements; webhookJobs: string }): string {
  return `
  with reports as materialized (select * from ${columnsTable(REPORT_COLUMNS, 'g')}),
  ${UPDATED_RUNS},
  ${JOURNAL},
  ${addFiguresSql('updated_runs')},
  ${LEDGER},
  ${RAISE_TOTALS},
  ${APPROVALS},
  ended_events as (${endedRunsSql('updated_runs', `$${SR_PER_USD}`)}),
  ${deliveriesSql('ended_events')},
  ${webhookJobs},
  ${jobs.remove('jobs', ENDED)},
  notified as (select pg_notify('scenarium', payload) from unnest($${TOPICS}::text[]) as payload)
  select g.run_id as id,
         exists (select 1 from updated_runs h where h.id = g.run_id)
           or coalesce(r.lease_token = g.token and r.sequence >= g.last_sequence, false) as written,
         (select count(*) from notified) + (select count(*) from project_jobs) + (select count(*) from jobs) as notified
    from reports g left join workflow_run r on r.id = g.run_id`;
}

/** Writes reports, sorted by run id, with the statement of `recordRunsSql`. `topics`: payloads of notifications. */
export function recordRuns(
  sql: Sql,
  { text, rows, topics, srPerUsd }: { text: string; rows: readonly RecordRow[]; topics: string[]; srPerUsd: string },
): Promise<RecordedRun[]> {
  return sql.byKey('record-runs', text, [
    ...columnArrays(REPORT_COLUMNS, rows),
    ...columnArrays(LEDGER_COLUMNS, numberLedgers(rows)),
    topics,
    srPerUsd,
    rows.flatMap(({ settled }) => settled),
    JSON.stringify(rows.flatMap(({ approvals }) => approvals)),
  ]);
}
