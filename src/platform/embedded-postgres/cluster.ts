import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  chown,
  lchown,
  link,
  mkdir,
  mkdtemp,
  open,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { Binaries } from './binaries.js';
import { databaseEnvironment, folderArgument } from './launch.js';
import type { User } from './run-as.js';

export interface ClusterOptions {
  dataDir: string;
  binaries: Binaries;
  user: User | undefined;
  durable: boolean;
}

export interface Cluster {
  folder: string;
  password: string;
}

const stagePrefix = 'postgres.new-';
/** No initdb takes this long. An older staging folder was left by a killed process. */
const abandonedStageMs = 10 * 60_000;

/** The folder of the database cluster. */
export function clusterFolder(dataDir: string): string {
  return join(dataDir, 'postgres');
}

/** Whether the data folder contains a database cluster. */
export async function hasCluster(dataDir: string): Promise<boolean> {
  return stat(clusterFolder(dataDir)).then(
    entry => entry.isDirectory(),
    () => false,
  );
}

/**
 * Opens the database cluster `<dataDir>/postgres` and creates it if it does not exist. initdb works in a staging folder
 * that is renamed when it is complete. The cluster therefore never exists partially, and of two concurrent processes
 * the first one wins.
 */
export async function openCluster(options: ClusterOptions): Promise<Cluster> {
  const { dataDir, user } = options;
  const folder = clusterFolder(dataDir);
  const existing = await stat(folder).catch(() => undefined);
  const password = await openPassword(dataDir, existing !== undefined);
  if (!existing) await createCluster(options, folder, password);
  else if (user && existing.uid === 0) await changeOwner(folder, user);
  return { folder, password };
}

/**
 * The complete file is linked into place. If two processes start together, the second reads the password of the first.
 */
async function openPassword(dataDir: string, clusterExists: boolean): Promise<string> {
  const path = join(dataDir, 'postgres-password');
  const read = async () => (await readFile(path, 'utf8')).trim();
  const present = await read().catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
    return undefined;
  });
  if (present !== undefined) return present;
  if (clusterExists)
    throw new Error(`${path} is missing. Restore it: it contains the password of the database in the same folder.`);
  const draft = `${path}.${randomBytes(6).toString('hex')}`;
  await writeFile(draft, `${randomBytes(32).toString('base64url')}\n`, { flag: 'wx', mode: 0o600 });
  await link(draft, path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
  await rm(draft);
  return read();
}

async function createCluster(options: ClusterOptions, folder: string, password: string): Promise<void> {
  const { dataDir, user } = options;
  await removeAbandonedStages(dataDir);
  const stage = await mkdtemp(join(dataDir, stagePrefix));
  try {
    const cluster = join(stage, 'cluster');
    const passwordFile = join(stage, 'password');
    await mkdir(cluster, { mode: 0o700 });
    await writeFile(passwordFile, password, { mode: 0o600 });
    for (const path of user ? [passwordFile, cluster, stage] : []) await chown(path, user!.uid, user!.gid);
    await runInitdb(options, cluster);
    await rename(cluster, folder);
    await syncFolder(dataDir);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'ENOTEMPTY' && code !== 'EEXIST') throw error;
  } finally {
    await rm(stage, { recursive: true, force: true });
  }
}

async function runInitdb({ binaries, user, durable }: ClusterOptions, cluster: string): Promise<void> {
  const args = ['--username=postgres', '--auth=scram-sha-256', '--pwfile=../password', '--no-instructions'];
  // The builtin locale is identical on all systems, never changes under an index, and supports case folding for
  // Unicode.
  args.push('--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8');
  if (!durable) args.push('--no-sync');
  const initdb = spawn(binaries.initdb, [...args, '-D', folderArgument(cluster, user)], {
    cwd: cluster,
    env: databaseEnvironment,
    stdio: ['ignore', 'ignore', 'pipe'],
    ...user,
  });
  const ended = new Promise<number | null>((resolve, reject) => initdb.once('error', reject).once('close', resolve));
  const [code, errorOutput] = await Promise.all([ended, text(initdb.stderr)]);
  if (code === 0) return;
  throw new Error(
    `The embedded database could not be created (initdb: ${errorOutput.trim()}). Correct the cause, or set DATABASE_URL.`,
  );
}

async function removeAbandonedStages(dataDir: string): Promise<void> {
  for (const name of await readdir(dataDir)) {
    if (!name.startsWith(stagePrefix)) continue;
    const path = join(dataDir, name);
    const stage = await stat(path).catch(() => undefined);
    if (stage && Date.now() - stage.mtimeMs > abandonedStageMs) await rm(path, { recursive: true, force: true });
  }
}

/** A cluster that root restored from a backup belongs to root, which PostgreSQL refuses. */
async function changeOwner(folder: string, user: User): Promise<void> {
  for (const name of await readdir(folder, { recursive: true })) await lchown(join(folder, name), user.uid, user.gid);
  await lchown(folder, user.uid, user.gid);
}

async function syncFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(path);
  await handle.sync().finally(() => handle.close());
}
