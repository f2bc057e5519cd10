import { chmod, cp, lstat, mkdtemp, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import type { User } from './run-as.js';

/** Whether the user may enter all parent folders and execute the file, according to the mode bits only. */
export async function isReachable(file: string, user: User): Promise<boolean> {
  for (let path = file; ; path = dirname(path)) {
    const { mode, uid, gid } = await stat(path);
    const shift = uid === user.uid ? 6 : gid === user.gid ? 3 : 0;
    const needed = path === file ? 0o5 : 0o1;
    if (((mode >> shift) & needed) !== needed) return false;
    if (path === dirname(path)) return true;
  }
}

/**
 * node_modules may be inside a folder that other users cannot enter, such as root's home. The programs are then copied,
 * once per version, into a folder of root that all users may read.
 */
export async function copyForUser(
  native: string,
  user: User,
  parents: string[] = [tmpdir(), '/tmp', '/var/tmp'],
): Promise<string> {
  const { version } = JSON.parse(await readFile(join(dirname(native), 'package.json'), 'utf8')) as { version: string };
  const faults: string[] = [];
  for (const parent of new Set(parents)) {
    const copy = join(parent, `scenarium-postgres-${version}`);
    try {
      if (!(await isTrustworthy(copy))) await createCopy(native, copy);
      if (!(await isTrustworthy(copy))) throw new Error('it belongs to another user or is writable by others');
      if (!(await isComplete(native, copy))) throw new Error('it is incomplete; remove it');
      if (await isReachable(join(copy, 'bin/postgres'), user)) return copy;
      throw new Error('its folder is not accessible to other users');
    } catch (error) {
      faults.push(`${copy}: ${(error as Error).message}`);
    }
  }
  throw new Error(
    `The user that runs PostgreSQL cannot reach ${native}, and no copy could be made (${faults.join('; ')}). ` +
      'Start the service as another user, or set DATABASE_URL.',
  );
}

/** The temporary folder is shared. A copy that another user created or may change is never executed. */
async function isTrustworthy(copy: string): Promise<boolean> {
  const folder = await lstat(copy).catch(() => undefined);
  return !!folder && folder.isDirectory() && folder.uid === 0 && (folder.mode & 0o022) === 0;
}

async function createCopy(native: string, copy: string): Promise<void> {
  const stage = await mkdtemp(`${copy}-`);
  try {
    await cp(native, stage, {
      recursive: true,
      verbatimSymlinks: true,
      filter: source => !source.endsWith('.a'),
    });
    for (const entry of await readdir(stage, { recursive: true, withFileTypes: true })) {
      const path = join(entry.parentPath, entry.name);
      if (entry.isDirectory()) await chmod(path, 0o755);
      else if (entry.isFile()) await chmod(path, entry.parentPath === join(stage, 'bin') ? 0o755 : 0o644);
    }
    await chmod(stage, 0o755);
    await rename(stage, copy);
  } catch (error) {
    await rm(stage, { recursive: true, force: true });
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'ENOTEMPTY' && code !== 'EEXIST') throw error;
  }
}

/** Programs that clean temporary folders may have removed files. */
async function isComplete(native: string, copy: string): Promise<boolean> {
  for (const entry of await readdir(native, { recursive: true, withFileTypes: true })) {
    if (entry.isDirectory() || entry.name.endsWith('.a')) continue;
    const source = join(entry.parentPath, entry.name);
    const [original, copyEntry] = await Promise.all([
      lstat(source),
      lstat(join(copy, relative(native, source))).catch(() => undefined),
    ]);
    if (copyEntry?.size !== original.size) return false;
  }
  return true;
}
