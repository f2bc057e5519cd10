import { existsSync, realpathSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import path from 'node:path';

/** The user id of `nobody` on common Linux distributions. */
const UNPRIVILEGED_USER = 65_534;

/** How a child process that reads files of users is started. */
export interface Confinement {
  /** Flags of Node's permission model: the process may only read the program files, and may not write files or start processes. */
  flags: string[];
  /** Set if this process can change the user and that user can read the program. */
  user: { uid?: number; gid?: number };
}

const confinements = new Map<string, Promise<Confinement>>();

/** Returns the options that confine a process which reads a user's file with `script`. It can access only the program files. */
export function confinementOf(script: string): Promise<Confinement> {
  const confinement = confinements.get(script) ?? findConfinement(script);
  confinements.set(script, confinement);
  return confinement;
}

async function findConfinement(script: string): Promise<Confinement> {
  const folders = programFolders(script);
  const readFlags = folders.map(folder => `--allow-fs-read=${folder}`);
  const isRoot = process.getuid?.() === 0;
  const files = isRoot ? [script, ...folders, process.execPath] : [];
  const isReadable = (await Promise.all(files.map(isReadableByAll))).every(Boolean);
  return {
    // Text recognition in images uses a worker thread.
    flags: [...permissionFlag(), ...(permissionFlag().length > 0 ? [...readFlags, '--allow-worker'] : [])],
    user: isRoot && isReadable ? { uid: UNPRIVILEGED_USER, gid: UNPRIVILEGED_USER } : {},
  };
}

/** In Node 20 the flag of the permission model is experimental. */
function permissionFlag(): string[] {
  const flag = ['--permission', '--experimental-permission'].find(name =>
    process.allowedNodeEnvironmentFlags.has(name),
  );
  return flag === undefined ? [] : [flag];
}

/**
 * The folder of the compiled program, `dist` for a script in `dist/src/providers/text`, and the `node_modules` folders above it.
 * Links are followed, because permissions apply to their targets.
 */
function programFolders(script: string): string[] {
  const program = path.resolve(path.dirname(script), '../../..');
  const libraries: string[] = [];
  for (let folder = program; folder !== path.dirname(folder); folder = path.dirname(folder)) {
    const candidate = path.join(folder, 'node_modules');
    if (existsSync(candidate)) libraries.push(candidate);
  }
  const folders = [program, ...libraries];
  return [...new Set([...folders, ...folders.map(folder => realpathSync(folder))])];
}

/** Whether all users may read the file or folder and enter all folders above it. */
async function isReadableByAll(file: string): Promise<boolean> {
  const READ = 0o004;
  const PASS = 0o001;
  if (!((await stat(file)).mode & READ)) return false;
  for (let folder = path.dirname(file); ; folder = path.dirname(folder)) {
    if (!((await stat(folder)).mode & PASS)) return false;
    if (folder === path.dirname(folder)) return true;
  }
}
