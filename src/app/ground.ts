import { join } from 'node:path';
import { Queue } from '../durable/queue.js';
import { ensureQueues } from '../jobs/worker.js';
import { MIGRATIONS } from '../migrations/index.js';
import { AccessTokens } from '../modules/accounts/sessions/access-token.js';
import { AccountService, type FirstAdministrator } from '../modules/accounts/sessions/account.service.js';
import { SessionService } from '../modules/accounts/sessions/session.service.js';
import { ENTITIES } from '../modules/entities.js';
import { announcedWait } from '../platform/config/announced-wait.js';
import type { Config } from '../platform/config/config.js';
import { generatedSecret, openDataDir } from '../platform/config/data-dir.js';
import { databaseStartError, folderStartError, reasonOf, startStep } from '../platform/config/start-error.js';
import { Vault } from '../platform/crypto/crypto.js';
import { Database } from '../platform/database/database.js';
import { openOwnDatabase } from '../platform/database/own-database.js';
import { assertSessions } from '../platform/database/pooler-check.js';
import type { Log } from '../platform/logging/log.js';
import { Bus } from '../platform/messaging/bus.js';
import { LineSpool } from '../platform/spool/line-spool.js';
import { openStorage } from '../providers/storage/open-storage.js';
import type { Spool } from '../providers/storage/spool.js';
import type { Storage } from '../providers/storage/storage.js';
import { WRITE_PROBE } from './write-probe.js';

/** A database that starts beside the service has this long to come up. */
const DATABASE_PATIENCE_MS = 30_000;

/** Steps that undo what start-up did, in the order in which it was done. */
export type TakeDown = (() => Promise<unknown>)[];

export interface Ground {
  database: Database;
  bus: Bus;
  queue: Queue;
  vault: Vault;
  sessions: SessionService;
  serviceToken: string;
  accounts: AccountService;
  firstAdministrator: FirstAdministrator | null;
  storage: Storage;
  spool: Spool;
  /** For chat completions that the database does not take. */
  ledgerSpool: LineSpool;
}

/** Everything below the resources: data folder, database, notifications, queue, keys. */
export async function layGround(config: Config, log: Log, takeDown: TakeDown): Promise<Ground> {
  const { dataDir, url, vault, jwtSecret, serviceToken } = await openKeptInDataDir(config, log, takeDown);
  const database = await openDatabase(url, config, log, takeDown);
  const ledgerSpool = new LineSpool(join(dataDir, 'spool', await installationId(database)), 'chat');
  const { storage, spool } = await startStep(
    error =>
      config.storage?.kind === 'file'
        ? folderStartError(error, 'STORAGE_URL', config.storage.folder)
        : folderStartError(error, 'DATA_DIR', config.dataDir),
    () => openStorage({ ...config, location: config.storage, dataDir }),
  );
  const accounts = new AccountService(database);
  const sessions = new SessionService(database, new AccessTokens(jwtSecret), config.loginLimitPerMinute);
  const firstAdministrator = await accounts.ensureFirstAdministrator(config.admin);
  const bus = new Bus(url, log);
  await bus.start();
  takeDown.push(() => bus.stop());
  const queue = new Queue(database, bus, log, { works: config.role !== 'api' });
  await queue.start();
  takeDown.push(() => queue.stop());
  await ensureQueues(queue);
  return {
    database,
    bus,
    queue,
    vault,
    sessions,
    serviceToken,
    accounts,
    firstAdministrator,
    storage,
    spool,
    ledgerSpool,
  };
}

/** Names the database, also after a restore: what was spent on one must not be written to another. */
async function installationId(database: Database): Promise<string> {
  const text = `select value->>'id' as id from service_setting where name = 'installation'`;
  const [row] = await database.query<{ id: string }>(text);
  return row!.id;
}

/** What lies in the data folder: the embedded database, where no other is named, and the secrets that were not given. */
async function openKeptInDataDir(config: Config, log: Log, takeDown: TakeDown) {
  return startStep(
    error => folderStartError(error, 'DATA_DIR', config.dataDir),
    async () => {
      const dataDir = await openDataDir(config.dataDir);
      const url =
        config.databaseUrl ??
        (await announcedWait(log, 'the embedded PostgreSQL', () =>
          openOwnDatabase(dataDir, config.dataDir, log, takeDown),
        ));
      const vault = new Vault(config.encryptionKey ?? (await generatedSecret(dataDir, 'encryption-key')));
      const jwtSecret = config.jwtSecret ?? (await generatedSecret(dataDir, 'jwt-secret'));
      const serviceToken = config.serviceToken ?? (await generatedSecret(dataDir, 'service-token'));
      return { dataDir, url, vault, jwtSecret, serviceToken };
    },
  );
}

async function openDatabase(url: string, config: Config, log: Log, takeDown: TakeDown): Promise<Database> {
  return startStep(
    error => databaseStartError(error, url),
    async () => {
      const database = await Database.open({
        ...{ url, entities: ENTITIES, migrations: MIGRATIONS, log },
        writeProbe: WRITE_PROBE,
      });
      takeDown.push(() => database.close());
      await announcedWait(log, 'the database', report =>
        database.waitUntilReachable(DATABASE_PATIENCE_MS, error => report(reasonOf(error))),
      );
      if (url === config.databaseUrl) await assertSessions(url);
      await announcedWait(log, 'migrations of the database', () => database.migrate());
      return database;
    },
  );
}
