import { expect, it } from '@jest/globals';
import { MAX_DIFFERENCES } from '../../../src/modules/workflow-runs/reconciliation/check.sql.js';
import { Reconciliation } from '../../../src/modules/workflow-runs/reconciliation/reconciliation.js';
import type { Sql, TransactionalSql } from '../../../src/platform/database/sql-pool.js';

it('a correction ends although more differences remain than one pass corrects', async () => {
  const passes = new Map<string, number>();
  const rows = Array.from({ length: MAX_DIFFERENCES }, (_, id) => ({ id: `${id}`, is: '1', shouldBe: '2' }));
  const sql = {
    async query(text: string) {
      if (!text.includes('"shouldBe"')) return [];
      const count = (passes.get(text) ?? 0) + 1;
      if (count > 2) throw new Error('a third pass');
      passes.set(text, count);
      return rows;
    },
  } as unknown as Sql;
  const database = { ...sql, transaction: (work: (sql: Sql) => Promise<unknown>) => work(sql) } as TransactionalSql;
  await new Reconciliation(database).fix();
  expect(new Set(passes.values())).toEqual(new Set([2]));
});
