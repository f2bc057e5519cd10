import type { Sql } from '../../platform/database/database.js';
import { queryBuilder } from '../../platform/database/typed-queries.js';
import { NotFoundError } from '../../platform/errors/errors.js';
import { DEFAULT_ENVIRONMENT } from '../project-variables/environments/environment-name.js';
import { toChat } from './chat/chat-settings.js';
import type { TriggerEvent, TriggerFailure } from './events/event-trigger.type.js';
import { toForm } from './form/form-settings.js';
import type { Schedule } from './schedule/schedule.js';
import type { ScheduleSettings, WebhookSettings } from './trigger-settings.js';
import type { TriggerTables } from './trigger-tables.js';
import type { TriggerKind } from './workflow-trigger.entity.js';
import type { WorkflowTrigger, WorkflowTriggerKind } from './workflow-trigger.type.js';

/** The sealed values of a webhook, form or chat: the token of its address, and the secret that verifies calls of a webhook. */
export interface TriggerSecrets {
  token: string;
  secret: string | null;
}

/** The context to which the sealed values of a trigger are bound: its table, column and row. */
export function sealContextOf(id: number): string {
  return `workflow_trigger:sealed:${id}`;
}

/** The columns of a `StoredTrigger`, of a trigger `t` and its workflow `w`. */
export const TRIGGER_COLUMNS = [
  't.id',
  't.workflow_id as workflowId',
  't.project_id as projectId',
  't.user_id as userId',
  't.name',
  't.kind',
  't.is_enabled as isEnabled',
  't.input',
  't.environment',
  't.settings',
  't.sealed',
  't.next_at as nextAt',
  't.waiting_at as waitingAt',
  't.last_run_id as lastRunId',
  't.created_at as createdAt',
  't.updated_at as updatedAt',
  'w.paused_at as pausedAt',
] as const;

/** Selects triggers `t` with their workflows `w`. */
export function selectTriggers(sql: Sql) {
  return queryBuilder<TriggerTables>(sql)
    .selectFrom('workflow_trigger as t')
    .innerJoin('workflow as w', 'w.id', 't.workflow_id')
    .select(TRIGGER_COLUMNS)
    .$castTo<StoredTrigger>();
}

/** Returns a trigger of an unarchived workflow. */
export function findTrigger(sql: Sql, id: number): Promise<StoredTrigger | undefined> {
  return selectTriggers(sql).where('t.id', '=', id).where('w.archived_at', 'is', null).executeTakeFirst();
}

/** A stored trigger, and the pause of its workflow. */
export interface StoredTrigger extends Omit<WorkflowTrigger, 'kind' | TriggerKind | 'isPaused' | 'environment'> {
  kind: TriggerKind;
  /** Null: the default environment. */
  environment: string | null;
  userId: number | null;
  settings: Record<string, unknown>;
  waitingAt: Date | null;
  /** When the triggers of the workflow were paused. */
  pausedAt: Date | null;
}

/** @throws NotFoundError when another caller has deleted the trigger. */
export async function readTrigger(sql: Sql, id: number): Promise<WorkflowTrigger> {
  const row = await selectTriggers(sql).where('t.id', '=', id).executeTakeFirst();
  if (!row) throw new NotFoundError();
  return toTrigger(row);
}

export function toTrigger({
  kind,
  settings,
  userId: _user,
  waitingAt: _waiting,
  pausedAt,
  ...row
}: StoredTrigger): WorkflowTrigger {
  const schedule = kind === 'schedule' ? (settings as unknown as ScheduleSettings) : null;
  return {
    ...row,
    environment: row.environment ?? DEFAULT_ENVIRONMENT,
    kind: kind as WorkflowTriggerKind,
    isPaused: pausedAt !== null,
    schedule: schedule && { ...schedule, ...toSchedule(schedule) },
    webhook: kind === 'webhook' ? (settings as unknown as WebhookSettings) : null,
    event: kind === 'event' ? (settings as unknown as TriggerEvent) : null,
    form: kind === 'form' ? toForm(settings) : null,
    chat: kind === 'chat' ? toChat(settings) : null,
    failure: kind === 'failure' ? (settings as unknown as TriggerFailure) : null,
  };
}

/** Settings that an earlier release stored have no rule. */
export function toSchedule({ cron, rrule, at, timeZone }: ScheduleSettings): Schedule {
  return { cron, rrule: rrule ?? null, at: at === null ? null : new Date(at), timeZone };
}
