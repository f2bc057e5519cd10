import { defineEntity, p } from '@mikro-orm/core';
import { User } from '../accounts/users/user.js';
import { Workflow } from '../workflows/workflow.js';

/** The use of a published workflow by a user: the copy and the number of counted runs. */
export const MarketplaceUseEntity = defineEntity({
  name: 'MarketplaceUse',
  tableName: 'marketplace_use',
  properties: {
    workflow: () =>
      p
        .manyToOne(Workflow)
        .primary()
        .deleteRule('cascade')
        .updateRule('no action')
        .foreignKeyName('marketplace_use_workflow_id_fkey'),
    user: () =>
      p
        .manyToOne(User)
        .primary()
        .deleteRule('cascade')
        .updateRule('no action')
        .foreignKeyName('marketplace_use_user_id_fkey'),
    copy: () => p.manyToOne(Workflow).nullable().deleteRule('set null').foreignKeyName('marketplace_use_copy_id_fkey'),
    copiedAt: p.datetime(3).nullable(),
    countedRuns: p.integer().default(0),
  },
  indexes: [
    { name: 'marketplace_use_of_copy', properties: ['copy'], where: 'copy_id is not null' },
    { name: 'marketplace_use_of_user', properties: ['user'] },
  ],
});
