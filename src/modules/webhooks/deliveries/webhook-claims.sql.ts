import { nextTokenSql } from '../../../durable/lease-token.js';
import type { Database, Sql } from '../../../platform/database/database.js';
import { bodySql } from '../webhook-outbox.sql.js';
import type { ClaimedDelivery } from './webhook-attempt.js';

/** An attempt and the resulting state of its delivery. */
export interface AttemptOutcome {
  id: string;
  token: ClaimedDelivery['token'];
  number: number;
  state: 'pending' | 'delivered' | 'failed';
  failures: number;
  /** Seconds to the next attempt; used only in the state `pending`. */
  delay: number;
  at: Date;
  status: number | null;
  error: string | null;
  durationMs: number;
}

// Claims the oldest due deliveries of each project, up to its limit, except the active ones ($3).
// A delivery to a project's webhook uses the current URL of the webhook. Requested deliveries (tests, redeliveries) are
// sent even if the project's webhook is disabled.
const CLAIM = `
  with due as (
    select d.id from unnest($1::int[], $2::int[]) as requested(project_id, max_count)
     cross join lateral (
       select id from webhook_delivery
        where project_id = requested.project_id and state = 'pending' and next_at <= now() and id <> all($3::uuid[])
        order by next_at limit requested.max_count for update skip locked) d)
  update webhook_delivery d
     set attempts = d.attempts + 1, lease_token = ${nextTokenSql('d.lease_token')},
         url = case when d.is_to_project and p.webhook_url <> '' then p.webhook_url else d.url end
    from due, project p
   where d.id = due.id and p.id = d.project_id
  returning d.id, d.project_id as "projectId", d.url, d.is_to_project as "isToProject", ${bodySql('d')} as body, d.attempts as attempt,
            d.lease_token as token, d.failures, d.is_to_project and (p.webhook_url = '' or not (p.is_webhook_enabled or d.is_asked_for)) as "isDisabled"`;

// Writes a batch of attempts. A success goes into the row of its delivery, a failure into `webhook_attempt`.
// The lease token discards the outcome of a delivery that another process has claimed.
const RECORD = `
  with outcome as (
    select * from json_to_recordset($1::json) as o(id uuid, token bigint, number int, state text, failures int, delay float8,
      at timestamptz, status int, error text, "durationMs" int)),
  settled as (
    update webhook_delivery d
       set state = o.state, failures = o.failures,
           finished_at = case when o.state <> 'pending' then now() end,
           delivered_at = case when o.state = 'delivered' then o.at end,
           delivered_status = case when o.state = 'delivered' then o.status end,
           delivered_ms = case when o.state = 'delivered' then o."durationMs" end,
           next_at = case when o.state = 'pending' then now() + make_interval(secs => o.delay) end
      from outcome o
     where d.id = o.id and d.lease_token = o.token and d.state = 'pending'
    returning d.id, d.state, d.next_at),
  logged as (
    insert into webhook_attempt (delivery_id, number, at, status, error, duration_ms)
    select o.id, o.number, o.at, o.status, o.error, o."durationMs" from settled s join outcome o on o.id = s.id where o.state <> 'delivered')
  select id, state, next_at as "nextAt" from settled`;

/** Claims due deliveries, up to `limits` per project id, except the active ones. */
export function claimDeliveries(
  database: Database,
  limits: ReadonlyMap<number, number>,
  active: readonly string[],
): Promise<ClaimedDelivery[]> {
  return database.query(CLAIM, [[...limits.keys()], [...limits.values()], active]);
}

/** Writes the outcomes of attempts. Returns only the deliveries whose lease token was current. */
export function recordAttempts(
  sql: Sql,
  attempts: readonly AttemptOutcome[],
): Promise<{ id: string; state: string; nextAt: Date | null }[]> {
  return sql.byKey('record-webhook-attempts', RECORD, [JSON.stringify(attempts)]);
}
