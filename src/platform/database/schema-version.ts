import { StartError } from '../config/start-error.js';
import { insertAcceptedMigrations, readMigrations, type StatementRunner } from './schema-version.sql.js';

/** Resolves with whether all migrations of this release are applied. Throws a StartError if the schema is newer. */
export async function isSchemaCurrent(sql: StatementRunner, released: readonly string[]): Promise<boolean> {
  const { applied, unknown } = await compareMigrations(sql, released);
  if (unknown.length === 0) return released.every(name => applied.has(name));
  throw new StartError(
    `DATABASE_URL: the schema is newer than this release (unknown migration ${unknown.join(', ')}; the last known is ` +
      `${released.at(-1)}). Start the newer release, or accept the risk with npm run cli -- migrate --allow-newer.`,
  );
}

/** Accepts applied migrations that this release does not contain. */
export async function acceptUnknownMigrations(sql: StatementRunner, released: readonly string[]): Promise<void> {
  const { unknown } = await compareMigrations(sql, released);
  await insertAcceptedMigrations(sql, unknown);
}

/** `unknown`: applied migrations that this release does not contain and that no operator accepted. */
async function compareMigrations(sql: StatementRunner, released: readonly string[]) {
  const { applied, accepted } = await readMigrations(sql);
  const known = new Set([...released, ...accepted]);
  return { applied: new Set(applied), unknown: applied.filter(name => !known.has(name)) };
}
