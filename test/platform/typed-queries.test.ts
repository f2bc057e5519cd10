import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { CategoryTables } from '../../src/modules/categories/category-tables.js';
import type { Database } from '../../src/platform/database/database.js';
import { queries } from '../../src/platform/database/typed-queries.js';
import { openDatabase } from '../support/database.js';

let database: Database;
beforeAll(async () => {
  database = await openDatabase();
});
afterAll(() => database.close());

const names = async () =>
  (await queries<CategoryTables>(database).selectFrom('category').select('name').orderBy('id').execute()).map(
    ({ name }) => name,
  );

describe('a typed query', () => {
  it('runs in the transaction that it is given', async () => {
    const failed = database.transaction(async sql => {
      await queries<CategoryTables>(sql).insertInto('category').values({ name: 'undone' }).execute();
      const row = await queries<CategoryTables>(sql).selectFrom('category').select('name').executeTakeFirst();
      expect(row).toEqual({ name: 'undone' });
      throw new Error('undo');
    });
    await expect(failed).rejects.toThrow('undo');
    expect(await names()).toEqual([]);
  });

  it('reports what PostgreSQL reports', async () => {
    const insert = () => queries<CategoryTables>(database).insertInto('category').values({ name: 'one' }).execute();
    await insert();
    await expect(insert()).rejects.toMatchObject({ code: '23505', constraint: 'category_name_unique' });
  });

  it('knows the columns of a table', async () => {
    // @ts-expect-error the table has no such column
    const wrong = queries<CategoryTables>(database).selectFrom('category').select('title').execute();
    await expect(wrong).rejects.toMatchObject({ code: '42703' });
    // @ts-expect-error the name is a text
    await queries<CategoryTables>(database).selectFrom('category').select('id').where('name', '=', 1).execute();
  });
});
