import { defineEntity, p } from '@mikro-orm/core';
import { User } from '../../accounts/users/user.js';
import { Workflow } from '../workflow.js';
import { WorkflowRevision } from '../workflow-revision.js';

/** A revision that became the published one of its workflow. */
export const WorkflowPublicationEntity = defineEntity({
  name: 'WorkflowPublication',
  tableName: 'workflow_publication',
  properties: {
    id: p.integer().primary().autoincrement(),
    workflow: () => p.manyToOne(Workflow).deleteRule('cascade').foreignKeyName('workflow_publication_workflow_id_fkey'),
    revision: () =>
      p.manyToOne(WorkflowRevision).deleteRule('cascade').foreignKeyName('workflow_publication_revision_id_fkey'),
    user: () => p.manyToOne(User).nullable().deleteRule('set null').foreignKeyName('workflow_publication_user_id_fkey'),
    note: p.text().default(''),
    createdAt: p.datetime(3).defaultRaw('now()'),
  },
  indexes: [
    { name: 'workflow_publication_of_workflow', properties: ['workflow', 'id'] },
    { name: 'workflow_publication_of_revision', properties: ['revision'] },
    { name: 'workflow_publication_of_user', properties: ['user'] },
  ],
});
