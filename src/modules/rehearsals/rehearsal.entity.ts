import { defineEntity, p } from '@mikro-orm/core';
import { User } from '../accounts/users/user.js';
import { Project } from '../projects/project.js';
import { Workflow } from '../workflows/workflow.js';
import { WorkflowRevision } from '../workflows/workflow-revision.js';
import { RehearsalKind, RehearsalState, RehearsalVerdict, RehearsedRunOutcome } from './rehearsal.js';

/** A rehearsal of recorded runs. Workers claim it under a lease. */
export const RehearsalEntity = defineEntity({
  name: 'Rehearsal',
  tableName: 'rehearsal',
  properties: {
    id: p.uuid().primary(),
    project: () => p.manyToOne(Project).deleteRule('cascade').foreignKeyName('rehearsal_project_id_fkey'),
    workflow: () => p.manyToOne(Workflow).deleteRule('cascade').foreignKeyName('rehearsal_workflow_id_fkey'),
    revision: () =>
      p.manyToOne(WorkflowRevision).nullable().deleteRule('cascade').foreignKeyName('rehearsal_revision_id_fkey'),
    user: () => p.manyToOne(User).nullable().deleteRule('set null').foreignKeyName('rehearsal_user_id_fkey'),
    kind: p.enum(() => RehearsalKind),
    state: p.enum(() => RehearsalState).default(RehearsalState.QUEUED),
    settings: p.json<unknown>().columnType('json'),
    budgetUsd: p.decimal().columnType('numeric'),
    spentUsd: p.decimal().columnType('numeric').default('0'),
    runsCount: p.integer().default(0),
    endedCount: p.integer().default(0),
    verdict: p.enum(() => RehearsalVerdict).nullable(),
    finding: p.json<unknown>().columnType('json').nullable(),
    error: p.text().nullable(),
    attempts: p.integer().default(0),
    leaseToken: p.bigint('number').defaultRaw('0'),
    createdAt: p.datetime(3).defaultRaw('now()'),
    updatedAt: p.datetime(3).defaultRaw('now()'),
    startedAt: p.datetime(3).nullable(),
    finishedAt: p.datetime(3).nullable(),
  },
  indexes: [
    { name: 'rehearsal_of_project', properties: ['project'] },
    { name: 'rehearsal_of_workflow', properties: ['workflow', 'createdAt', 'id'] },
    { name: 'rehearsal_of_revision', properties: ['revision'], where: 'revision_id is not null' },
    { name: 'rehearsal_open', properties: ['state', 'updatedAt'], where: `state in ('queued', 'running')` },
    { name: 'rehearsal_by_end', properties: ['finishedAt'], where: 'finished_at is not null' },
  ],
});

/** One recorded run in a rehearsal. Its id is the holder of reservations and the run of ledger rows. */
export const RehearsalRunEntity = defineEntity({
  name: 'RehearsalRun',
  tableName: 'rehearsal_run',
  properties: {
    id: p.uuid().primary(),
    rehearsal: () =>
      p.manyToOne(RehearsalEntity).deleteRule('cascade').foreignKeyName('rehearsal_run_rehearsal_id_fkey'),
    position: p.integer(),
    runId: p.uuid(),
    revision: () =>
      p.manyToOne(WorkflowRevision).nullable().deleteRule('set null').foreignKeyName('rehearsal_run_revision_id_fkey'),
    outcome: p.enum(() => RehearsedRunOutcome).nullable(),
    report: p.json<unknown>().columnType('json').nullable(),
  },
  indexes: [{ name: 'rehearsal_run_of_revision', properties: ['revision'], where: 'revision_id is not null' }],
  uniques: [{ name: 'rehearsal_run_position', properties: ['rehearsal', 'position'] }],
});

/** A recorded event of a call in an unfinished rehearsal, encrypted. Deleted with the end of its run. */
export const RehearsalEventEntity = defineEntity({
  name: 'RehearsalEvent',
  tableName: 'rehearsal_event',
  properties: {
    rehearsalRun: () =>
      p
        .manyToOne(RehearsalRunEntity)
        .primary()
        .updateRule('no action')
        .deleteRule('cascade')
        .foreignKeyName('rehearsal_event_rehearsal_run_id_fkey'),
    sequence: p.integer().primary(),
    sealedEvent: p.text(),
  },
});
