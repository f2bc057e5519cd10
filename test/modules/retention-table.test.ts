import { expect, it } from '@jest/globals';
import { openDatabase } from '../support/database.js';
import { code, readPage, section, tablesOf } from '../support/readme/readme.js';

const [rows = []] = tablesOf(section(readPage('docs/operations.md'), '## What is kept, and for how long'));

it('docs/operations.md describes for each table of the database how it grows and what it keeps', async () => {
  const database = await openDatabase();
  // Monthly partitions have the rule of their parent.
  const tables = await database.query<{ name: string }>(
    `select c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where n.nspname = 'public' and c.relkind in ('r', 'p') and not c.relispartition order by c.relname`,
  );
  await database.close();
  const documented = rows.flatMap(([names = '']) => names.split(', ').map(code));
  expect(documented.filter(name => name !== 'pgboss.*').sort()).toEqual(tables.map(({ name }) => name));
  for (const [names, growth, rule] of rows)
    expect({ names, growth, rule }).toEqual({
      names: expect.stringMatching(/\S/),
      growth: expect.stringMatching(/\S/),
      rule: expect.stringMatching(/\S/),
    });
});
