import { defineEntity, p } from '@mikro-orm/core';
import { Project } from '../projects/project.js';

/** Sums of the ledger of a project in one hour. The id 0 and the empty model stand for "none". */
export const SpendingHourEntity = defineEntity({
  name: 'SpendingHour',
  tableName: 'spending_hour',
  properties: {
    project: () => p.manyToOne(Project).primary().deleteRule('cascade').foreignKeyName('spending_hour_project_id_fkey'),
    hour: p.datetime(3).primary(),
    workflowId: p.integer().primary(),
    model: p.text().primary(),
    userId: p.integer().primary(),
    apiKeyId: p.integer().primary(),
    amountUsd: p.decimal().columnType('numeric'),
    transactions: p.integer(),
    promptTokens: p.bigint('number'),
    completionTokens: p.bigint('number'),
  },
});
