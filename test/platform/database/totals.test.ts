import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Database } from '../../../src/platform/database/database.js';
import { expression, queryBuilder } from '../../../src/platform/database/typed-queries.js';
import { Totals } from '../../../src/platform/sql/totals.js';
import { openDatabase } from '../../support/database.js';
import { eventually } from '../../support/eventually.js';

let database: Database;
beforeAll(async () => {
  database = await openDatabase();
  await database.query('create table heap (n int not null)');
});
afterAll(() => database?.close());
beforeEach(() => database.query('truncate heap'));

async function add(count: number) {
  await database.query('insert into heap select n from generate_series(1, $1::int) n', [count]);
}

/** Counts the numbers that a divisor divides; without one, all numbers. */
function multiplesOf(divisor?: number) {
  return queryBuilder<{ heap: { n: number } }>(database)
    .selectFrom('heap')
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .$if(divisor !== undefined, query => query.where(expression<number>`n % ${divisor}::int`, '=', 0));
}

describe('the total of a list', () => {
  it('is counted every time as long as it is small', async () => {
    const totals = new Totals({ large: 10, ms: 60_000 });
    expect(await totals.read(multiplesOf(2))).toBe(0);
    await add(18);
    expect(await totals.read(multiplesOf(2))).toBe(9);
    await add(2);
    expect(await totals.read(multiplesOf(2))).toBe(10);
  });

  it('is cached once it is large, only for that list', async () => {
    const totals = new Totals({ large: 10, ms: 60_000 });
    await add(30);
    expect([await totals.read(multiplesOf(2)), await totals.read(multiplesOf(3))]).toEqual([15, 10]);
    await add(30);
    expect([await totals.read(multiplesOf(2)), await totals.read(multiplesOf(3))]).toEqual([15, 10]);
    expect([await totals.read(multiplesOf(1)), await totals.read(multiplesOf())]).toEqual([60, 60]);
  });

  it('is counted anew when it is old', async () => {
    const totals = new Totals({ large: 10, ms: 50 });
    await add(20);
    expect(await totals.read(multiplesOf())).toBe(20);
    await database.query('truncate heap');
    expect(
      await eventually(
        () => totals.read(multiplesOf()),
        total => total === 0,
      ),
    ).toBe(0);
  });
});
