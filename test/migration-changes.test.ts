import { readdirSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { MIGRATIONS } from '../src/migrations/index.js';
import { digestOf, type Statements, statementsOf, undecidedMigrations } from './architecture/migration-changes.js';
import { ROOT, readPage } from './support/readme/readme.js';

const NOTES = 'docs/adr';
const RELEASED = 'docs/released/migrations.json';

describe('the migrations', () => {
  it('leave released migrations unchanged, and add nothing that breaks the previous release', async () => {
    const notes = readdirSync(path.join(ROOT, NOTES)).map(name => readPage(`${NOTES}/${name}`));
    const released: [string, string][] = Object.entries(JSON.parse(readPage(RELEASED)));
    const current = await Promise.all(MIGRATIONS.map(({ name, class: migration }) => statementsOf(name, migration)));
    const digests = current.map(migration => [migration.name, digestOf(migration)]);
    expect(digests.slice(0, released.length)).toEqual(released);
    expect(undecidedMigrations(current, released.length, notes)).toEqual([]);
  });
});

describe('the check of a migration', () => {
  const past: Statements = {
    name: 'M0098Past',
    statements: [
      'create index project_by_name on project (name)',
      'create unique index project_named on project (name)',
    ],
  };
  const next = (...statements: string[]): Statements => ({ name: 'M0099Next', statements });

  it('accepts additive statements', () => {
    const sound = next(
      'alter table project add note text null, add size int not null default 0, add at timestamptz(3) null',
      'alter table project alter note drop not null',
      'alter table project alter size set default 1',
      'create table thing (id serial primary key, name text not null unique)',
      "alter table thing add constraint thing_name check (name <> ''), drop column other",
      'create unique index thing_by_name on thing (name)',
      'create index project_by_note on project (note)',
      'drop index project_by_name',
      'create or replace function f() returns trigger language plpgsql as $$ begin delete from project; end $$',
      'create trigger t after insert on project for each row execute function f()',
      'update project set size = 1 where size = 0',
    );
    expect(undecidedMigrations([past, sound], 1, [])).toEqual([]);
  });

  it.each([
    ['drop table project', 'drop table project'],
    ['drop index project_named', 'drop index project_named'],
    ['drop trigger t on project', 'drop trigger t on project'],
    ['truncate project', 'truncate project'],
    ['delete from project where id = 1', 'delete from project where id = 1'],
    ['alter table project rename to scheme', 'alter table project rename to scheme'],
    ['alter table project rename column name to title', 'alter table project rename column name to title'],
    ['alter table project add a int null, drop name', 'alter table project drop name'],
    ['alter table project drop constraint c', 'alter table project drop constraint c'],
    ['alter table project alter name type int', 'alter table project alter name type int'],
    ['alter table project alter column name set not null', 'alter table project alter column name set not null'],
    ['alter table project add size numeric(9, 2) not null', 'alter table project add size numeric(9, 2) not null'],
    [
      'alter table project add constraint c check (a in (1, 2))',
      'alter table project add constraint c check (a in (1, 2))',
    ],
    ['create unique index u on project (name)', 'create unique index u on project (name)'],
  ])('refuses %j until a note quotes it', (statement, words) => {
    expect(undecidedMigrations([past, next(statement)], 1, [])).toEqual([`M0099Next: ${words}`]);
    expect(undecidedMigrations([past, next(statement)], 1, [`Removed: \`M0099Next:\n  ${words}\``])).toEqual([]);
    expect(undecidedMigrations([past, next(statement)], 1, [`Removed: \`${words}\``])).toHaveLength(1);
  });
});
