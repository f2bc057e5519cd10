import { RAISE_USER_TOTALS } from '../accounts/users/spending.sql.js';
import { RAISE_PROJECT_TOTALS } from '../projects/spending.sql.js';

/**
 * CTEs that apply the charges of the CTE `ledger` (project_id, user_id, amount_usd, service_usd) and the
 * released reservations of the CTE `freed` (`freedColumns`) to all totals. A reservation has two amounts for provider keys of the
 * service: the part on the operator limit of the project and that on the operator limit of the user; 0 without such a limit.
 * To avoid deadlocks, all statements lock projects before users, each in the order of the ids.
 */
export const RAISE_TOTALS = `
  moved as (
    select project_id, user_id, amount_usd as spent, coalesce(service_usd, 0) as service_spent, 0 as freed,
           0 as project_freed, 0 as user_freed from ledger
    union all select project_id, user_id, 0, 0, amount_usd, project_service_usd, user_service_usd from freed),
  ${RAISE_PROJECT_TOTALS}, ${RAISE_USER_TOTALS}`;

/** Returns the columns of the CTE `freed`, selected from `budget_reservation` with this alias. */
export function freedColumns(alias: string): string {
  const columns = ['project_id', 'user_id', 'amount_usd', 'project_service_usd', 'user_service_usd'];
  return columns.map(column => `${alias}.${column}`).join(', ');
}

/** The CTE `ledger` for a statement that writes no ledger rows. */
export const NO_LEDGER = `
  ledger as (select null::int as project_id, null::int as user_id, 0::numeric as amount_usd, 0::numeric as service_usd where false)`;

const ONCE = 'on conflict (run_id, ledger_key(node_id, iteration, operation)) do nothing';

/**
 * Returns the CTEs `owning_projects` and `owning_users` (id), which lock the projects and users of ledger rows that still exist. Both
 * parameters are lists or subqueries of ids. The ledger has no foreign keys, because they lock project and user for each row. A
 * statement that inserts rows must therefore either lock the row of the run, from which it takes both ids, or use these CTEs.
 */
export function ownersSql(projectIds: string, userIds: string): string {
  return `
  owning_projects as materialized (select id from project where id in (${projectIds}) order by id for key share),
  owning_users as materialized (select id from app_user where id in (${userIds}) order by id for key share)`;
}

/**
 * Returns the INSERT of ledger rows. `select` returns the values of `columns`; see `ownersSql` for those of `project_id` and
 * `user_id`. An empty `onConflict` skips the check for duplicates, for rows that cannot exist yet.
 */
export function insertEntriesSql(columns: string, select: string, onConflict: typeof ONCE | '' = ONCE): string {
  return `
    insert into billing_transaction (${columns})
    ${select}
    ${onConflict}`;
}

/**
 * Returns the CTE `freed`, which deletes the reservations `b` that match `condition`. The condition may refer
 * to `relation`.
 */
export function freedSql(condition: string, relation?: string): string {
  return `
  freed as (
    delete from budget_reservation b ${relation === undefined ? '' : `using ${relation}`} where ${condition}
    returning ${freedColumns('b')})`;
}

/**
 * Returns the CTE `credits`, which credits commissions to authors. `select` returns run_id, project_id,
 * workflow_id and amount_usd.
 */
export function creditsSql(select: string): string {
  return `
  credits as (
    insert into billing_credit (run_id, project_id, workflow_id, amount_usd)
    ${select}
    returning project_id, amount_usd)`;
}
