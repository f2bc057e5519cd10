/** Charges and settles what the CTEs `ledger` and `freed` wrote and deleted, both (project_id, amount_usd), at once. */
export const RAISE_TOTALS = `
  sums as (
    select project_id, sum(spent) as spent, sum(freed) as freed
      from (select project_id, amount_usd as spent, 0 as freed from ledger
            union all select project_id, 0, amount_usd from freed) as moved
     group by project_id having sum(spent) <> 0 or sum(freed) <> 0),
  locked as (select id from project where id in (select project_id from sums) order by id for no key update),
  totals as (
    update project p set total_spent_usd = p.total_spent_usd + s.spent, reserved_usd = p.reserved_usd - s.freed
      from locked join sums s on s.project_id = locked.id where p.id = locked.id)`;
