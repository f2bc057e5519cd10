import { defineEntity, p } from '@mikro-orm/core';
import { User } from '../../accounts/users/user.js';
import { Project } from '../../projects/project.js';
import { Workflow } from '../workflow.js';

/**
 * The fee, in percent of the AI cost, and the number of free runs that `user` accepted with a copy of `workflow` in
 * `project`. `fingerprint` finds the terms of graphs that equal the copy (see `findMarketTerms`).
 */
export const MarketTermsEntity = defineEntity({
  name: 'MarketTerms',
  tableName: 'market_terms',
  properties: {
    id: p.integer().primary().autoincrement(),
    workflow: () => p.manyToOne(Workflow).deleteRule('cascade').foreignKeyName('market_terms_workflow_id_fkey'),
    user: () => p.manyToOne(User).nullable().deleteRule('set null').foreignKeyName('market_terms_user_id_fkey'),
    project: () =>
      p.manyToOne(Project).nullable().deleteRule('set null').foreignKeyName('market_terms_project_id_fkey'),
    fingerprint: p.text().nullable(),
    runFee: p.integer(),
    freeRuns: p.integer(),
    acceptedAt: p.datetime(3).defaultRaw('now()'),
  },
  indexes: [
    { name: 'market_terms_of_graph', properties: ['fingerprint'], where: 'fingerprint is not null' },
    { name: 'market_terms_of_project', properties: ['project'] },
    { name: 'market_terms_of_user', properties: ['user'] },
    { name: 'market_terms_of_workflow', properties: ['workflow'] },
  ],
});
