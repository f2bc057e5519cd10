import { addDeadLetters, type NewDeadLetter } from '../../../durable/dead-letters.js';
import { nextTokenSql } from '../../../durable/lease-token.js';
import type { Queue } from '../../../durable/queue.js';
import type { Database, Sql } from '../../../platform/database/database.js';
import { isRetryableDatabaseError } from '../../../platform/database/database-errors.js';
import { Batcher } from '../../../platform/sql/batcher.js';
import { bodySql, type WebhookOutbox } from '../webhook-outbox.js';
import type { RetrySchedule } from './retry-schedule.js';
import type { Attempt, TakenDelivery } from './webhook-attempt.js';

const IS_DUE = `state = 'pending' and next_at <= now()`;

// Oldest first, as many of each project as it has room for, without those under way ($3).
// Deliveries to a project go to where its webhook points now.
const CLAIM = `
  with due as (
    select d.id from unnest($1::int[], $2::int[]) as wanted(project_id, room)
     cross join lateral (
       select id from webhook_delivery
        where project_id = wanted.project_id and ${IS_DUE} and id <> all($3::uuid[])
        order by next_at limit wanted.room for update skip locked) d)
  update webhook_delivery d
     set attempts = d.attempts + 1, lease_token = ${nextTokenSql('d.lease_token')},
         url = case when d.is_to_project and p.webhook_url <> '' then p.webhook_url else d.url end
    from due, project p
   where d.id = due.id and p.id = d.project_id
  returning d.id, d.project_id as "projectId", d.url, d.is_to_project as "isToProject", ${bodySql('d')} as body, d.attempts as attempt,
            d.lease_token as token, d.failures, d.is_to_project and (p.webhook_url = '' or not (p.is_webhook_enabled or d.is_asked_for)) as "isOff"`;

// Attempts that end together are written by one statement, the last of a delivery that succeeded into its row; one that another process took over writes nothing.
const SETTLE = `
  with given as (
    select * from json_to_recordset($1::json) as g(id uuid, token bigint, number int, state text, failures int, delay float8,
      at timestamptz, status int, error text, "durationMs" int)),
  settled as (
    update webhook_delivery d
       set state = g.state, failures = g.failures,
           finished_at = case when g.state <> 'pending' then now() end,
           delivered_at = case when g.state = 'delivered' then g.at end,
           delivered_status = case when g.state = 'delivered' then g.status end,
           delivered_ms = case when g.state = 'delivered' then g."durationMs" end,
           next_at = case when g.state = 'pending' then now() + make_interval(secs => g.delay) end
      from given g
     where d.id = g.id and d.lease_token = g.token and d.state = 'pending'
    returning d.id, d.state, d.next_at),
  logged as (
    insert into webhook_attempt (delivery_id, number, at, status, error, duration_ms)
    select g.id, g.number, g.at, g.status, g.error, g."durationMs" from settled s join given g on g.id = s.id where g.state <> 'delivered')
  select id, state, next_at as "nextAt" from settled`;

/** Attempts written by one statement, and statements at the same time. */
const SETTLED_AT_ONCE = 100;
const SETTLING_LANES = 2;

interface Ending {
  delivery: TakenDelivery;
  attempt: Attempt;
}

const SWITCH_OFF = `
  update project set is_webhook_enabled = false, updated_at = now() where id = $1 and webhook_url = $2 and is_webhook_enabled`;

const DUE_OF = `select distinct project_id as "projectId" from webhook_delivery where project_id = any($1::int[]) and ${IS_DUE}`;

/** Those of the projects that have deliveries which are due. */
export async function withDueDeliveries(sql: Sql, projectIds: readonly number[]): Promise<number[]> {
  const rows = await sql.query<{ projectId: number }>(DUE_OF, [projectIds]);
  return rows.map(row => row.projectId);
}

/** Deliveries by the database's clock: which are attempted, and the outcome. Only the holder of a project's job claims its deliveries. */
export class WebhookClaims {
  /** A fault of one ending must not be that of the others. */
  readonly #settling = new Batcher<Ending, undefined>(endings => this.#settle(endings), {
    lanes: SETTLING_LANES,
    maxBatch: SETTLED_AT_ONCE,
    isolate: error => !isRetryableDatabaseError(error),
  });

  constructor(
    private readonly database: Database,
    private readonly queue: Queue,
    private readonly outbox: WebhookOutbox,
    private readonly schedule: RetrySchedule,
  ) {}

  /** Takes due deliveries of projects, of each as many as it has room for, but none of `underWay`. */
  claim(rooms: ReadonlyMap<number, number>, underWay: Iterable<string> = []): Promise<TakenDelivery[]> {
    return this.database.query<TakenDelivery>(CLAIM, [[...rooms.keys()], [...rooms.values()], [...underWay]]);
  }

  /** Writes down what became of an attempt, and sends the job of the next one. */
  settle(delivery: TakenDelivery, attempt: Attempt): Promise<void> {
    return this.#settling.add({ delivery, attempt });
  }

  async #settle(endings: Ending[]): Promise<undefined[]> {
    const rows = endings.map(ending => this.#rowOf(ending));
    const byId = new Map(endings.map(ending => [ending.delivery.id, ending]));
    await this.database.transaction(async sql => {
      const settled = await sql.query<{ id: string; state: string; nextAt: Date | null }>(SETTLE, [
        JSON.stringify(rows),
      ]);
      const wakeUps = new Map<string, { projectId: number; at: Date }>();
      for (const { id, nextAt } of settled) {
        const { delivery, attempt } = byId.get(id)!;
        const { projectId } = delivery;
        // One wake-up for those of a project that are due within the same second, when the last of them is.
        const key = nextAt ? `${projectId} ${Math.floor(nextAt.getTime() / 1000)}` : '';
        const known = wakeUps.get(key);
        if (nextAt && !(known && known.at >= nextAt)) wakeUps.set(key, { projectId, at: nextAt });
        if (attempt.verdict === 'gone' && delivery.isToProject) await sql.query(SWITCH_OFF, [projectId, delivery.url]);
      }
      const letters = settled.flatMap(({ id, state }) => (state === 'failed' ? [deadLetterOf(byId.get(id)!)] : []));
      await addDeadLetters(this.queue, 'webhook', letters, sql);
      for (const { projectId, at } of wakeUps.values()) await this.outbox.wakeLater(projectId, sql, at);
    });
    return endings.map(() => undefined);
  }

  #rowOf({ delivery, attempt }: Ending) {
    const { id, token, attempt: number } = delivery;
    const { at, status, error, durationMs, verdict, retryAfterSeconds } = attempt;
    const failures = verdict === 'delivered' ? delivery.failures : delivery.failures + 1;
    const delay = verdict === 'retry' ? this.schedule.after(failures, retryAfterSeconds) : null;
    const state = verdict === 'delivered' ? 'delivered' : delay === null ? 'failed' : 'pending';
    return { id, token, number, state, failures, delay: delay ?? 0, at, status, error, durationMs };
  }
}

/** A delivery that is given up. */
function deadLetterOf({ delivery, attempt }: Ending): NewDeadLetter {
  const { id, projectId } = delivery;
  return { id, projectId, subjectId: id, error: attempt.error ?? '' };
}
