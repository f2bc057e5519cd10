import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { readSources } from './architecture/sources.js';
import { listFaults, statementList, textStatements } from './architecture/statement-list.js';

const RECORD = 'docs/adr/0040-sql-text-is-used-only-where-one-statement-is-required.md';
/** The number of hot statements that may be text. */
const MAX_HOT_TEXTS = 25;

describe('statements that are text', () => {
  const sources = readSources(['src']);
  const list = statementList(readFileSync(RECORD, 'utf8'));

  it('are the ones that the decision record lists', () => {
    expect(listFaults(sources, list)).toEqual([]);
  });

  it(`are hot in at most ${MAX_HOT_TEXTS} cases, each with its figure`, () => {
    const hot = new Set(list.hot.map(({ name }) => name));
    const texts = textStatements(sources).filter(({ name }) => hot.has(name));
    expect(texts.reduce((sum, each) => sum + each.texts, 0)).toBeLessThanOrEqual(MAX_HOT_TEXTS);
    expect(texts).toHaveLength(list.hot.length);
    expect(hot.size).toBe(list.hot.length);
  });
});

describe('the list refuses', () => {
  /** A record in the form of ADR 0040: hot statements with a figure, cold functions and files, and parts of statements. */
  const record = '# Title\n\n- `readA` 0.2\n\nCold: `writeB`, `old-rows`.\n\nParts: `sums`.';
  const sound = {
    'src/a.sql.ts':
      'export function readA(sql: Sql) {\n  return sql.query(A);\n}\nexport function writeB(sql: Sql) {\n  return sql.query(B);\n}',
    'src/old-rows.sql.ts': 'export async function clear(sql: Sql) {\n  await sql.query(C);\n}',
    'src/sums.sql.ts': 'export const SUMS = `sums as (select 1)`;',
  };
  const faultsOf = (files: Record<string, string>, text = record) =>
    listFaults(new Map(Object.entries(files)), statementList(text));

  it('nothing that agrees with the sources', () => {
    expect(faultsOf(sound)).toEqual([]);
  });

  it('a statement that it lacks', () => {
    const files = {
      ...sound,
      'src/a.sql.ts': `${sound['src/a.sql.ts']}\nexport const readC = 1;\nfunction readD(sql: Sql) {\n  return sql.byKey('d', D);\n}`,
    };
    expect(faultsOf(files)).toEqual(['src/a.sql.ts: readD is not listed']);
  });

  it('a file that it lacks', () => {
    expect(faultsOf({ ...sound, 'src/b.sql.ts': 'export const B = `select 1`;' })).toEqual([
      'src/b.sql.ts is not listed',
    ]);
  });

  it('a name that is gone', () => {
    expect(faultsOf(sound, record.replace('`readA` 0.2', '`readA` 0.2\n- `readZ` 0.1'))).toEqual([
      'readZ executes no statement of a *.sql.ts file',
    ]);
    expect(faultsOf(sound, record.replace('`sums`', '`sums`, `gone`'))).toEqual([
      'gone is neither a function nor a file',
    ]);
  });
});
