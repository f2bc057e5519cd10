import { defineEntity, p } from '@mikro-orm/core';
import { User } from '../../accounts/users/user.js';
import { Workflow } from '../workflow.js';

/** A workflow that a user has bookmarked. */
export const WorkflowBookmarkEntity = defineEntity({
  name: 'WorkflowBookmark',
  tableName: 'workflow_bookmark',
  properties: {
    user: () =>
      p
        .manyToOne(User)
        .primary()
        .deleteRule('cascade')
        .updateRule('no action')
        .foreignKeyName('workflow_bookmark_user_id_fkey'),
    workflow: () =>
      p
        .manyToOne(Workflow)
        .primary()
        .deleteRule('cascade')
        .updateRule('no action')
        .foreignKeyName('workflow_bookmark_workflow_id_fkey'),
    createdAt: p.datetime(3).defaultRaw('now()'),
  },
  indexes: [{ name: 'workflow_bookmark_of_workflow', properties: ['workflow'] }],
});
