import type { Sql } from '../../platform/database/database.js';
import type { WebhookEvent } from './webhook-event.js';

/**
 * CTEs that write the deliveries of `events`, a relation with the columns project_id, own_url, type, data (json) and
 * is_asked_for; `deliveries` yields their id and project_id. To be part of the statement that makes what happened true, with
 * `WebhookOutbox.wakeSql`, or before its `wake`.
 */
export function deliveriesSql(events: string): string {
  return `
  receivers as (
    select e.project_id, receiver.url, receiver.is_to_project, e.is_asked_for, e.type, e.data
      from ${events} e join project p on p.id = e.project_id
     cross join lateral (select p.webhook_url <> '' and (p.is_webhook_enabled or e.is_asked_for) as is_told) project
     cross join lateral (
       select p.webhook_url as url, true as is_to_project where project.is_told
       union all
       select e.own_url, false where e.own_url <> '' and not (project.is_told and e.own_url = p.webhook_url)) receiver),
  named as materialized (select webhook_delivery_id() as id, r.* from receivers r),
  deliveries as (
    insert into webhook_delivery (id, project_id, url, is_to_project, is_asked_for, type)
    select id, project_id, url, is_to_project, is_asked_for, type from named
    returning id, project_id),
  delivery_data as (insert into webhook_delivery_data (delivery_id, data) select id, data from named)`;
}

/** What is sent of the delivery of `row`, the same at each attempt. Deliveries of before have it in their row. */
export function bodySql(row: string): string {
  return `coalesce(${row}.body, (
    select json_build_object('type', ${row}.type, 'timestamp', ${isoSql(`${row}.created_at`)}, 'data', b.data)
      from webhook_delivery_data b where b.delivery_id = ${row}.id))`;
}

/** A moment as every answer writes it; rounded to milliseconds like the columns, which to_char would cut. */
export function isoSql(moment: string): string {
  return `to_char(${moment}::timestamptz(3) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
}

const ENQUEUE = `
  with given as (
    select "projectId" as project_id, "ownUrl" as own_url, type, data, coalesce("isAskedFor", false) as is_asked_for
      from json_to_recordset($1::json) as g("projectId" int, "ownUrl" text, type text, data json, "isAskedFor" boolean)),${deliveriesSql('given')}
  select id, project_id as "projectId" from deliveries`;

/** Writes the deliveries of events: none of an event without a receiver. */
export function enqueueDeliveries(
  sql: Sql,
  events: readonly WebhookEvent[],
): Promise<{ id: string; projectId: number }[]> {
  return sql.byKey('enqueue-webhooks', ENQUEUE, [JSON.stringify(events)]);
}
