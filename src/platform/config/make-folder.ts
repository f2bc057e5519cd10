import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Creates a folder and those above it. Node's own recursive `mkdir` never returns where the file system answers ENOENT
 * below a folder that exists, as /proc does.
 */
export async function makeFolder(path: string, mode?: number): Promise<void> {
  const failure = await attempt(path, mode);
  if (failure === undefined) return;
  const parent = dirname(path);
  if (failure.code !== 'ENOENT' || parent === path) throw failure;
  if (!(await isFolder(parent))) await makeFolder(parent, mode);
  // Another caller may have created the parent since: only the second ENOENT is the answer of the file system.
  const last = await attempt(path, mode);
  if (last !== undefined) throw last;
}

/** Resolves with the error that `mkdir` reports; undefined when the folder exists now. */
async function attempt(path: string, mode?: number): Promise<NodeJS.ErrnoException | undefined> {
  try {
    await mkdir(path, { mode });
  } catch (error) {
    const failure = error as NodeJS.ErrnoException;
    return failure.code === 'EEXIST' && (await isFolder(path)) ? undefined : failure;
  }
}

function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    found => found.isDirectory(),
    () => false,
  );
}
