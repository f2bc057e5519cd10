import { defineEntity, p } from '@mikro-orm/core';

/** The number of chat completions that each process has answered. `reconcile` compares it with the ledger. */
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
