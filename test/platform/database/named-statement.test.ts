import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Database } from '../../../src/platform/database/database.js';
import { openDatabase } from '../../support/database.js';

let database: Database;
beforeAll(async () => {
  database = await openDatabase();
});
afterAll(() => database.close());

/** Runs the statement on one connection: the first time, and twice with its known columns. */
async function runThrice<T>(name: string, text: string, values: unknown[]): Promise<T[][]> {
  return database.transactionByKey(async sql => {
    const runs: T[][] = [];
    for (let nth = 0; nth < 3; nth++) runs.push(await sql.byKey<T>(name, text, values));
    return runs;
  });
}

describe('a prepared statement', () => {
  it('returns the same values whether its columns are described or known', async () => {
    const text = `select 7 as int, 8::bigint as big, null::text as missing, true as flag, '{"a":[1]}'::jsonb as json,
      '2026-01-02T03:04:05.678Z'::timestamptz as time, array['x', null] as list, '\\x00ff'::bytea as bytes, '' as empty`;
    const row = {
      ...{ int: 7, big: 8, missing: null, flag: true, json: { a: [1] }, list: ['x', null], empty: '' },
      ...{ time: new Date('2026-01-02T03:04:05.678Z'), bytes: Buffer.from([0, 255]) },
    };
    expect(await runThrice('values', text, [])).toEqual([[row], [row], [row]]);
  });

  it('sends values as the driver does', async () => {
    const time = new Date('2026-01-02T03:04:05.678Z');
    const text = `select $1::jsonb as json, $2::int[] as list, $3::timestamptz as time, $4::bytea as bytes, $5::text as missing`;
    const row = { json: { a: null }, list: [1, 2], time, bytes: Buffer.from('ä'), missing: null };
    expect(await runThrice('parameters', text, [{ a: null }, [1, 2], time, Buffer.from('ä'), undefined])).toEqual(
      Array.from({ length: 3 }, () => [row]),
    );
  });

  it('returns rows in order, and none for a statement without rows', async () => {
    const many = await runThrice('series', 'select n from generate_series(1, $1::int) n', [3]);
    expect(many).toEqual(Array.from({ length: 3 }, () => [{ n: 1 }, { n: 2 }, { n: 3 }]));
    const none = await runThrice('update', 'update category set name = name where name = $1', ['missing']);
    expect(none).toEqual([[], [], []]);
  });

  it('runs again after an error of each phase', async () => {
    const divide = (by: unknown) => database.prepared<{ n: number }>('divide', 'select 6 / $1::int as n', [by]);
    await expect(database.prepared('wrong', 'select from from', [])).rejects.toMatchObject({ code: '42601' });
    await expect(divide('six')).rejects.toMatchObject({ code: '22P02' });
    await expect(divide(0)).rejects.toMatchObject({ code: '22012' });
    expect(await divide(2)).toEqual([{ n: 3 }]);
    await expect(divide('six')).rejects.toMatchObject({ code: '22P02' });
    expect(await divide(3)).toEqual([{ n: 2 }]);
  });

  it('rejects with a trace that leads to its caller', async () => {
    const failing = async () => {
      await database.prepared('trace', 'select 1 / $1::int', [0]);
    };
    await expect(failing()).rejects.toMatchObject({ stack: expect.stringContaining('failing') });
  });

  it('rejects a value that cannot become JSON, and sends nothing', async () => {
    const cyclic: { self?: unknown } = {};
    cyclic.self = cyclic;
    await expect(database.prepared('cyclic', 'select $1::jsonb', [cyclic])).rejects.toThrow(/circular/i);
    expect(await database.prepared('cyclic', 'select $1::jsonb as json', [{ a: 1 }])).toEqual([{ json: { a: 1 } }]);
  });

  it('rejects another statement under a name in use', async () => {
    await database.transactionByKey(async sql => {
      await sql.byKey('taken', 'select 1 as n', []);
      await expect(sql.byKey('taken', 'select 2 as n', [])).rejects.toThrow("the name 'taken'");
      expect(await sql.byKey('taken', 'select 1 as n', [])).toEqual([{ n: 1 }]);
    });
  });

  describe('whose table changes', () => {
    beforeEach(() => database.query('drop table if exists changing; create table changing (a int, b int)'));

    it('does not see columns that are added', async () => {
      const read = () => database.byKey('added', 'select a, b from changing', []);
      await database.query('insert into changing values (1, 2)');
      expect(await read()).toEqual([{ a: 1, b: 2 }]);
      await database.query('alter table changing drop column a; alter table changing add column a int default 5');
      expect(await read()).toEqual([{ a: 5, b: 2 }]);
    });

    it.each(['alter column b type text', 'rename column b to c'])(
      'is rejected by PostgreSQL instead of misread: %s',
      async change => {
        const read = () => database.byKey(change, 'select * from changing', []);
        await database.query('insert into changing values (1, 2)');
        expect(await read()).toEqual([{ a: 1, b: 2 }]);
        await database.query(`alter table changing ${change}`);
        await expect(read()).rejects.toMatchObject({ code: '0A000', message: expect.stringContaining('result type') });
        // The pool has closed the connection.
        expect(Object.keys((await read())[0]!)).toHaveLength(2);
      },
    );
  });
});
