import { existsSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import path from 'node:path';

/** `nobody` on every common system. */
const NOBODY = 65_534;

export interface Confinement {
  /** For Node: no file but the program's own may be read, none written, and no process started. */
  flags: string[];
  /** Set where this process may become another user, who can read the program. */
  user: { uid?: number; gid?: number };
}

const known = new Map<string, Promise<Confinement>>();

/** What a process is started with that reads a caller's file by `script`: it has the program, and nothing worth having. */
export function confinementOf(script: string): Promise<Confinement> {
  const found = known.get(script) ?? findConfinement(script);
  known.set(script, found);
  return found;
}

async function findConfinement(script: string): Promise<Confinement> {
  const folders = programFolders(script);
  const mayRead = folders.map(folder => `--allow-fs-read=${folder}`);
  const isRoot = process.getuid?.() === 0;
  const files = isRoot ? [script, ...folders, process.execPath] : [];
  const isReadable = (await Promise.all(files.map(isReadableByAll))).every(Boolean);
  return {
    // Recognition of images runs in a thread.
    flags: [...permissionFlag(), ...(permissionFlag().length > 0 ? [...mayRead, '--allow-worker'] : [])],
    user: isRoot && isReadable ? { uid: NOBODY, gid: NOBODY } : {},
  };
}

/** Node 20 knows the model under another name. */
function permissionFlag(): string[] {
  const flag = ['--permission', '--experimental-permission'].find(name =>
    process.allowedNodeEnvironmentFlags.has(name),
  );
  return flag === undefined ? [] : [flag];
}

/** The folder of the compiled program, and those in which it finds its libraries. */
function programFolders(script: string): string[] {
  const program = path.resolve(path.dirname(script), '../../..');
  const libraries: string[] = [];
  for (let folder = program; folder !== path.dirname(folder); folder = path.dirname(folder)) {
    const candidate = path.join(folder, 'node_modules');
    if (existsSync(candidate)) libraries.push(candidate);
  }
  return [program, ...libraries];
}

/** Whether any user may read a file, or list a folder, and reach it. */
async function isReadableByAll(file: string): Promise<boolean> {
  const READ = 0o004;
  const PASS = 0o001;
  if (!((await stat(file)).mode & READ)) return false;
  for (let folder = path.dirname(file); ; folder = path.dirname(folder)) {
    if (!((await stat(folder)).mode & PASS)) return false;
    if (folder === path.dirname(folder)) return true;
  }
}
