import { StartError } from '../config/start-error.js';

interface Statements {
  query<T>(text: string, values?: unknown[]): Promise<T[]>;
}

/** Where MikroORM notes the migrations that ran. */
const JOURNAL = 'mikro_orm_migrations';

/**
 * Migrations that ran on this database and that this release does not have: a later release, or another product, made
 * them. Those that an operator accepted (`migrate --allow-newer`) do not count.
 */
async function unknownMigrations(sql: Statements, known: readonly string[]): Promise<string[]> {
  const [found] = await sql.query<{ journal: boolean; accepted: boolean }>(
    `select to_regclass($1) is not null as journal, to_regclass('accepted_migration') is not null as accepted`,
    [JOURNAL],
  );
  if (!found!.journal) return [];
  const accepted = found!.accepted ? 'and name not in (select a.name from accepted_migration a)' : '';
  const rows = await sql.query<{ name: string }>(
    `select name from ${JOURNAL} where name <> all($1::text[]) ${accepted} order by id`,
    [known],
  );
  return rows.map(({ name }) => name);
}

/** Refuses a database whose schema is newer than this release. */
export async function assertKnownSchema(sql: Statements, known: readonly string[]): Promise<void> {
  const unknown = await unknownMigrations(sql, known);
  if (unknown.length === 0) return;
  throw new StartError(
    `DATABASE_URL: the schema is newer than this release (unknown migration ${unknown.join(', ')}; the last known is ` +
      `${known.at(-1)}). Start the newer release, or accept the risk with: npm run cli -- migrate --allow-newer.`,
  );
}

/** Notes that this release may work with what newer ones made; returns the names that were accepted now. */
export async function acceptUnknownMigrations(sql: Statements, known: readonly string[]): Promise<string[]> {
  const unknown = await unknownMigrations(sql, known);
  await sql.query('insert into accepted_migration (name) select unnest($1::text[]) on conflict (name) do nothing', [
    unknown,
  ]);
  return unknown;
}
