import { defineEntity, p } from '@mikro-orm/core';
import { Project } from '../projects/project.js';

/** The commission of a run, credited to the project of the marketplace author. */
export const BillingCreditEntity = defineEntity({
  name: 'BillingCredit',
  tableName: 'billing_credit',
  properties: {
    runId: p.uuid().primary(),
    project: () => p.manyToOne(Project).deleteRule('cascade').foreignKeyName('billing_credit_project_id_fkey'),
    workflowId: p.integer().nullable(),
    amountUsd: p.decimal().columnType('numeric'),
    createdAt: p.datetime(3).defaultRaw('now()'),
  },
  indexes: [
    { name: 'billing_credit_of_project', properties: ['project', 'createdAt', 'runId'] },
    { name: 'billing_credit_of_workflow', properties: ['workflowId'] },
  ],
});
