import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Database } from '../../../src/platform/database/database.js';
import { type ColumnTypes, columnArrays, columnsTable } from '../../../src/platform/sql/column-arrays.js';
import { openDatabase } from '../../support/database.js';

interface Example {
  id: string | null;
  small: number | null;
  large?: number | null;
  flag: boolean | null;
  amount: string | null;
  note: string | null | undefined;
  at: Date | string | null;
  data: unknown;
}

const COLUMNS: ColumnTypes<Example> = {
  id: 'uuid',
  small: 'int',
  large: 'bigint',
  flag: 'boolean',
  amount: 'numeric',
  note: 'text',
  at: 'timestamptz',
  data: 'json',
};
const EMPTY: Example = { id: null, small: null, flag: null, amount: null, note: null, at: null, data: null };

let database: Database;
beforeAll(async () => {
  database = await openDatabase();
});
afterAll(() => database?.close());

const read = (rows: Example[]) =>
  database.query(
    `select ${Object.keys(COLUMNS)
      .map(name => `"${name}"`)
      .join(', ')}, nth::int from ${columnsTable(COLUMNS, 'g', 2)} where $1::boolean order by nth`,
    [true, ...columnArrays(COLUMNS, rows)],
  );

it('rows are received as they were sent, numbered from 1', async () => {
  const full: Example = {
    id: '019b7ca9-8f1a-7000-8000-000000000000',
    small: -5,
    large: 2 ** 52,
    flag: false,
    amount: '0.000000000000000001',
    note: 'NULL',
    at: new Date('2026-01-02T03:04:05.678Z'),
    data: { text: 'ä "quoted" \\ {braces}, 😀', list: [null, 1] },
  };
  expect(await read([full, EMPTY])).toEqual([
    { ...full, nth: 1 },
    { ...EMPTY, large: null, nth: 2 },
  ]);
});

it.each(['', 'null', 'a "b" \\c\\', '{}', ',', '  ', 'ä\n\t😀'])('the text %j is not changed', async note => {
  const data = { [note]: note };
  expect(await read([{ ...EMPTY, note, data }])).toMatchObject([{ note, data }]);
});

it('undefined members are null, and there may be no rows', async () => {
  expect(await read([{ ...EMPTY, note: undefined, data: undefined }])).toMatchObject([{ note: null, data: null }]);
  expect(await read([])).toEqual([]);
});
