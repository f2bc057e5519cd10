import { randomUUID } from 'node:crypto';
import type { Database } from '../../base/database.js';
import { failpoint } from '../../base/failpoint.js';
import { PortError } from '../../engine/ports.js';

/** A reservation that nobody settled or released is dropped after this. */
const RESERVATION_SECONDS = 3_600;

// The counters stand on the project's row, so that a caller that waited for it decides by what is there now; a sum over
// the reservations would be as old as the statement. Raised only if there was a limit when the statement began: nobody
// locks the row of a project that has none.
const RESERVE = `
  with lost as (
    select from workflow_run where id = $4::uuid and lease_token <> $5::bigint
    union all select from scenario_run where billing_id = $4::uuid and lease_token <> $5::bigint
    union all select from keyword_run where billing_id = $4::uuid and lease_token <> $5::bigint),
  raised as (
    update project set reserved_usd = reserved_usd + $3::numeric
     where id = (select id from project where id = $2 and budget_usd is not null) and not exists (select from lost)
       and (budget_usd is null or total_spent_usd + reserved_usd + $3::numeric <= budget_usd)
    returning id),
  kept as (
    insert into budget_reservation (id, project_id, holder, amount_usd, expires_at)
    select $1::uuid, id, $4::uuid, $3::numeric, now() + make_interval(secs => ${RESERVATION_SECONDS}) from raised
    returning id)
  select p.budget_usd is not null as "isLimited", exists (select 1 from kept) as "isKept",
         exists (select from lost) as "isLost"
    from project p where p.id = $2`;

/** Lowers the counters by what the CTE `freed (project_id, amount_usd)` has deleted; projects are locked by their ids' order. */
const LOWER = `
  sums as (select project_id, sum(amount_usd) as amount from freed group by project_id),
  locked as (select id from project where id in (select project_id from sums) order by id for no key update)
  update project p set reserved_usd = p.reserved_usd - s.amount
    from locked join sums s on s.project_id = locked.id where p.id = locked.id`;

const RELEASE = `
  with freed as (delete from budget_reservation where id = any($1::uuid[]) returning project_id, amount_usd), ${LOWER}`;

// What a run holds is the run's own affair until it has ended, however long it waits.
const EXPIRE = `
  with due as (
    select id from budget_reservation b
     where expires_at < now() and not exists (
       select 1 from workflow_run r where r.id = b.holder and r.state not in ('succeeded', 'failed', 'cancelled'))
       and not exists (
       select 1 from scenario_run s where s.billing_id = b.holder and s.status in ('created', 'in_progress'))
       and not exists (
       select 1 from keyword_run k where k.billing_id = b.holder and k.status in ('created', 'in_progress'))
     for update skip locked),
  freed as (delete from budget_reservation where id in (select id from due) returning project_id, amount_usd), ${LOWER}`;

const REPLACE = `
  with dropped as (delete from budget_reservation where holder = $2::uuid returning amount_usd),
  kept as (
    insert into budget_reservation (id, project_id, holder, amount_usd, expires_at)
    select g.id, p.id, $2::uuid, g.amount, now() + make_interval(secs => ${RESERVATION_SECONDS})
      from unnest($3::uuid[], $4::numeric[]) as g(id, amount) join project p on p.id = $1 and p.budget_usd is not null
    returning amount_usd),
  difference as (
    select (select coalesce(sum(amount_usd), 0) from kept) - (select coalesce(sum(amount_usd), 0) from dropped) as amount)
  update project p set reserved_usd = p.reserved_usd + d.amount from difference d where p.id = $1 and d.amount <> 0`;

/**
 * Spending limits of projects. A paid call reserves what it may cost before it is made; the statement that writes its
 * cost on the ledger settles the reservation. What is spent and what is reserved never exceed the limit together.
 */
export class Budget {
  constructor(private readonly database: Database) {}

  /**
   * Sets an amount of US dollars aside for a call of `holder` (a run's id, or another caller's). Answers the
   * reservation's id; null: nothing is to be reserved. Throws the PortError `budget_exceeded` past the limit, and
   * `lease_lost` when `token`, of a holder that has one, is not the holder's any more: whoever has it makes the call.
   */
  async reserve(projectId: number, holder: string, estimateUsd: string, token?: number): Promise<string | null> {
    if (Number(estimateUsd) === 0) return null;
    const id = randomUUID();
    const [project] = await this.database.query<{ isLimited: boolean; isKept: boolean; isLost: boolean }>(RESERVE, [
      id,
      projectId,
      estimateUsd,
      holder,
      token ?? null,
    ]);
    failpoint('reserve.after');
    if (project?.isLost) throw new PortError('lease_lost', 'Another worker has taken the run over.', undefined, true);
    if (project?.isKept) return id;
    if (!project?.isLimited) return null;
    const message = 'What is left of the spending limit of the project does not cover this call.';
    throw new PortError('budget_exceeded', message, undefined, true);
  }

  /** Gives back what was reserved for calls that cost nothing. Harmless when that has happened. */
  async release(...ids: string[]): Promise<void> {
    await this.database.query(RELEASE, [ids]);
  }

  /**
   * Puts these reservations in the place of all that `holder` has, without asking whether they fit: for costs that have
   * arisen already and are not on the ledger yet. Answers their ids in order.
   */
  async replace(projectId: number, holder: string, amountsUsd: string[]): Promise<string[]> {
    const ids = amountsUsd.map(() => randomUUID());
    await this.database.query(REPLACE, [projectId, holder, ids, amountsUsd]);
    return ids;
  }

  /** Drops reservations whose time has passed. Safe beside itself in another process. */
  async expire(): Promise<void> {
    await this.database.query(EXPIRE);
  }

  /** Whether the limit is spent: nothing new is begun then. */
  async isSpent(projectId: number): Promise<boolean> {
    const [project] = await this.database.query<{ isSpent: boolean }>(
      `select ${budgetIsSpentSql('p')} as "isSpent" from project p where p.id = $1`,
      [projectId],
    );
    return project?.isSpent ?? false;
  }
}

/** SQL condition on a row of `project`: its limit is spent. */
export function budgetIsSpentSql(project: string): string {
  return `(${project}.budget_usd is not null and ${project}.total_spent_usd >= ${project}.budget_usd)`;
}
