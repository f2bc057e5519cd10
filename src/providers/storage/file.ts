import { copyFile, mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { assertKey, type Storage, StoredFileMissingError } from './storage.js';

/** Storage in a local folder. Files are spread over 256 subfolders. */
export function createFileStorage(folder: string): Storage {
  const pathOf = (key: string) => {
    assertKey(key);
    return join(folder, key.slice(0, 2), key);
  };
  return {
    async put(key, file) {
      const path = pathOf(key);
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      await moveFile(file.path, path);
    },
    async open(key) {
      const handle = await open(pathOf(key)).catch((error: NodeJS.ErrnoException) => {
        throw error.code === 'ENOENT' ? new StoredFileMissingError(key) : error;
      });
      return handle.createReadStream();
    },
    async remove(key) {
      const path = pathOf(key);
      for (const name of [path, partialOf(path)]) await rm(name, { force: true });
    },
  };
}

/** The name of a file while it is copied. A copy that failed leaves it. */
const partialOf = (path: string) => `${path}.partial`;

/** Moves a file atomically. Between file systems it copies to another name in the target folder first, so that no reader sees a partial file. */
async function moveFile(from: string, to: string): Promise<void> {
  try {
    await rename(from, to);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EXDEV') throw error;
    const partial = partialOf(to);
    await copyFile(from, partial);
    await rename(partial, to);
    await rm(from, { force: true });
  }
}
