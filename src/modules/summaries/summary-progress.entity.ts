import { defineEntity, p } from '@mikro-orm/core';

/** One row: the time up to which `spending_hour` and `run_hour` include everything. */
export const SummaryProgressEntity = defineEntity({
  name: 'SummaryProgress',
  tableName: 'summary_progress',
  properties: { id: p.integer().primary().autoincrement(false), through: p.datetime(3) },
});
