import { realpath } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { makeFolder } from '../config/make-folder.js';
import type { Log } from '../logging/log.js';
import { openBinaries } from './binaries.js';
import { openCluster } from './cluster.js';
import { launchPostmaster } from './launch.js';
import { discardStalePidFile, isPostmasterOf, readPidFile, stopPostmaster } from './postmaster.js';
import { userToRunAs } from './run-as.js';

export interface EmbeddedPostgresOptions {
  /** Holds the cluster (`postgres/`), its password (`postgres-password`) and its log (`postgres.log`). */
  dataDir: string;
  /** false: no fsync, commits are lost with the machine. For tests alone. */
  durable: boolean;
  /** Absent: a free one. */
  port?: number;
  log?: Pick<Log, 'info' | 'warn'>;
}

export interface EmbeddedPostgres {
  /** Connects as superuser to the database `postgres`. */
  url: string;
  /** true: the postmaster was running already, started by another process or left by one that was killed. */
  adopted: boolean;
  /** Ends the postmaster for everybody who uses it: for the one process that owns the data folder. */
  stop(): Promise<void>;
}

/** Crash recovery after a long run may replay a lot of WAL before the postmaster says "ready". */
const patienceMs = 120_000;
const pollMs = 10;
/** A pid file is written right after its creation: one that stays empty was left by a crash. */
const emptyPidFileMs = 2_000;

/**
 * Starts PostgreSQL on the data folder, or adopts the one that runs there. It survives this process (a killed service
 * finds it again) and listens on 127.0.0.1 only. Any number of processes may call this at once: PostgreSQL's own lock
 * file lets one postmaster live, and the others adopt it.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const { durable, port, log } = options;
  await makeFolder(options.dataDir);
  const dataDir = await realpath(options.dataDir);
  const user = await userToRunAs(dataDir);
  const binaries = await openBinaries(user);
  const { folder, password } = await openCluster({ dataDir, binaries, user, durable });

  const running = (pid: number, port: number, adopted: boolean): EmbeddedPostgres => {
    log?.info({ pid, port, adopted }, 'embedded PostgreSQL is ready');
    let stopped: Promise<void> | undefined;
    const stop = () => {
      stopped ??= stopPostmaster(pid, folder, log);
      return stopped;
    };
    return { url: `postgresql://postgres:${password}@127.0.0.1:${port}/postgres`, adopted, stop };
  };

  const deadline = Date.now() + patienceMs;
  let emptySince: number | undefined;
  while (Date.now() < deadline) {
    const file = await readPidFile(folder);
    const owner = await ownerOf(file, folder);
    if (owner.state === 'ready') return running(owner.pid, owner.port, true);
    emptySince = owner.state === 'unknown' ? (emptySince ?? Date.now()) : undefined;
    const isWriting = emptySince !== undefined && Date.now() - emptySince <= emptyPidFileMs;
    if (owner.state === 'starting' || isWriting) {
      await delay(pollMs);
      continue;
    }
    if (file) await discardStalePidFile(folder, file);
    if (owner.state === 'unknown') continue;
    const own = await launchPostmaster({ dataDir, folder, binaries, user, durable, port, deadline });
    if (own) return running(own.pid, own.port, false);
  }
  throw new Error(`The embedded PostgreSQL was not ready within ${patienceMs / 1000} s; see ${dataDir}/postgres.log.`);
}

type PidFile = NonNullable<Awaited<ReturnType<typeof readPidFile>>>;
type Owner = { state: 'none' | 'unknown' | 'dead' | 'starting' } | { state: 'ready'; pid: number; port: number };

/** The postmaster that wrote a pid file; `unknown` while the file is empty. */
async function ownerOf(file: PidFile | undefined, folder: string): Promise<Owner> {
  if (!file) return { state: 'none' };
  const { pid, port, ready } = file;
  if (pid === undefined) return { state: 'unknown' };
  if (!(await isPostmasterOf(pid, folder))) return { state: 'dead' };
  return ready && port !== undefined ? { state: 'ready', pid, port } : { state: 'starting' };
}
