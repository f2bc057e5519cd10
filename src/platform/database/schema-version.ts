import { StartError } from '../config/start-error.js';
import { insertAccepted, type Statements, unknownMigrations } from './schema-version.sql.js';

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
  await insertAccepted(sql, unknown);
  return unknown;
}
