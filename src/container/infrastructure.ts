import { join } from 'node:path';
import { Queue, type QueueOptions } from '../durable/queue.js';
import { ensureQueues } from '../durable/worker.js';
import { WORKER_CONNECTION } from '../durable/worker-count.js';
import { LightAbortController } from '../fast-lane/light-abort-controller.js';
import { MIGRATIONS } from '../migrations/index.js';
import type { ServiceSettingEntity } from '../modules/maintenance/service-setting.entity.js';
import type { Entity, Infrastructure } from '../modules/module.js';
import type { Config } from '../platform/config/config.js';
import { generatedSecret, openDataDir } from '../platform/config/data-dir.js';
import { databaseStartError, folderStartError, reasonOf, startStep } from '../platform/config/start-error.js';
import { withWaitWarnings } from '../platform/config/wait-warnings.js';
import { Vault } from '../platform/crypto/crypto.js';
import { Database, whenReachable } from '../platform/database/database.js';
import { openOwnDatabase } from '../platform/database/own-database.js';
import { expression, queryBuilder, type Table } from '../platform/database/typed-queries.js';
import { PageBytes } from '../platform/lists/page-bytes.js';
import type { Log } from '../platform/logging/log.js';
import { Bus } from '../platform/messaging/bus.js';
import { Currencies } from '../platform/money/money.js';
import { LineSpool } from '../platform/spool/line-spool.js';
import type { Telemetry } from '../platform/tracing/telemetry.js';
import type { ExternalIssuer } from '../providers/external-issuer.js';
import { openStorage } from '../providers/storage/open-storage.js';
import { createProviders } from './providers.js';
import { WRITE_PROBE } from './write-probe.sql.js';

/** Startup limit in milliseconds for a database that starts together with the service. */
const DATABASE_WAIT_MS = 30_000;

/** Shutdown steps in the order of startup. They run in reverse order. */
export type ShutdownHooks = (() => Promise<unknown>)[];

export interface InfrastructureOptions {
  entities: readonly Entity[];
  /** Options of the pg-boss queues by name. */
  queues: Readonly<Record<string, QueueOptions>>;
}

/** The modules' infrastructure and parts that only the container uses. */
export interface ProcessInfrastructure extends Infrastructure {
  /** Authorizes calls of an execution service of the operator, which executes runs outside and reports their progress. */
  serviceToken: string;
  /** Null if only this service issues sessions. */
  issuer: ExternalIssuer | null;
}

/**
 * Opens the data folder, the database, the bus and the queue, and creates the outbound clients. Throws a StartError
 * that names the variable to correct.
 */
export async function createInfrastructure(
  config: Config,
  telemetry: Telemetry,
  { entities, queues }: InfrastructureOptions,
  shutdownHooks: ShutdownHooks,
): Promise<ProcessInfrastructure> {
  const { log } = telemetry;
  const { dataDir, url, encryptionKey, jwtSecret, serviceToken } = await openDataDirState(config, log, shutdownHooks);
  const [vault, database] = await Promise.all([
    Vault.open(encryptionKey),
    openDatabase(url, config, log, entities, shutdownHooks),
  ]);
  const ledgerSpool = new LineSpool(join(dataDir, 'spool', await installationId(database)), 'chat');
  const { storage, spool } = await startStep(
    error =>
      config.storage?.kind === 'file'
        ? folderStartError(error, 'STORAGE_URL', config.storage.folder)
        : folderStartError(error, 'DATA_DIR', config.dataDir),
    () => openStorage({ ...config, location: config.storage, dataDir }),
  );
  const bus = new Bus(url, log, config.role === 'api' ? 'scenarium' : WORKER_CONNECTION);
  await bus.start();
  shutdownHooks.push(() => bus.stop());
  const queue = new Queue(database, bus, log, { fetchesJobs: config.role !== 'api' });
  await waitUntilWritable(database, log);
  await queue.start();
  shutdownHooks.push(() => queue.stop());
  await ensureQueues(queue, queues);
  return {
    ...{ config, telemetry, database, bus, queue, vault, jwtSecret, serviceToken, storage, spool, ledgerSpool },
    currencies: new Currencies(config.srPerUsd),
    pageBytes: new PageBytes(config.pageMaxBytes),
    ...createProviders(config, telemetry),
    createAbortController: () => new LightAbortController(),
  };
}

/**
 * Later startup steps write. A read-only database, such as a standby, has `DATABASE_WAIT_MS` to become writable.
 */
function waitUntilWritable(database: Database, log: Log): Promise<void> {
  const timeout = AbortSignal.timeout(DATABASE_WAIT_MS);
  return startStep(
    error => databaseStartError(error, database.url),
    () =>
      withWaitWarnings(log, 'the database to take writes', report => {
        const probe = async () => {
          const { isReadOnly } = await queryBuilder<object>(database)
            .selectNoFrom(expression<boolean>`current_setting('transaction_read_only') = 'on'`.as('isReadOnly'))
            .executeTakeFirstOrThrow();
          if (!isReadOnly) return;
          const error = Object.assign(new Error('PostgreSQL is read-only'), { code: '25006' });
          report(reasonOf(error));
          throw error;
        };
        return whenReachable(probe, timeout);
      }),
  );
}

/** Returns the id of the database, which a restore keeps. Charges of one database must not be written to another. */
async function installationId(database: Database): Promise<string> {
  const { id } = await queryBuilder<{ service_setting: Table<typeof ServiceSettingEntity> }>(database)
    .selectFrom('service_setting')
    .select(expression<string>`value->>'id'`.as('id'))
    .where('name', '=', 'installation')
    .executeTakeFirstOrThrow();
  return id;
}

/** Opens the data folder, the embedded database unless DATABASE_URL is set, and generated secrets. */
async function openDataDirState(config: Config, log: Log, shutdownHooks: ShutdownHooks) {
  return startStep(
    error => folderStartError(error, 'DATA_DIR', config.dataDir),
    async () => {
      const dataDir = await openDataDir(config.dataDir);
      const url =
        config.databaseUrl ??
        (await withWaitWarnings(log, 'the embedded PostgreSQL', () =>
          openOwnDatabase(dataDir, config.dataDir, log, shutdownHooks),
        ));
      const encryptionKey = config.encryptionKey ?? (await generatedSecret(dataDir, 'encryption-key'));
      const jwtSecret = config.jwtSecret ?? (await generatedSecret(dataDir, 'jwt-secret'));
      const serviceToken = config.serviceToken ?? (await generatedSecret(dataDir, 'service-token'));
      return { dataDir, url, encryptionKey, jwtSecret, serviceToken };
    },
  );
}

async function openDatabase(
  url: string,
  config: Config,
  log: Log,
  entities: readonly Entity[],
  shutdownHooks: ShutdownHooks,
): Promise<Database> {
  return startStep(
    error => databaseStartError(error, url),
    async () => {
      const database = await Database.open({
        ...{ url, entities, migrations: MIGRATIONS, log },
        writeProbe: WRITE_PROBE,
      });
      shutdownHooks.push(() => database.close());
      await withWaitWarnings(log, 'the database', report =>
        database.waitUntilReachable(DATABASE_WAIT_MS, error => report(reasonOf(error))),
      );
      if (url === config.databaseUrl) await database.assertSessions();
      await withWaitWarnings(log, 'migrations of the database', () => database.migrate());
      return database;
    },
  );
}
