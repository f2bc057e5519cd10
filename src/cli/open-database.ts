import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { type Config, readConfig } from '../base/config.js';
import { openDataDir } from '../base/data-dir.js';
import { Database } from '../base/database.js';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../base/embedded-postgres.js';
import { createLog } from '../base/log.js';
import { MIGRATIONS } from '../migrations/index.js';
import { ENTITIES } from '../resources/entities.js';

/** How long connections that were just closed may take to disappear. */
const QUIET_MS = 1_000;

/**
 * Works on the database that the service would use, brought up to date. An embedded one may be in use by a running
 * service at the same time: rows are only added, so its instance lock is not asked for.
 */
export async function withDatabase<T>(
  env: NodeJS.ProcessEnv,
  work: (database: Database, config: Config) => Promise<T>,
): Promise<T> {
  const config = readConfig(env);
  const log = createLog(env.LOG_LEVEL || 'silent');
  const postgres = config.databaseUrl
    ? undefined
    : await startEmbeddedPostgres({ dataDir: await openDataDir(config.dataDir), durable: true });
  try {
    const url = config.databaseUrl ?? (postgres as EmbeddedPostgres).url;
    const database = await Database.open({ url, entities: ENTITIES, migrations: MIGRATIONS, log });
    try {
      await database.migrate();
      return await work(database, config);
    } finally {
      await database.close();
    }
  } finally {
    // What was running already stays, and so does what somebody else has begun to use meanwhile.
    if (postgres && !postgres.adopted && (await isUnused(postgres.url))) await postgres.stop();
  }
}

async function isUnused(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  try {
    const until = Date.now() + QUIET_MS;
    do {
      const { rows } = await client.query(
        `select from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid() limit 1`,
      );
      if (rows.length === 0) return true;
      await delay(20);
    } while (Date.now() < until);
    return false;
  } finally {
    await client.end();
  }
}
