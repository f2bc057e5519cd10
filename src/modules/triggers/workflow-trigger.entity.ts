import { defineEntity, p } from '@mikro-orm/core';
import { User } from '../accounts/users/user.js';
import { Project } from '../projects/project.js';
import { Workflow } from '../workflows/workflow.js';

export const TRIGGER_KINDS = ['schedule', 'webhook', 'event', 'failure', 'form', 'chat'] as const;
export type TriggerKind = (typeof TRIGGER_KINDS)[number];

/** Starts runs of a workflow. The form of `settings` depends on the kind. */
export const WorkflowTriggerEntity = defineEntity({
  name: 'WorkflowTrigger',
  tableName: 'workflow_trigger',
  properties: {
    id: p.integer().primary().autoincrement(),
    project: () => p.manyToOne(Project).deleteRule('cascade').foreignKeyName('workflow_trigger_project_id_fkey'),
    workflow: () => p.manyToOne(Workflow).deleteRule('cascade').foreignKeyName('workflow_trigger_workflow_id_fkey'),
    /** The runs belong to this user. Without one, the trigger starts nothing. */
    user: () => p.manyToOne(User).nullable().deleteRule('set null').foreignKeyName('workflow_trigger_user_id_fkey'),
    kind: p.enum([...TRIGGER_KINDS]).$type<TriggerKind>(),
    name: p.text(),
    isEnabled: p.boolean().default(true),
    input: p.json<unknown>().defaultRaw(`'{}'`),
    /** Name of an environment of the project. Null: the default one. */
    environment: p.text().nullable(),
    /** ScheduleSettings, WebhookSettings, TriggerEvent, TriggerFailure, TriggerForm or TriggerChat, by `kind`. */
    settings: p.json<unknown>().defaultRaw(`'{}'`),
    /** Keyed digest of the token in the address of a webhook, form or chat. */
    tokenDigest: p.blob().$type<Buffer>().nullable().unique('workflow_trigger_token_digest_key'),
    /** The token and the secret of a webhook, form or chat, sealed. */
    sealed: p.text().nullable(),
    /** The next occurrence of a schedule. Null: there is none. */
    nextAt: p.datetime(3).nullable(),
    /** When the next occurrence starts: `nextAt` and its jitter. */
    startAt: p.datetime(3).nullable(),
    /** Time of the occurrence that waits for the end of the previous run. */
    waitingAt: p.datetime(3).nullable(),
    /** The newest run that the trigger started. Always null for webhooks: they may be called often, so a call updates no row. */
    lastRunId: p.uuid().nullable(),
    createdAt: p.datetime(3).defaultRaw('now()'),
    updatedAt: p.datetime(3).defaultRaw('now()'),
  },
  indexes: [
    { name: 'workflow_trigger_of_project', properties: ['project'] },
    { name: 'workflow_trigger_of_workflow', properties: ['workflow'] },
    { name: 'workflow_trigger_of_user', properties: ['user'] },
    {
      name: 'workflow_trigger_due',
      properties: ['startAt'],
      where: `is_enabled and start_at is not null`,
    },
    { name: 'workflow_trigger_waiting', properties: ['waitingAt'], where: `is_enabled and waiting_at is not null` },
  ],
});
