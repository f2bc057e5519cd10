/** Runs one SQL statement. Implemented by `Database`. */
export interface StatementRunner {
  query<T>(text: string, values?: unknown[]): Promise<T[]>;
}

/** The table in which MikroORM records applied migrations. */
const MIGRATIONS_TABLE = 'mikro_orm_migrations';

/** Names of applied migrations. */
export interface AppliedMigrations {
  /** All of them, in order. */
  applied: string[];
  /** Those of another release that an operator accepted (`migrate --allow-newer`). */
  accepted: string[];
}

/** Returns the names of applied migrations; none in a new database. */
export async function readMigrations(sql: StatementRunner): Promise<AppliedMigrations> {
  const [tables] = await sql.query<{ has_migrations: boolean; has_accepted: boolean }>(
    `select to_regclass($1) is not null as has_migrations, to_regclass('accepted_migration') is not null as has_accepted`,
    [MIGRATIONS_TABLE],
  );
  if (!tables!.has_migrations) return { applied: [], accepted: [] };
  const accepted = tables!.has_accepted ? 'exists (select 1 from accepted_migration a where a.name = m.name)' : 'false';
  const rows = await sql.query<{ name: string; is_accepted: boolean }>(
    `select m.name, ${accepted} as is_accepted from ${MIGRATIONS_TABLE} m order by m.id`,
  );
  const namesOf = (some: typeof rows) => some.map(({ name }) => name);
  return { applied: namesOf(rows), accepted: namesOf(rows.filter(row => row.is_accepted)) };
}

/** Records migrations that the operator accepts. */
export async function insertAcceptedMigrations(sql: StatementRunner, names: readonly string[]): Promise<void> {
  await sql.query('insert into accepted_migration (name) select unnest($1::text[]) on conflict (name) do nothing', [
    names,
  ]);
}
