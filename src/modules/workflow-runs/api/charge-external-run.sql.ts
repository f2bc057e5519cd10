import type { Sql } from '../../../platform/database/database.js';
import { columnArrays, columnsTable } from '../../../platform/sql/column-arrays.js';
import { freedColumns, insertEntriesSql, RAISE_TOTALS } from '../../billing/ledger.sql.js';
import { LEDGER_COLUMNS, type LedgerRow, numberLedgers } from '../journal/run-ledger.js';

/** External runs reserve nothing, so `freed`, which the totals require, is empty. */
const CHARGE = `
  with ledger as (${insertEntriesSql(
    'project_id, run_id, node_id, iteration, user_id, operation, status, amount_usd, reason, description, usage, service_usd',
    `select r.project_id, r.id, l."nodeId", l.iteration, r.user_id, l.operation, l.status, l."amountUsd", l.reason, nullif(l.description, l.operation), l.usage, l."serviceUsd"
      from workflow_run r, ${columnsTable(LEDGER_COLUMNS, 'l', 2)}
     where r.id = $1`,
  )}
    returning project_id, user_id, amount_usd, service_usd),
  freed as (select ${freedColumns('b')} from budget_reservation b where false),
  ${RAISE_TOTALS}
  update workflow_run set cost_usd = cost_usd + (select coalesce(sum(amount_usd), 0) from ledger) where id = $1`;

/**
 * Writes ledger rows of an external run without events. The row of the run must be locked. One statement charges
 * the run and increases the totals.
 */
export async function chargeExternalRun(sql: Sql, runId: string, rows: readonly LedgerRow[]): Promise<void> {
  await sql.query(CHARGE, [runId, ...columnArrays(LEDGER_COLUMNS, numberLedgers([{ ledger: rows }]))]);
}
