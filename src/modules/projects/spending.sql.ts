/**
 * CTEs `sums`, `locked` and `totals`, which apply the CTE `moved` to the counters of projects. Its columns are project_id; spent:
 * charged amounts; freed: released reservations; service_spent and project_freed: the parts of both that count towards the operator
 * limit of the project. Rows are locked in the order of their ids. They are raw SQL, because they are parts of the statement that
 * charges.
 */
export const RAISE_PROJECT_TOTALS = `
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
    returning p.id)`;

/**
 * Returns the CTE `raised_project`, which reserves an amount on the project in the CTE `its_project` if the
 * CTE `decided` has the verdict `reserved`: no limit is exceeded. The amount counts only towards limits that are set.
 * `amount` is a placeholder such as `$1`.
 */
export function raiseProjectReservation(amount: string): string {
  return `
  raised_project as (
    update project p
       set reserved_usd = p.reserved_usd + case when q.budget_usd is null then 0 else ${amount}::numeric end,
           service_reserved_usd = p.service_reserved_usd + case when q.service_limit_usd is null then 0 else ${amount}::numeric end
      from its_project q, decided d where p.id = q.id and d.verdict = 'reserved')`;
}

/**
 * CTEs `sums` and `totals`, which add the CTE `ledger` to the spent amounts of projects and the CTE `credits`
 * (project_id, amount_usd) to their earned amounts. The caller has locked the rows.
 */
export const RAISE_EARNINGS = `
  sums as (
    select project_id, sum(spent) as spent, sum(earned) as earned
      from (select project_id, amount_usd as spent, 0 as earned from ledger
            union all select project_id, 0, amount_usd from credits) as moved
     group by project_id),
  totals as (
    update project p
       set total_spent_usd = p.total_spent_usd + s.spent, total_earned_usd = p.total_earned_usd + s.earned
      from sums s where p.id = s.project_id)`;
