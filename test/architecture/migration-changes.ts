import { createHash } from 'node:crypto';
import type { Migration } from '@mikro-orm/migrations';
import { codesOf } from './codes-of.js';

type MigrationClass = new (...parts: ConstructorParameters<typeof Migration>) => Migration;

export interface Statements {
  name: string;
  statements: string[];
}

/** The statements of a migration, without differences in white space. */
export async function statementsOf(name: string, migrationClass: MigrationClass): Promise<Statements> {
  const migration = new migrationClass(undefined as never, undefined as never);
  await migration.up();
  const statements = migration
    .getQueries()
    .map(query => String(query).replaceAll(/--.*/g, '').replaceAll(/\s+/g, ' ').trim());
  return { name, statements };
}

export function digestOf({ statements }: Statements): string {
  return createHash('sha256').update(statements.join('\n')).digest('hex');
}

/**
 * Returns the statements of unreleased migrations (those after the first `released` ones) that the previous release
 * cannot tolerate. It serves requests while they run and for a while afterwards, and uses all earlier tables and
 * columns in their earlier form. New tables and non-unique indexes are allowed. A statement is accepted if a decision
 * record quotes it as code, in the returned form.
 */
export function undecidedMigrations(
  migrations: readonly Statements[],
  released: number,
  decisionRecords: readonly string[],
): string[] {
  const quoted = new Set(decisionRecords.flatMap(codesOf));
  const next = migrations.slice(released);
  const scope: Scope = {
    ownTables: namesMatching(next, /^create table (?:if not exists )?(\w+)/i),
    uniqueIndexes: namesMatching(migrations, /^create unique index (?:if not exists )?(\w+)/i),
  };
  return next
    .flatMap(({ name, statements }) =>
      statements.flatMap(statement => findBreaking(statement, scope).map(words => `${name}: ${words}`)),
    )
    .filter(words => !quoted.has(words));
}

interface Scope {
  ownTables: ReadonlySet<string>;
  uniqueIndexes: ReadonlySet<string>;
}

function namesMatching(migrations: readonly Statements[], pattern: RegExp): ReadonlySet<string> {
  return new Set(migrations.flatMap(({ statements }) => statements.flatMap(each => pattern.exec(each)?.[1] ?? [])));
}

const BREAKING_STATEMENT = /^(drop|truncate|delete from|revoke|alter (?:type|function|index|sequence|domain|view)) /i;
/** Changes of an existing table that remove or rename something, or that require more of new rows. */
const BREAKING_CLAUSE = [
  /^(drop|rename|disable|detach|set schema)\b/i,
  /^alter (?:column )?\w+ (?:set data )?type\b/i,
  /^alter (?:column )?\w+ (?:set not null|drop default|add generated)\b/i,
  /^add (?:constraint|check|unique|primary key|foreign key|exclude)\b/i,
];

function findBreaking(statement: string, { ownTables, uniqueIndexes }: Scope): string[] {
  const table =
    /^(?:alter table|create unique index (?:\w+ )?on|truncate(?: table)?|delete from|drop table) (?:if exists |only )*(\w+)/i;
  const changedTable = table.exec(statement)?.[1] ?? /^drop trigger \w+ on (\w+)/i.exec(statement)?.[1];
  if (changedTable && ownTables.has(changedTable)) return [];
  const dropped = /^drop index (?:if exists )?(\w+)/i.exec(statement)?.[1];
  if (dropped) return uniqueIndexes.has(dropped) ? [clip(statement)] : [];
  if (/^create unique index /i.test(statement)) return [clip(statement)];
  if (BREAKING_STATEMENT.test(statement)) return [clip(statement)];
  const clauses = /^alter table (?:if exists |only )*\w+ (.*)$/i.exec(statement)?.[1];
  if (!clauses) return [];
  return partsOf(clauses)
    .filter(clause => BREAKING_CLAUSE.some(pattern => pattern.test(clause)) || isRequiredColumn(clause))
    .map(clause => clip(`alter table ${changedTable} ${clause}`));
}

/** Rows that the previous release inserts do not contain the column. */
function isRequiredColumn(clause: string): boolean {
  if (!/^add (?:column )?(?:if not exists )?\w+ /i.test(clause) || !/\bnot null\b/i.test(clause)) return false;
  return !/\b(default|generated|serial|bigserial)\b/i.test(clause);
}

/** Splits at commas outside of parentheses. */
function partsOf(list: string): string[] {
  const parts = [''];
  let depth = 0;
  for (const character of list) {
    if (character === '(') depth++;
    if (character === ')') depth--;
    if (character === ',' && depth === 0) parts.push('');
    else parts[parts.length - 1] += character;
  }
  return parts.map(part => part.trim());
}

function clip(words: string): string {
  return words.length > 120 ? `${words.slice(0, 119)}…` : words;
}
