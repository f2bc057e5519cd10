/**
 * CTEs that apply the CTE `moved` (user_id, service_spent, user_freed) to the counters of users. The condition on the
 * count of `totals`, which is always true, makes them lock users after projects, and both in the order of their ids.
 * They are raw SQL, because they are parts of the statement that charges.
 */
export const RAISE_USER_TOTALS = `
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

/**
 * Returns the CTE `raised_user`, which reserves an amount on the user in the CTE `its_user` if the verdict of
 * the CTE `decided` is `reserved`. `amount` is a placeholder such as `$1`.
 */
export function raiseUserReservation(amount: string): string {
  return `
  raised_user as (
    update app_user u set service_reserved_usd = u.service_reserved_usd + ${amount}::numeric
      from its_user q, decided d where u.id = q.id and d.verdict = 'reserved')`;
}
