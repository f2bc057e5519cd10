import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Creates a folder and its parents. Node's recursive `mkdir` never returns if the file system reports ENOENT below an
 * existing folder, as /proc does.
 */
export async function makeFolder(path: string, mode?: number): Promise<void> {
  const failure = await makeFolderAt(path, mode);
  if (failure === undefined) return;
  const parent = dirname(path);
  if (failure.code !== 'ENOENT' || parent === path) throw failure;
  if (!(await isFolder(parent))) await makeFolder(parent, mode);
  // Another caller may have created the parent in the meantime. Only the second ENOENT comes from the file system
  // itself.
  const last = await makeFolderAt(path, mode);
  if (last !== undefined) throw last;
}

/** Resolves with the error of `mkdir`, or undefined if the folder exists. */
async function makeFolderAt(path: string, mode?: number): Promise<NodeJS.ErrnoException | undefined> {
  try {
    await mkdir(path, { mode });
  } catch (error) {
    const failure = error as NodeJS.ErrnoException;
    return failure.code === 'EEXIST' && (await isFolder(path)) ? undefined : failure;
  }
}

function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    entry => entry.isDirectory(),
    () => false,
  );
}
