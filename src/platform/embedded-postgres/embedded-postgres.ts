import { realpath } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { makeFolder } from '../config/make-folder.js';
import type { Log } from '../logging/log.js';
import { openBinaries } from './binaries.js';
import { openCluster } from './cluster.js';
import { launchPostmaster } from './launch.js';
import { discardStalePidFile, isPostmasterOf, type PidFile, readPidFile, stopPostmaster } from './postmaster.js';
import { userToRunAs } from './run-as.js';

export interface EmbeddedPostgresOptions {
  /** Contains the cluster (`postgres/`), its password (`postgres-password`) and its log (`postgres.log`). */
  dataDir: string;
  /** False: no fsync, commits can be lost when the machine fails. Only for tests. */
  durable: boolean;
  /** Default: a free port. */
  port?: number;
  log?: Pick<Log, 'info' | 'warn'>;
}

export interface EmbeddedPostgres {
  /** URL of a superuser connection to the database `postgres`. */
  url: string;
  /** Whether the postmaster was already running, started by another process or left by a killed one. */
  adopted: boolean;
  /** Stops the postmaster for all its users. Only the process that owns the data folder may call it. */
  stop(): Promise<void>;
}

/** Crash recovery after a long run may replay much WAL before the postmaster is ready. */
const READY_TIMEOUT_MS = 120_000;
const POLL_MS = 10;
/** A pid file gets its content right after its creation. A file that stays empty was left by a crash. */
const EMPTY_PID_FILE_MS = 2_000;

/**
 * Starts PostgreSQL on the data folder or adopts the running one. PostgreSQL outlives this process, so a restarted
 * service finds it again. It listens only on 127.0.0.1. Several processes may call this concurrently: PostgreSQL's lock
 * file allows one postmaster, and the others adopt it.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const { durable, port, log } = options;
  await makeFolder(options.dataDir);
  const dataDir = await realpath(options.dataDir);
  const user = await userToRunAs(dataDir);
  const binaries = await openBinaries(user);
  const { folder, password } = await openCluster({ dataDir, binaries, user, durable });

  const toHandle = (pid: number, port: number, adopted: boolean): EmbeddedPostgres => {
    log?.info({ pid, port, adopted }, 'embedded PostgreSQL is ready');
    let stopped: Promise<void> | undefined;
    const stop = () => {
      stopped ??= stopPostmaster(pid, folder, log);
      return stopped;
    };
    return { url: `postgresql://postgres:${password}@127.0.0.1:${port}/postgres`, adopted, stop };
  };

  const deadline = Date.now() + READY_TIMEOUT_MS;
  let emptySince: number | undefined;
  while (Date.now() < deadline) {
    const file = await readPidFile(folder);
    const owner = await ownerOf(file, folder);
    if (owner.state === 'ready') return toHandle(owner.pid, owner.port, true);
    emptySince = owner.state === 'unknown' ? (emptySince ?? Date.now()) : undefined;
    const isWriting = emptySince !== undefined && Date.now() - emptySince <= EMPTY_PID_FILE_MS;
    if (owner.state === 'starting' || isWriting) {
      await delay(POLL_MS);
      continue;
    }
    if (file) {
      // Another process may have replaced the file meanwhile, so it is read again.
      await discardStalePidFile(folder, file);
      continue;
    }
    const postmaster = await launchPostmaster({ dataDir, folder, binaries, user, durable, port, deadline });
    if (postmaster) return toHandle(postmaster.pid, postmaster.port, false);
  }
  throw new Error(
    `The embedded PostgreSQL was not ready within ${READY_TIMEOUT_MS / 1000} s; see ${dataDir}/postgres.log.`,
  );
}

type Owner = { state: 'none' | 'unknown' | 'dead' | 'starting' } | { state: 'ready'; pid: number; port: number };

/** Returns the state of the postmaster that wrote a pid file; `unknown` while the file is empty. */
async function ownerOf(file: PidFile | undefined, folder: string): Promise<Owner> {
  if (!file) return { state: 'none' };
  const { pid, port, ready } = file;
  if (pid === undefined) return { state: 'unknown' };
  if (!(await isPostmasterOf(pid, folder))) return { state: 'dead' };
  return ready && port !== undefined ? { state: 'ready', pid, port } : { state: 'starting' };
}
