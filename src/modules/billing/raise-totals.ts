/**
 * Charges and settles at once what the CTE `ledger` (project_id, user_id, amount_usd, service_usd) wrote and the CTE
 * `freed` (`freedColumns`) deleted. Rows are locked in one order everywhere: projects, then users, each by id.
 */
export const RAISE_TOTALS = `
  moved as (
    select project_id, user_id, amount_usd as spent, coalesce(service_usd, 0) as service_spent, 0 as freed,
           0 as project_freed, 0 as user_freed from ledger
    union all select project_id, user_id, 0, 0, amount_usd, project_service_usd, user_service_usd from freed),
  sums as (
    select project_id, sum(spent) as spent, sum(freed) as freed, sum(service_spent) as service_spent,
           sum(project_freed) as service_freed
      from moved group by project_id
    having sum(spent) <> 0 or sum(freed) <> 0 or sum(service_spent) <> 0 or sum(project_freed) <> 0),
  locked as (select id from project where id in (select project_id from sums) order by id for no key update),
  totals as (
    update project p
       set total_spent_usd = p.total_spent_usd + s.spent, reserved_usd = p.reserved_usd - s.freed,
           service_spent_usd = p.service_spent_usd + s.service_spent,
           service_reserved_usd = p.service_reserved_usd - s.service_freed
      from sums s join locked on s.project_id = locked.id where p.id = locked.id
    returning p.id),
  user_sums as (
    select user_id, sum(service_spent) as spent, sum(user_freed) as freed
      from moved where user_id is not null group by user_id having sum(service_spent) <> 0 or sum(user_freed) <> 0),
  locked_users as (
    select id from app_user
     where id in (select user_id from user_sums) and (select count(*) from totals) >= 0 order by id for no key update),
  user_totals as (
    update app_user u
       set service_spent_usd = u.service_spent_usd + s.spent, service_reserved_usd = u.service_reserved_usd - s.freed
      from locked_users l join user_sums s on s.user_id = l.id where u.id = l.id)`;

/** The columns of `budget_reservation` that the CTE `freed` returns, of the table with this alias. */
export function freedColumns(alias: string): string {
  const columns = ['project_id', 'user_id', 'amount_usd', 'project_service_usd', 'user_service_usd'];
  return columns.map(column => `${alias}.${column}`).join(', ');
}

/** The CTE `ledger` of a statement that writes no entries. */
export const NO_LEDGER = `
  ledger as (select null::int as project_id, null::int as user_id, 0::numeric as amount_usd, 0::numeric as service_usd where false)`;
