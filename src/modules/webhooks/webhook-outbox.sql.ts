import type { Sql } from '../../platform/database/database.js';
import type { WebhookEvent } from './webhook-event.js';

/**
 * CTEs that write the deliveries of `events`, a relation with the columns project_id, own_url, type, data (json) and
 * is_asked_for. The CTE `deliveries` returns id and project_id. Use it in the statement that records the event, and enqueue
 * the projects with `WebhookOutbox.wakeSql` or `WebhookOutbox.wake` in the same transaction. `identified` is materialized, so that
 * both insertions use the same new ids.
 */
export function deliveriesSql(events: string): string {
  return `
  receivers as (
    select e.project_id, receiver.url, receiver.is_to_project, e.is_asked_for, e.type, e.data
      from ${events} e join project p on p.id = e.project_id
     cross join lateral (select p.webhook_url <> '' and (p.is_webhook_enabled or e.is_asked_for) as is_notified) project
     cross join lateral (
       select p.webhook_url as url, true as is_to_project where project.is_notified
       union all
       select e.own_url, false where e.own_url <> '' and not (project.is_notified and e.own_url = p.webhook_url)) receiver),
  identified as materialized (select webhook_delivery_id() as id, r.* from receivers r),
  deliveries as (
    insert into webhook_delivery (id, project_id, url, is_to_project, is_asked_for, type)
    select id, project_id, url, is_to_project, is_asked_for, type from identified
    returning id, project_id),
  delivery_data as (insert into webhook_delivery_data (delivery_id, data) select id, data from identified)`;
}

/** The body of the delivery in `row`, identical at each attempt. Old deliveries have it in the column `body`. */
export function bodySql(row: string): string {
  return `coalesce(${row}.body, (
    select json_build_object('type', ${row}.type, 'timestamp', ${isoSql(`${row}.created_at`)}, 'data', b.data)
      from webhook_delivery_data b where b.delivery_id = ${row}.id))`;
}

/** A timestamp in the ISO 8601 format of all responses. It is rounded to milliseconds first, because to_char truncates. */
export function isoSql(moment: string): string {
  return `to_char(${moment}::timestamptz(3) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
}

const ENQUEUE = `
  with event as (
    select "projectId" as project_id, "ownUrl" as own_url, type, data, coalesce("isRequested", false) as is_asked_for
      from json_to_recordset($1::json) as g("projectId" int, "ownUrl" text, type text, data json, "isRequested" boolean)),${deliveriesSql('event')}
  select id, project_id as "projectId" from deliveries`;

/** Writes the deliveries of events. An event without a receiver has none. */
export function enqueueDeliveries(
  sql: Sql,
  events: readonly WebhookEvent[],
): Promise<{ id: string; projectId: number }[]> {
  return sql.byKey('enqueue-webhooks', ENQUEUE, [JSON.stringify(events)]);
}
