import { setTimeout } from 'node:timers/promises';
import { type Config, readConfig } from '../base/config.js';
import { openDataDir } from '../base/data-dir.js';
import { Database, isDatabaseAway } from '../base/database.js';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../base/embedded-postgres.js';
import { type DatabaseUse, useDatabase } from '../base/instance-lock.js';
import { createLog } from '../base/log.js';
import { MIGRATIONS } from '../migrations/index.js';
import { ENTITIES } from '../resources/entities.js';

/** How often a database that stops just as it is opened is started again. */
const MAX_STARTS = 50;
/** Between two of them: what stops takes a moment. */
const PAUSE_MS = 200;

/**
 * Works on the database that the service would use, brought up to date. An embedded one may be in use by a running
 * service at the same time: rows are added, or changed under their locks, so its instance lock is not asked for.
 */
export async function withDatabase<T>(
  env: NodeJS.ProcessEnv,
  work: (database: Database, config: Config) => Promise<T>,
): Promise<T> {
  const config = readConfig(env);
  if (config.databaseUrl) return onDatabase(config.databaseUrl, env, config, work);
  const { postgres, use } = await openEmbedded(await openDataDir(config.dataDir));
  try {
    return await onDatabase(postgres.url, env, config, work);
  } finally {
    // A service or another command that uses it keeps it running; the last one out stops it.
    if (await use.endAsLast()) await postgres.stop();
    await use.close();
  }
}

async function openEmbedded(dataDir: string): Promise<{ postgres: EmbeddedPostgres; use: DatabaseUse }> {
  for (let start = 1; ; start++) {
    const postgres = await startEmbeddedPostgres({ dataDir, durable: true });
    try {
      return { postgres, use: await useDatabase(postgres.url) };
    } catch (error) {
      // Adopted while the process that started it was stopping it.
      if (!isDatabaseAway(error) || start === MAX_STARTS) throw error;
      await setTimeout(PAUSE_MS);
    }
  }
}

async function onDatabase<T>(
  url: string,
  env: NodeJS.ProcessEnv,
  config: Config,
  work: (database: Database, config: Config) => Promise<T>,
): Promise<T> {
  const log = createLog(env.LOG_LEVEL || 'silent');
  const database = await Database.open({ url, entities: ENTITIES, migrations: MIGRATIONS, log });
  try {
    await database.migrate();
    return await work(database, config);
  } finally {
    await database.close();
  }
}
