import { defineEntity, p } from '@mikro-orm/core';
import type { ApprovalVote } from '../../../engine/wait-ports.js';
import { APPROVAL_KINDS } from '../../../engine/workflow/graph/approvals/approval.js';
import { User } from '../../accounts/users/user.js';
import { Project } from '../../projects/project.js';
import { WorkflowRunEntity } from '../workflow-run.entity.js';

/** An approval request for which a run waits, with its decision. */
export const WorkflowRunApprovalEntity = defineEntity({
  name: 'WorkflowRunApproval',
  tableName: 'workflow_run_approval',
  properties: {
    id: p.uuid().primary(),
    run: () => p.manyToOne(WorkflowRunEntity).deleteRule('cascade').foreignKeyName('workflow_run_approval_run_id_fkey'),
    project: () => p.manyToOne(Project).deleteRule('cascade').foreignKeyName('workflow_run_approval_project_id_fkey'),
    nodeId: p.text(),
    iteration: p.text().default(''),
    kind: p.enum([...APPROVAL_KINDS]),
    tool: p.text().nullable(),
    arguments: p.json<unknown>().columnType('json').nullable(),
    details: p.json<unknown>().columnType('json').nullable(),
    editedArguments: p.json<unknown>().columnType('json').nullable(),
    votes: p.json<ApprovalVote[]>().columnType('json').defaultRaw(`'[]'`),
    comment: p.text().nullable(),
    requestedAt: p.datetime(3),
    expiresAt: p.datetime(3),
    decision: p.enum(['approved', 'rejected']).nullable(),
    decidedAt: p.datetime(3).nullable(),
    decidedBy: () =>
      p.manyToOne(User).nullable().deleteRule('set null').foreignKeyName('workflow_run_approval_decided_by_id_fkey'),
    createdAt: p.datetime(3).defaultRaw('now()'),
  },
  indexes: [
    { name: 'workflow_run_approval_expiry', properties: ['project', 'expiresAt'], where: 'decision is null' },
    {
      name: 'workflow_run_approval_moved',
      expression:
        'create index workflow_run_approval_moved on workflow_run_approval (project_id, coalesce(decided_at, created_at))',
    },
    { name: 'workflow_run_approval_history', properties: ['project', 'requestedAt'] },
    { name: 'workflow_run_approval_of_run', properties: ['run'] },
    { name: 'workflow_run_approval_pending', properties: ['project', 'requestedAt'], where: 'decision is null' },
  ],
});
