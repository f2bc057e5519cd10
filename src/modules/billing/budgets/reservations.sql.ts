import type { Database, Sql } from '../../../platform/database/database.js';
import { raiseUserReservation } from '../../accounts/users/spending.sql.js';
import { raiseProjectReservation } from '../../projects/spending.sql.js';
import { freedColumns, NO_LEDGER, RAISE_TOTALS } from '../ledger.sql.js';
import type { DefaultLimits } from './default-limits.js';

/** The lifetime of a reservation that is neither settled nor released. */
const RESERVATION_SECONDS = 3_600;
/** A SQL expression for the expiry of a new reservation. */
export const EXPIRES_AT = `now() + make_interval(secs => ${RESERVATION_SECONDS})`;

/**
 * Returns a SQL expression for the operator limit of a row, with the placeholder `standard` as the default.
 * Null: unlimited.
 */
const effectiveLimit = (row: string, standard: string) => `coalesce(${row}service_limit_usd, ${standard}::numeric)`;

/**
 * Returns a SQL query for the payer: `user`, or the user who started the run `holder` if `user` is null. Both
 * are placeholders.
 */
const payerSql = (holder: string, user: string) => `
  select ${user}::int as id where ${user}::int is not null
  union all select user_id from workflow_run where id = ${holder}::uuid and ${user}::int is null
  union all select user_id from scenario_run where billing_id = ${holder}::uuid and ${user}::int is null
  union all select user_id from keyword_run where billing_id = ${holder}::uuid and ${user}::int is null
  union all select h.user_id from rehearsal_run x join rehearsal h on h.id = x.rehearsal_id
             where x.id = ${holder}::uuid and ${user}::int is null`;

/**
 * The outcome of a reservation. `not-required`: no limit applies; `lease-lost`: another worker has the
 * lease. The others name the limit that refused it; `-barred` means a limit of 0.
 */
export type ReservationOutcome =
  | 'lease-lost'
  | 'budget'
  | 'project'
  | 'project-barred'
  | 'user'
  | 'user-barred'
  | 'reserved'
  | 'not-required';

// One statement checks all limits and raises either every counter or none. The counters are columns of the
// locked rows, so that a caller that waited for the lock sees their current values. A sum over the reservations
// would use the older snapshot of the statement. Rows without a limit are not locked. The project is locked
// before the user, as in RAISE_TOTALS, to avoid deadlocks: the condition on `its_project`, which is always true, makes
// the CTEs run in this order. Parameters: $1 id, $2 project, $3 amount, $4 holder,
// $5 token, $6 whether a key of the service pays, $7 user, $8 and $9 default limits of users and projects.
const RESERVE = `
  with lost as (
    select from workflow_run where id = $4::uuid and lease_token <> $5::bigint
    union all select from scenario_run where billing_id = $4::uuid and lease_token <> $5::bigint
    union all select from keyword_run where billing_id = $4::uuid and lease_token <> $5::bigint
    union all select from rehearsal_run x join rehearsal h on h.id = x.rehearsal_id
               where x.id = $4::uuid and h.lease_token <> $5::bigint),
  its_project as materialized (
    select id, case when $3::numeric > 0 then budget_usd end as budget_usd, total_spent_usd + reserved_usd as used,
           case when $6::boolean then ${effectiveLimit('', '$9')} end as service_limit_usd, service_spent_usd, service_reserved_usd
      from project
     where id = $2::int and not exists (select from lost)
       and ((budget_usd is not null and $3::numeric > 0) or ($6::boolean and ${effectiveLimit('', '$9')} is not null))
       for no key update),
  its_user as materialized (
    select id, ${effectiveLimit('', '$8')} as service_limit_usd, service_spent_usd, service_reserved_usd
      from app_user
     where $6::boolean and id in (${payerSql('$4', '$7')}) and ${effectiveLimit('', '$8')} is not null
       and not exists (select from lost) and (select count(*) from its_project) >= 0
       for no key update),
  decided as (
    select case
      when exists (select from lost) then 'lease-lost'
      when exists (select from its_project where used + $3::numeric > budget_usd) then 'budget'
      when exists (select from its_project where service_limit_usd = 0) then 'project-barred'
      when exists (select from its_user where service_limit_usd = 0) then 'user-barred'
      when exists (select from its_project where service_spent_usd >= service_limit_usd
        or service_spent_usd + service_reserved_usd + $3::numeric > service_limit_usd) then 'project'
      when exists (select from its_user where service_spent_usd >= service_limit_usd
        or service_spent_usd + service_reserved_usd + $3::numeric > service_limit_usd) then 'user'
      when $3::numeric > 0 and (exists (select from its_project) or exists (select from its_user)) then 'reserved'
      else 'not-required' end as verdict),
  ${raiseProjectReservation('$3')}, ${raiseUserReservation('$3')},
  kept as (
    insert into budget_reservation
      (id, project_id, holder, amount_usd, project_service_usd, user_id, user_service_usd, expires_at)
    select $1::uuid, q.id, $4::uuid, case when q.budget_usd is null then 0 else $3::numeric end,
           case when q.service_limit_usd is null then 0 else $3::numeric end, u.id,
           case when u.id is null then 0 else $3::numeric end, ${EXPIRES_AT}
      from decided d left join its_project q on true left join its_user u on true where d.verdict = 'reserved')
  select verdict from decided`;

// Applies the reservations in the CTE `freed` to the totals, as the end of a statement.
const LOWER_TOTALS = `${NO_LEDGER}, ${RAISE_TOTALS} select 1`;

const RELEASE = `
  with freed as (delete from budget_reservation b where b.id = any($1::uuid[]) returning ${freedColumns('b')}), ${LOWER_TOTALS}`;

// Reservations of a run that has not ended do not expire, because a run may wait for days.
const EXPIRE = `
  with due as (
    select id from budget_reservation b
     where expires_at < now() and not exists (
       select 1 from workflow_run r where r.id = b.holder and r.state not in ('succeeded', 'failed', 'cancelled'))
       and not exists (
       select 1 from scenario_run s where s.billing_id = b.holder and s.status in ('created', 'in_progress'))
       and not exists (
       select 1 from keyword_run k where k.billing_id = b.holder and k.status in ('created', 'in_progress'))
       and not exists (
       select 1 from rehearsal_run x join rehearsal h on h.id = x.rehearsal_id
        where x.id = b.holder and h.state in ('queued', 'running'))
     for update skip locked),
  freed as (delete from budget_reservation b where b.id in (select id from due) returning ${freedColumns('b')}), ${LOWER_TOTALS}`;

// Parameters: $1 project, $2 holder, $3 ids, $4 amounts, $5 whether a key of the service paid each amount, $6
// and $7 default limits of users and projects. New reservations are applied as freed ones with a negative amount.
const REPLACE = `
  with dropped as (delete from budget_reservation b where b.holder = $2::uuid returning ${freedColumns('b')}),
  kept as (
    insert into budget_reservation
      (id, project_id, holder, amount_usd, project_service_usd, user_id, user_service_usd, expires_at)
    select g.id, p.id, $2::uuid, case when p.budget_usd is null then 0 else g.amount end,
           case when g.is_service and ${effectiveLimit('p.', '$7')} is not null then g.amount else 0 end, u.id,
           case when g.is_service and ${effectiveLimit('u.', '$6')} is not null then g.amount else 0 end, ${EXPIRES_AT}
      from unnest($3::uuid[], $4::numeric[], $5::boolean[]) as g(id, amount, is_service)
      join project p on p.id = $1
      left join app_user u on u.id in (${payerSql('$2', 'null')})
     where p.budget_usd is not null
        or (g.is_service and (${effectiveLimit('p.', '$7')} is not null or ${effectiveLimit('u.', '$6')} is not null))
    returning ${freedColumns('budget_reservation')}),
  freed as (
    select ${freedColumns('d')} from dropped d
    union all select project_id, user_id, -amount_usd, -project_service_usd, -user_service_usd from kept), ${LOWER_TOTALS}`;

/** A reservation for a call. */
interface Reservation {
  id: string;
  projectId: number | null;
  amountUsd: string;
  /** The id of the run that makes the call, or of another caller. */
  holder: string;
  /** The fencing token of the run. Null for other callers. */
  token: number | null;
  /** Whether a provider key of the service pays. */
  isService: boolean;
  /** The user who pays. Null: the user who started the run. */
  userId: number | null;
}

/**
 * Reserves an amount on every limit that applies to a call, or on none. Uses one prepared statement, because the call
 * waits for it: planning it takes longer than executing it.
 */
export async function reserve(
  database: Database,
  reservation: Reservation,
  defaults: DefaultLimits,
): Promise<ReservationOutcome> {
  const { id, projectId, amountUsd, holder, token, isService, userId } = reservation;
  const [row] = await database.prepared<{ verdict: ReservationOutcome }>('reserve', RESERVE, [
    ...[id, projectId, amountUsd, holder, token, isService, userId],
    ...[defaults.userUsd, defaults.projectUsd],
  ]);
  return row!.verdict;
}

export async function releaseReservations(database: Database, ids: readonly string[]): Promise<void> {
  await database.prepared('release-reservations', RELEASE, [ids]);
}

export async function releaseExpiredReservations(sql: Sql): Promise<void> {
  await sql.query(EXPIRE);
}

/** Reservations for incurred costs. The arrays are parallel. */
interface Replacement {
  projectId: number;
  holder: string;
  ids: readonly string[];
  amountsUsd: readonly string[];
  isService: readonly boolean[];
}

/** Replaces all reservations of a holder without checking limits. */
export async function replaceReservations(sql: Sql, replacement: Replacement, defaults: DefaultLimits): Promise<void> {
  const { projectId, holder, ids, amountsUsd, isService } = replacement;
  await sql.query(REPLACE, [projectId, holder, ids, amountsUsd, isService, defaults.userUsd, defaults.projectUsd]);
}
