/** Runs one SQL statement. Implemented by `Database`. */
export interface StatementRunner {
  query<T>(text: string, values?: unknown[]): Promise<T[]>;
}

/** The table in which MikroORM records applied migrations. */
const MIGRATIONS_TABLE = 'mikro_orm_migrations';

/**
 * Returns applied migrations that this release does not contain, made by a later release or another product. Excludes
 * those that an operator accepted (`migrate --allow-newer`).
 */
export async function findUnknownMigrations(sql: StatementRunner, released: readonly string[]): Promise<string[]> {
  const [tables] = await sql.query<{ has_migrations: boolean; has_accepted: boolean }>(
    `select to_regclass($1) is not null as has_migrations, to_regclass('accepted_migration') is not null as has_accepted`,
    [MIGRATIONS_TABLE],
  );
  if (!tables!.has_migrations) return [];
  const accepted = tables!.has_accepted ? 'and name not in (select a.name from accepted_migration a)' : '';
  const rows = await sql.query<{ name: string }>(
    `select name from ${MIGRATIONS_TABLE} where name <> all($1::text[]) ${accepted} order by id`,
    [released],
  );
  return rows.map(({ name }) => name);
}

/** Records migrations that the operator accepts. */
export async function insertAcceptedMigrations(sql: StatementRunner, names: readonly string[]): Promise<void> {
  await sql.query('insert into accepted_migration (name) select unnest($1::text[]) on conflict (name) do nothing', [
    names,
  ]);
}
