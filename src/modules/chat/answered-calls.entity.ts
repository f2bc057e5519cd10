import { defineEntity, p } from '@mikro-orm/core';

/** Chat completions that each process has answered, counted apart from the ledger for `reconcile`. */
export const AnsweredCallsEntity = defineEntity({
  name: 'AnsweredCalls',
  tableName: 'answered_calls',
  properties: {
    process: p.uuid().primary(),
    provider: p.text().primary(),
    model: p.text().primary(),
    calls: p.bigint('number'),
    updatedAt: p.datetime(3).defaultRaw('now()'),
  },
});
