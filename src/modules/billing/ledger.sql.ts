import { RAISE_USER_TOTALS } from '../accounts/users/spending.sql.js';
import { RAISE_PROJECT_TOTALS } from '../projects/spending.sql.js';

/**
 * Charges and settles at once what the CTE `ledger` (project_id, user_id, amount_usd, service_usd) wrote and the CTE
 * `freed` (`freedColumns`) deleted. Rows are locked in one order everywhere: projects, then users, each by id.
 */
export const RAISE_TOTALS = `
  moved as (
    select project_id, user_id, amount_usd as spent, coalesce(service_usd, 0) as service_spent, 0 as freed,
           0 as project_freed, 0 as user_freed from ledger
    union all select project_id, user_id, 0, 0, amount_usd, project_service_usd, user_service_usd from freed),
  ${RAISE_PROJECT_TOTALS}, ${RAISE_USER_TOTALS}`;

/** The columns of `budget_reservation` that the CTE `freed` returns, of the table with this alias. */
export function freedColumns(alias: string): string {
  const columns = ['project_id', 'user_id', 'amount_usd', 'project_service_usd', 'user_service_usd'];
  return columns.map(column => `${alias}.${column}`).join(', ');
}

/** The CTE `ledger` of a statement that writes no entries. */
export const NO_LEDGER = `
  ledger as (select null::int as project_id, null::int as user_id, 0::numeric as amount_usd, 0::numeric as service_usd where false)`;

const ONCE = 'on conflict (run_id, ledger_key(node_id, iteration, operation)) do nothing';

/**
 * Writes the entries that `select` yields: values of `columns`. `onConflict` empty: there are none of these entries, and the
 * statement does not look for them.
 */
export function insertEntriesSql(columns: string, select: string, onConflict: typeof ONCE | '' = ONCE): string {
  return `
    insert into billing_transaction (${columns})
    ${select}
    ${onConflict}`;
}

/** The CTE `freed`: deletes the reservations `b` that meet `condition`, which may name `relation` of the statement. */
export function freedSql(condition: string, relation?: string): string {
  return `
  freed as (
    delete from budget_reservation b ${relation === undefined ? '' : `using ${relation}`} where ${condition}
    returning ${freedColumns('b')})`;
}

/** The CTE `credits`: credits authors with what `select` yields: run_id, project_id, workflow_id and amount_usd. */
export function creditsSql(select: string): string {
  return `
  credits as (
    insert into billing_credit (run_id, project_id, workflow_id, amount_usd)
    ${select}
    returning project_id, amount_usd)`;
}
