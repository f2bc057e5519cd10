import type { Sql } from '../../../platform/database/database.js';
import { creditsSql, insertEntriesSql } from '../../billing/ledger.sql.js';
import { RAISE_EARNINGS } from '../../projects/spending.sql.js';
import { costSql } from '../history/workflow-run.js';

/** SQL condition: a report `given` (token, first_sequence, end_state) may be written to the row `run`. */
export function mayWriteSql(run: string, given: string): string {
  return `${run}.lease_token = ${given}.token and ${run}.sequence = ${given}.first_sequence - 1
       and (${run}.state = 'running' or (${given}.end_state = 'cancelled' and ${run}.run_finished_at is null))`;
}

// A run counts towards the free runs if it succeeded, or if it cost anything.
const LOCK_RUNS = `
  select r.id, w.project_id as "authorsProjectId"
    from unnest($1::uuid[], $2::bigint[], $3::int[], $4::text[], $5::numeric[])
      as g(run_id, token, first_sequence, end_state, cost_usd)
    join workflow_run r on r.id = g.run_id
    join workflow w on w.id = r.market_workflow_id
   where ${mayWriteSql('r', 'g')} and r.run_started_at is not null
     and (g.end_state = 'succeeded' or ${costSql('r')} + g.cost_usd > 0)
   order by r.id for no key update of r`;

// The counter row serializes the runs of one user, so that concurrent ends see each other's count. `place` is the number of a
// run among those that count, from 1. A run without a user has none and always pays. `run_fee` is in percent.
const CHARGE_FEES = `
  with due as (
    select r.id, r.project_id, r.user_id, r.market_workflow_id, r.run_fee, r.free_runs, ${costSql('r')} + g.cost_usd as ai_cost
      from unnest($1::uuid[], $2::numeric[]) as g(run_id, cost_usd) join workflow_run r on r.id = g.run_id),
  counted as (
    insert into marketplace_use as u (workflow_id, user_id, counted_runs)
    select market_workflow_id, user_id, count(*) from due where user_id is not null
     group by market_workflow_id, user_id order by market_workflow_id, user_id
    on conflict (workflow_id, user_id) do update set counted_runs = u.counted_runs + excluded.counted_runs
    returning workflow_id, user_id, counted_runs),
  placed as (
    select d.*, c.counted_runs - count(*) over who + row_number() over (who order by d.id) as place
      from due d left join counted c on c.workflow_id = d.market_workflow_id and c.user_id = d.user_id
    window who as (partition by d.market_workflow_id, d.user_id)),
  billed as (
    select *, ai_cost * run_fee * 0.01 as commission from placed
     where coalesce(place > free_runs, true) and ai_cost * run_fee > 0),
  ledger as (${insertEntriesSql(
    'project_id, run_id, node_id, user_id, operation, status, amount_usd, reason, description',
    `select b.project_id, b.id, '', b.user_id, 'commission', 'Success', b.commission,
           'Marketplace fee: ' || b.run_fee || '% of the AI cost.', w.market_title
      from billed b join workflow w on w.id = b.market_workflow_id`,
  )}
    returning run_id, project_id, amount_usd),
  ${creditsSql(
    `select l.run_id, w.project_id, w.id, l.amount_usd
      from ledger l join billed b on b.id = l.run_id join workflow w on w.id = b.market_workflow_id`,
  )},
  ${RAISE_EARNINGS}
  update workflow_run r set commission_usd = l.amount_usd, cost_usd = r.cost_usd + l.amount_usd
    from ledger l where r.id = l.run_id`;

/** The end of a run that may be subject to a fee. */
export interface FeeRow {
  runId: string;
  token: number;
  firstSequence: number;
  endState: string;
  costUsd: string;
}

/** Locks the runs that count, in the order of their ids. `ends` must have the same order. */
export function lockChargedRuns(
  sql: Sql,
  ends: readonly FeeRow[],
): Promise<{ id: string; authorsProjectId: number }[]> {
  return sql.query(LOCK_RUNS, [
    ends.map(({ runId }) => runId),
    ends.map(({ token }) => token),
    ends.map(({ firstSequence }) => firstSequence),
    ends.map(({ endState }) => endState),
    ends.map(({ costUsd }) => costUsd),
  ]);
}

/** Counts and charges locked runs. The paying and the earning projects must be locked too. */
export async function chargeLockedRuns(sql: Sql, runs: readonly Pick<FeeRow, 'runId' | 'costUsd'>[]): Promise<void> {
  await sql.query(CHARGE_FEES, [runs.map(({ runId }) => runId), runs.map(({ costUsd }) => costUsd)]);
}
