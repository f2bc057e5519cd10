import { StartError } from '../config/start-error.js';
import { findUnknownMigrations, insertAcceptedMigrations, type StatementRunner } from './schema-version.sql.js';

/** Throws a StartError if the schema is newer than this release. */
export async function assertKnownSchema(sql: StatementRunner, released: readonly string[]): Promise<void> {
  const unknown = await findUnknownMigrations(sql, released);
  if (unknown.length === 0) return;
  throw new StartError(
    `DATABASE_URL: the schema is newer than this release (unknown migration ${unknown.join(', ')}; the last known is ` +
      `${released.at(-1)}). Start the newer release, or accept the risk with npm run cli -- migrate --allow-newer.`,
  );
}

/** Accepts applied migrations that this release does not contain. Returns the names accepted by this call. */
export async function acceptUnknownMigrations(sql: StatementRunner, released: readonly string[]): Promise<string[]> {
  const unknown = await findUnknownMigrations(sql, released);
  await insertAcceptedMigrations(sql, unknown);
  return unknown;
}
