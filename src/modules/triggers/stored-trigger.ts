import type { Sql } from '../../platform/database/database.js';
import { expression, queryBuilder } from '../../platform/database/typed-queries.js';
import { NotFoundError } from '../../platform/errors/errors.js';
import { SMALL_BYTES } from '../../platform/lists/list-payloads.js';
import { type RowPayload, selectSmallPayload } from '../../platform/lists/list-payloads.sql.js';
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

/** The columns of a `StoredTrigger` without its payload, of a trigger `t` and its workflow `w`. */
const LISTED_COLUMNS = [
  't.id',
  't.workflow_id as workflowId',
  't.project_id as projectId',
  't.user_id as userId',
  't.name',
  't.kind',
  't.is_enabled as isEnabled',
  't.environment',
  't.sealed',
  't.next_at as nextAt',
  't.waiting_at as waitingAt',
  't.last_run_id as lastRunId',
  't.created_at as createdAt',
  't.updated_at as updatedAt',
  'w.paused_at as pausedAt',
] as const;

/** The columns of large members. */
export const TRIGGER_PAYLOADS = { input: 'input', settings: 'settings' } as const;

export const TRIGGER_COLUMNS = [...LISTED_COLUMNS, 't.input', 't.settings'] as const;

export type TriggerPayload = Pick<StoredTrigger, 'input' | 'settings'>;

/** A trigger in a list. Field resolvers load its input and settings. */
export type ListedTrigger = Omit<WorkflowTrigger, TriggerKind | 'input'> &
  RowPayload<TriggerPayload> & {
    /** The people who can use a form or chat. Null: the default, or another kind. */
    access: string | null;
  };

/** Selects triggers `t` with their workflows `w`. */
export function selectTriggers(sql: Sql) {
  return queryBuilder<TriggerTables>(sql)
    .selectFrom('workflow_trigger as t')
    .innerJoin('workflow as w', 'w.id', 't.workflow_id')
    .select(TRIGGER_COLUMNS)
    .$castTo<StoredTrigger>();
}

/** Selects rows for `toListedTrigger` from a query of triggers. */
export function selectListed(triggers: ReturnType<typeof selectTriggers>) {
  const listed = triggers
    .clearSelect()
    .select([...LISTED_COLUMNS, expression<string | null>`t.settings ->> 'access'`.as('access')]);
  return selectSmallPayload(listed, TRIGGER_PAYLOADS, SMALL_BYTES).$castTo<ListedRow>();
}

type ListedRow = StoredTrigger & Pick<ListedTrigger, 'payloadBytes' | 'access'>;

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

export function toTrigger({ settings, ...row }: StoredTrigger): WorkflowTrigger {
  return { ...toCommonMembers(row), ...settingsByKind(row.kind, settings) };
}

export function toListedTrigger(row: ListedRow): ListedTrigger {
  return toCommonMembers(row);
}

/** Converts the members that do not depend on the kind. */
function toCommonMembers<R extends Omit<StoredTrigger, 'settings'>>({
  kind,
  userId: _user,
  waitingAt: _waiting,
  pausedAt,
  environment,
  ...row
}: R) {
  return {
    ...row,
    environment: environment ?? DEFAULT_ENVIRONMENT,
    kind: kind as WorkflowTriggerKind,
    isPaused: pausedAt !== null,
  };
}

/** Returns the settings of a kind. Those of the other kinds are null. */
export function settingsByKind(
  kind: `${WorkflowTriggerKind}`,
  settings: Record<string, unknown>,
): Pick<WorkflowTrigger, TriggerKind> {
  const schedule = kind === 'schedule' ? (settings as unknown as ScheduleSettings) : null;
  return {
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
