import type { ProjectJobs } from '../../durable/project-jobs.js';
import type { Queue } from '../../durable/queue.js';
import type { Sql } from '../../platform/database/database.js';

/** The queue of projects that have deliveries which are due: one job for each. */
export const WEBHOOK_PROJECT_QUEUE = 'webhook-project';
/** The queue of retries: each deferred job says when a project has deliveries that are due again. */
export const WEBHOOK_RETRY_QUEUE = 'webhook-delivery';
/** The channel that tells the process which sends a project's deliveries of new ones: the id of the project. */
export const WEBHOOK_CHANNEL = 'scenarium_webhooks';

export interface WebhookRetry {
  projectId: number;
}

/** Something that happened in a project, to be told to its receivers. Secrets in `data` are masked. */
export interface WebhookEvent {
  projectId: number;
  /** For example `workflow_run.succeeded`. */
  type: string;
  /** JSON, its members in snake case. */
  data: unknown;
  /** A receiver of the event's own: told whatever the project's switch says, and beside the project's receiver. */
  ownUrl?: string | null;
  /** Somebody asked for it now: the project's receiver is told although the switch is off. */
  isAskedFor?: boolean;
}

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
  select id, project_id from deliveries`;

/** Takes in what is to be told: a delivery exists if and only if the transaction that wrote it commits. */
export class WebhookOutbox {
  constructor(
    private readonly queue: Queue,
    private readonly projects: Pick<ProjectJobs, 'add' | 'addSql'>,
  ) {}

  /** Writes the deliveries of events within the caller's transaction; answers their ids. Nobody to tell: none. */
  async enqueue(sql: Sql, events: WebhookEvent[]): Promise<string[]> {
    const rows = await sql.query<{ id: string; project_id: number }>(ENQUEUE, [JSON.stringify(events)]);
    await this.wake(
      rows.map(row => row.project_id),
      sql,
    );
    return rows.map(row => row.id);
  }

  /** Ensures that the deliveries of projects which are due now are sent, in the transaction that wrote them. */
  wake(projectIds: readonly number[], sql: Sql): Promise<void> {
    return this.projects.add(projectIds, sql);
  }

  /** The same for `deliveries` of a statement, as its CTEs; the last one is `woken`, and is to be read. */
  wakeSql(deliveries: string): string {
    return this.projects.addSql(deliveries);
  }

  /** The same for deliveries that are due at `startAfter`. */
  wakeLater(projectId: number, sql: Sql, startAfter: Date): Promise<void> {
    return this.queue.send(WEBHOOK_RETRY_QUEUE, [{ data: { projectId } satisfies WebhookRetry, startAfter }], sql);
  }
}
