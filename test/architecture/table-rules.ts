import type { Rule } from './rules.js';
import { moduleOf, type Sources, withoutComments } from './sources.js';

/** Calls of `Sql` that take a statement as text. */
const RAW_CALL = /\.(?:query|byKey|prepared)(?:<[^;]*?>)?\(/;
const RAW_TEXT = /\b(?:insert into \w|delete from \w|update \w+(?: \w+)? set |select [^;]*? from \w)/;
/** Statements that write to a table, as text or as a typed query. */
const WRITE =
  /\b(?:insert into|delete from|update)\s+(\w+)\b|\b(?:insertInto|updateTable|deleteFrom)\('(\w+)(?: as \w+)?'\)/g;

/**
 * SQL texts are allowed only in `*.sql.ts`. All other code uses typed queries or the entity manager. Below the
 * modules, only texts that name a table count, because connection and session management calls the driver directly.
 */
const rawSql: Rule = sources => {
  const modules = withoutLowerLayers(sources);
  return [...sources]
    .filter(([file]) => file.startsWith('src/') && !file.startsWith('src/migrations/') && !file.endsWith('.sql.ts'))
    .filter(([file, text]) => RAW_TEXT.test(withoutComments(text)) || RAW_CALL.test(modules.get(file) ?? ''))
    .map(([file]) => `${file} holds raw SQL; it belongs in a *.sql.ts file or becomes a typed query`);
};

/** Only the module that declares a table writes to it. */
const foreignWrite: Rule = sources => {
  const owners = ownersOf(sources);
  return [...withoutLowerLayers(sources)].flatMap(([file, text]) => {
    const tables = new Set([...text.matchAll(WRITE)].map(match => (match[1] ?? match[2])!));
    return [...tables]
      .filter(table => owners.has(table) && owners.get(table) !== moduleOf(file))
      .map(table => `${file} writes ${table}, which belongs to ${owners.get(table)}`);
  });
};

/** Each rule with the number of remaining violations. The numbers only decrease. */
export const countedRules = {
  'raw SQL outside *.sql.ts': { rule: rawSql, maxViolations: 0 },
  'a write to a table of another module': { rule: foreignWrite, maxViolations: 13 },
} satisfies Record<string, { rule: Rule; maxViolations: number }>;

function withoutLowerLayers(sources: Sources): Sources {
  return new Map(
    [...sources]
      .filter(([file]) => /^src\/(modules|durable|container|cli|graphql|http)\//.test(file))
      .map(([file, text]) => [file, withoutComments(text)]),
  );
}

/** The module of each table: the module that contains its entity. */
function ownersOf(sources: Sources): Map<string, string> {
  return new Map(
    [...sources].flatMap(([file, text]) =>
      [...text.matchAll(/\btableName: '(\w+)'/g)].flatMap(([, table]) => {
        const module = moduleOf(file);
        return module === undefined ? [] : [[table!, module] as const];
      }),
    ),
  );
}
