import { setTimeout } from 'node:timers/promises';
import { StartError } from '../config/start-error.js';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../embedded-postgres/embedded-postgres.js';
import type { Log } from '../logging/log.js';
import { isRetryableDatabaseError } from './database-errors.js';
import { takeInstanceLock } from './instance-lock.js';

const MAX_DATABASE_STARTS = 50;
/** Milliseconds between two attempts, because a stopping database needs a moment. */
const PAUSE_MS = 200;

/** Another process of the product holds the embedded database. */
export class DataDirInUseError extends StartError {
  constructor(dataDir: string) {
    super(
      `DATA_DIR: ${dataDir} is in use by another Scenarium process. Stop it, or give this one another DATA_DIR or a DATABASE_URL.`,
    );
    this.name = 'DataDirInUseError';
  }
}

/**
 * Starts the embedded PostgreSQL of a data folder as its only owner and returns its URL. `configuredDir` is the
 * value of DATA_DIR for messages. Adds its shutdown to `shutdownHooks`. Throws DataDirInUseError.
 */
export async function openOwnDatabase(
  dataDir: string,
  configuredDir: string,
  log: Log,
  shutdownHooks: (() => Promise<unknown>)[],
): Promise<string> {
  return startAndUse({ dataDir, durable: true, log }, async postgres => {
    const lock = await takeInstanceLock(postgres.url);
    if (!lock) throw new DataDirInUseError(configuredDir);
    shutdownHooks.push(async () => {
      // The lock is held until the database is down, so that no process adopts a stopping one.
      await postgres.stop();
      await lock.release();
    });
    return postgres.url;
  });
}

/** Starts or adopts an embedded PostgreSQL and calls `use`. Repeats both if the database stops in between. */
export async function startAndUse<T>(
  options: Parameters<typeof startEmbeddedPostgres>[0],
  use: (postgres: EmbeddedPostgres) => Promise<T>,
): Promise<T> {
  for (let start = 1; ; start++) {
    const postgres = await startEmbeddedPostgres(options);
    try {
      return await use(postgres);
    } catch (error) {
      // The adopted database was being stopped by another process. The next start finds it down.
      if (!isRetryableDatabaseError(error) || start === MAX_DATABASE_STARTS) throw error;
      await setTimeout(PAUSE_MS);
    }
  }
}
