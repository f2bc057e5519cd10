import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { type FileHandle, open, rename, stat } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Binaries } from './binaries.js';
import { readPidFile } from './postmaster.js';
import type { User } from './run-as.js';

export interface LaunchOptions {
  dataDir: string;
  folder: string;
  binaries: Binaries;
  user: User | undefined;
  durable: boolean;
  port: number | undefined;
  deadline: number;
}

/** The environment is not inherited, because that of the service contains secrets. */
export const databaseEnvironment: NodeJS.ProcessEnv =
  process.platform === 'win32' ? { ...process.env } : { LC_ALL: 'C', TZ: 'UTC', PATH: '/usr/local/bin:/usr/bin:/bin' };

/**
 * The data folder as PostgreSQL's argument. As another user, PostgreSQL may lack access to the parent folders. The
 * child therefore enters the folder as root and afterwards uses /proc/self/cwd.
 */
export function folderArgument(folder: string, user: User | undefined): string {
  return user && process.platform === 'linux' ? '/proc/self/cwd' : folder;
}

/**
 * Temporary faults: another process took the port or is starting too, or children of a killed postmaster still exit.
 */
const temporaryFaults =
  /Address already in use|could not bind|lock file|pre-existing shared memory|shared memory segment/;
const maxLogBytes = 8 * 1024 * 1024;

/**
 * Starts a postmaster and waits until it is ready. Returns undefined after a temporary fault or if another postmaster
 * runs. Throws the end of its log otherwise.
 */
export async function launchPostmaster(options: LaunchOptions): Promise<{ pid: number; port: number } | undefined> {
  const { folder, binaries, user, deadline } = options;
  const log = await openLog(options.dataDir);
  try {
    const { size: logStart } = await log.stat();
    const port = options.port ?? (await freePort());
    const child = spawn(binaries.postgres, ['-D', folderArgument(folder, user), ...settings(port, options.durable)], {
      cwd: folder,
      env: databaseEnvironment,
      // A separate session: neither Ctrl-C in the terminal nor the exit of this process stops the database.
      detached: true,
      stdio: ['ignore', log.fd, log.fd],
      ...user,
    });
    await once(child, 'spawn').catch((cause: Error) => {
      throw new Error(`PostgreSQL could not be started (${cause.message}). Correct the cause, or set DATABASE_URL.`, {
        cause,
      });
    });
    child.unref();
    while (child.exitCode === null && child.signalCode === null && Date.now() < deadline) {
      const file = await readPidFile(folder);
      if (file?.ready && file.pid === child.pid) return { pid: child.pid!, port };
      await delay(5);
    }
    const output = await readFrom(log, logStart);
    if (!temporaryFaults.test(output)) throw new Error(`PostgreSQL did not start: ${output.trim().slice(-2000)}`);
    await delay(50);
    return undefined;
  } finally {
    await log.close();
  }
}

function settings(port: number, durable: boolean): string[] {
  const values: Record<string, string | number> = {
    listen_addresses: '127.0.0.1',
    port,
    unix_socket_directories: '',
    max_connections: 200,
    shared_buffers: '128MB',
    effective_cache_size: '512MB',
    work_mem: '8MB',
    maintenance_work_mem: '64MB',
    huge_pages: 'off',
    // I/O workers and parallel plans cost a small machine more than they gain.
    io_method: 'sync',
    max_parallel_workers_per_gather: 0,
    jit: 'off',
    random_page_cost: 1.1,
    // No replication: less WAL for bulk work and fewer processes.
    wal_level: 'minimal',
    max_wal_senders: 0,
    max_wal_size: '512MB',
    // New WAL segments, one per second under load, are not filled with zeros, because commits would wait for it.
    wal_init_zero: 'off',
    checkpoint_timeout: '15min',
    // Queue tables change quickly, and outdated statistics lead to slow plans.
    autovacuum_naptime: '15s',
    timezone: 'UTC',
    log_timezone: 'UTC',
    // Statements and rows may contain secrets of users. The log names errors but never their data.
    log_min_error_statement: 'panic',
    log_error_verbosity: 'terse',
    log_checkpoints: 'off',
    ...(durable ? {} : { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }),
  };
  return Object.entries(values).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const address = probe.address();
  probe.close();
  await once(probe, 'close');
  if (address === null || typeof address === 'string') throw new Error('127.0.0.1 has no free port.');
  return address.port;
}

/** Opens `<dataDir>/postgres.log` for appending. One older file is kept. */
async function openLog(dataDir: string): Promise<FileHandle> {
  const path = join(dataDir, 'postgres.log');
  const file = await stat(path).catch(() => undefined);
  if (file && file.size > maxLogBytes) await rename(path, `${path}.1`).catch(() => undefined);
  return open(path, 'a+', 0o600);
}

async function readFrom(log: FileHandle, start: number): Promise<string> {
  const { size } = await log.stat();
  const { buffer, bytesRead } = await log.read(Buffer.alloc(Math.max(0, size - start)), 0, null, start);
  return buffer.subarray(0, bytesRead).toString('utf8');
}
