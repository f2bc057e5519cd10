import { resolve } from 'node:path';
import { MIGRATIONS } from '../migrations/index.js';
import { ENTITIES } from '../modules/registry.js';
import { type Config, readConfig } from '../platform/config/config.js';
import { openDataDir } from '../platform/config/data-dir.js';
import { databaseStartError, StartError, startStep } from '../platform/config/start-error.js';
import { Database } from '../platform/database/database.js';
import { registerDatabaseUse } from '../platform/database/instance-lock.js';
import { startAndUse } from '../platform/database/own-database.js';
import { hasCluster } from '../platform/embedded-postgres/cluster.js';
import { createLog } from '../platform/logging/log.js';

/**
 * Runs `work` on the migrated database of the service. Rejects a data folder without a database unless `creates` is
 * set, because a mistyped DATA_DIR must not create one. A running service may use the same embedded database: commands
 * only add rows or change them under row locks, so no instance lock is needed.
 */
export async function withDatabase<T>(
  env: NodeJS.ProcessEnv,
  work: (database: Database, config: Config) => Promise<T>,
  { allowNewer = false, creates = false } = {},
): Promise<T> {
  const config = readConfig(env);
  const { databaseUrl } = config;
  if (databaseUrl) return onDatabase(databaseUrl, { env, config, work, allowNewer });
  const folder = resolve(config.dataDir);
  if (!creates && !(await hasCluster(folder))) {
    throw new StartError(
      `DATA_DIR: ${folder} contains no database. Correct DATA_DIR, set DATABASE_URL, or create the database with \`npm start\` or \`npm run cli -- migrate\`.`,
    );
  }
  const dataDir = await openDataDir(config.dataDir);
  const { postgres, use } = await startAndUse({ dataDir, durable: true }, async postgres => ({
    postgres,
    use: await registerDatabaseUse(postgres.url),
  }));
  try {
    return await onDatabase(postgres.url, { env, config, work, allowNewer });
  } finally {
    // If a service or another command uses the database, it keeps running. The last user stops it.
    if (await use.endAsLast()) await postgres.stop();
    await use.close();
  }
}

interface DatabaseWork<T> {
  env: NodeJS.ProcessEnv;
  config: Config;
  work: (database: Database, config: Config) => Promise<T>;
  /** Accepts migrations of newer releases, also for later starts. */
  allowNewer: boolean;
}

async function onDatabase<T>(url: string, { env, config, work, allowNewer }: DatabaseWork<T>): Promise<T> {
  const log = createLog(env.LOG_LEVEL || 'silent');
  const database = await Database.open({ url, entities: ENTITIES, migrations: MIGRATIONS, log });
  try {
    await startStep(
      error => databaseStartError(error, url),
      () => database.migrate({ allowNewer }),
    );
    return await work(database, config);
  } finally {
    await database.close();
  }
}
