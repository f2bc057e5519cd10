import { defineEntity, p } from '@mikro-orm/core';
import { Project } from '../../projects/project.js';
import { WorkflowRunEntity } from '../workflow-run.entity.js';

/** An event that was sent to the runs of a project. */
export const WorkflowEventEntity = defineEntity({
  name: 'WorkflowEvent',
  tableName: 'workflow_event',
  properties: {
    id: p.uuid().primary(),
    project: () => p.manyToOne(Project).deleteRule('cascade').foreignKeyName('workflow_event_project_id_fkey'),
    name: p.text(),
    correlationKey: p.text(),
    /** Keyed digest of name and correlation key. */
    digest: p.blob().$type<Buffer>(),
    payload: p.json<unknown>().columnType('json'),
    /** The workflows that led to the event, oldest first. Empty when no run sent it. */
    ancestry: p.array(Number).columnType('integer[]').defaultRaw(`'{}'`),
    sentAt: p.datetime(3).defaultRaw('now()'),
    /** When the waits that were open at `sentAt` have received it. */
    deliveredAt: p.datetime(3).nullable(),
  },
  indexes: [
    { name: 'workflow_event_sent', properties: ['project', 'sentAt'] },
    { name: 'workflow_event_by_age', properties: ['sentAt'] },
  ],
});

/** The wait of a node for an event. Only the digest is stored, because a correlation key may contain a secret. */
export const WorkflowRunEventWaitEntity = defineEntity({
  name: 'WorkflowRunEventWait',
  tableName: 'workflow_run_event_wait',
  properties: {
    id: p.uuid().primary(),
    run: () =>
      p.manyToOne(WorkflowRunEntity).deleteRule('cascade').foreignKeyName('workflow_run_event_wait_run_id_fkey'),
    project: () => p.manyToOne(Project).deleteRule('cascade').foreignKeyName('workflow_run_event_wait_project_id_fkey'),
    digest: p.blob().$type<Buffer>(),
    /** Events that were sent from this time on count. */
    acceptedFrom: p.datetime(3),
    expiresAt: p.datetime(3),
    /** The received event. Null: none yet. Its row is kept while the wait exists. */
    eventId: p.uuid().nullable(),
    createdAt: p.datetime(3).defaultRaw('now()'),
  },
  indexes: [
    { name: 'workflow_run_event_wait_open', properties: ['project', 'digest'], where: 'event_id is null' },
    {
      name: 'workflow_run_event_wait_once',
      expression:
        'create unique index workflow_run_event_wait_once on workflow_run_event_wait (run_id, event_id) where event_id is not null',
    },
    { name: 'workflow_run_event_wait_of_run', properties: ['run'] },
    { name: 'workflow_run_event_wait_of_event', properties: ['eventId'], where: 'event_id is not null' },
  ],
});
