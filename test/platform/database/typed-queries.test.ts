import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { CategoryTables } from '../../../src/modules/categories/category-tables.js';
import type { Database, Sql } from '../../../src/platform/database/database.js';
import { keyedQuery, type Placeholder, preparedQuery } from '../../../src/platform/database/prepared-queries.js';
import { type QueryCreator, queryBuilder } from '../../../src/platform/database/typed-queries.js';
import { openDatabase } from '../../support/database.js';

let database: Database;
beforeAll(async () => {
  database = await openDatabase();
});
afterAll(() => database.close());

const named = (sql: Sql, name: string) =>
  queryBuilder<CategoryTables>(sql).selectFrom('category').select('name').where('name', '=', name).execute();

describe('a typed query', () => {
  it('runs in the transaction that it is given', async () => {
    const failed = database.transaction(async sql => {
      await queryBuilder<CategoryTables>(sql).insertInto('category').values({ name: 'undone' }).execute();
      const [inside, outside] = [await named(sql, 'undone'), await named(database, 'undone')];
      throw Object.assign(new Error(), { inside, outside });
    });
    await expect(failed).rejects.toMatchObject({ inside: [{ name: 'undone' }], outside: [] });
    expect(await named(database, 'undone')).toEqual([]);
  });

  it('rejects with the error of PostgreSQL', async () => {
    const insert = () =>
      queryBuilder<CategoryTables>(database).insertInto('category').values({ name: 'one' }).execute();
    await insert();
    await expect(insert()).rejects.toMatchObject({ code: '23505', constraint: 'category_name_unique' });
  });

  it('knows the columns of a table', async () => {
    // @ts-expect-error the table has no such column
    const wrong = queryBuilder<CategoryTables>(database).selectFrom('category').select('title').execute();
    await expect(wrong).rejects.toMatchObject({ code: '42703' });
    // @ts-expect-error the name is a text
    await queryBuilder<CategoryTables>(database).selectFrom('category').select('id').where('name', '=', 1).execute();
  });
});

describe('a query that is compiled before its calls', () => {
  const build = (tables: QueryCreator<CategoryTables>, value: Placeholder<{ from: string; to: string }>) =>
    tables
      .selectFrom('category')
      .select('name')
      .where('name', '>=', value('from'))
      .where('name', '<=', value('to'))
      .where('name', '<>', 'b2')
      .orderBy('name');

  it.each([
    { kind: 'by key, planned once per connection', read: keyedQuery('categories-between', build) },
    { kind: 'prepared on ordinary connections', read: preparedQuery('categories-between', build) },
  ])('takes the values of each call ($kind)', async ({ read }) => {
    await queryBuilder<CategoryTables>(database)
      .insertInto('category')
      .values(['b1', 'b2', 'b3'].map(name => ({ name })))
      .onConflict(conflict => conflict.doNothing())
      .execute();
    expect(await read(database, { from: 'b1', to: 'b3' })).toEqual([{ name: 'b1' }, { name: 'b3' }]);
    expect(await read(database, { from: 'b3', to: 'b9' })).toEqual([{ name: 'b3' }]);
  });

  it('runs in the transaction that it is given', async () => {
    const read = keyedQuery('categories-in-transaction', build);
    const failed = database.transaction(async sql => {
      await queryBuilder<CategoryTables>(sql).insertInto('category').values({ name: 'c1' }).execute();
      throw Object.assign(new Error(), { inside: await read(sql, { from: 'c1', to: 'c1' }) });
    });
    await expect(failed).rejects.toMatchObject({ inside: [{ name: 'c1' }] });
    expect(await read(database, { from: 'c1', to: 'c1' })).toEqual([]);
  });
});
