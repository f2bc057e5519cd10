import { execFile } from 'node:child_process';
import { link, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { Log } from '../logging/log.js';

/** The content of `postmaster.pid`. Its lines appear one by one while the postmaster starts. */
export interface PidFile {
  text: string;
  pid: number | undefined;
  port: number | undefined;
  ready: boolean;
}

/** Reads the pid file of a cluster. Undefined if there is none. */
export async function readPidFile(folder: string): Promise<PidFile | undefined> {
  try {
    return parsePidFile(await readFile(join(folder, 'postmaster.pid'), 'utf8'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

function parsePidFile(text: string): PidFile {
  const lines = text.split('\n');
  const number = (line: string | undefined) => (/^\d+$/.test(line?.trim() ?? '') ? Number(line) : undefined);
  return { text, pid: number(lines[0]), port: number(lines[3]), ready: lines[7]?.trim() === 'ready' };
}

/**
 * Whether `pid` is the postmaster of this cluster. After a restart of the machine another program may have the number.
 * A postmaster's working directory is its cluster; a zombie has none.
 */
export async function isPostmasterOf(pid: number, folder: string): Promise<boolean> {
  try {
    if (process.platform === 'linux') {
      const [there, here] = await Promise.all([
        stat(`/proc/${pid}/cwd`, { bigint: true }),
        stat(folder, { bigint: true }),
      ]);
      return there.ino === here.ino && there.dev === here.dev;
    }
    process.kill(pid, 0);
    if (process.platform === 'win32') return true;
    const { stdout } = await promisify(execFile)('ps', ['-p', String(pid), '-o', 'stat=,command=']);
    return !stdout.trimStart().startsWith('Z') && stdout.includes(folder);
  } catch {
    return false;
  }
}

/**
 * Removes a pid file that names no postmaster of this cluster. PostgreSQL refuses to start while any process of the
 * same user has that number. The file is renamed and checked again, so that a postmaster started meanwhile gets its
 * file back.
 */
export async function discardStalePidFile(folder: string, stale: PidFile): Promise<void> {
  const path = join(folder, 'postmaster.pid');
  const renamedPath = `${path}.stale-${process.pid}`;
  try {
    await rename(path, renamedPath);
    if ((await readFile(renamedPath, 'utf8')) !== stale.text) await link(renamedPath, path);
    await rm(renamedPath);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'ENOENT' && code !== 'EEXIST') throw error;
    await rm(renamedPath, { force: true });
  }
}

/** Fast shutdown, then immediate shutdown if it hangs, which loses no data, and finally a kill. */
const signals = [
  ['SIGINT', 20_000],
  ['SIGQUIT', 10_000],
  ['SIGKILL', 5_000],
] as const;

/** Stops a postmaster with increasingly hard signals. Throws if it survives all of them. */
export async function stopPostmaster(pid: number, folder: string, log?: Pick<Log, 'warn'>): Promise<void> {
  for (const [signal, timeoutMs] of signals) {
    if (!(await isPostmasterOf(pid, folder))) return;
    if (signal !== 'SIGINT') log?.warn({ pid, signal }, 'embedded PostgreSQL is slow to stop');
    process.kill(pid, signal);
    const deadline = Date.now() + timeoutMs;
    while (Date.now() < deadline) {
      await delay(10);
      if (!(await isPostmasterOf(pid, folder))) return;
    }
  }
  throw new Error(`The embedded PostgreSQL (process ${pid}) did not stop.`);
}
