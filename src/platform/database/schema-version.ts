import { StartError } from '../config/start-error.js';
import { insertAccepted, type Statements, unknownMigrations } from './schema-version.sql.js';

/** Throws a StartError if the schema is newer than this release. */
export async function assertKnownSchema(sql: Statements, released: readonly string[]): Promise<void> {
  const unknown = await unknownMigrations(sql, released);
  if (unknown.length === 0) return;
  throw new StartError(
    `DATABASE_URL: the schema is newer than this release (unknown migration ${unknown.join(', ')}; the last known is ` +
      `${released.at(-1)}). Start the newer release, or accept the risk with npm run cli -- migrate --allow-newer.`,
  );
}

/** Accepts applied migrations that this release does not contain. Returns the names accepted by this call. */
export async function acceptUnknownMigrations(sql: Statements, released: readonly string[]): Promise<string[]> {
  const unknown = await unknownMigrations(sql, released);
  await insertAccepted(sql, unknown);
  return unknown;
}
