import { randomBytes } from 'node:crypto';
import { link, readFile, unlink, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { makeFolder } from './make-folder.js';

/** Opens the folder for state outside the database: generated secrets, the embedded database and files. */
export async function openDataDir(path: string): Promise<string> {
  const folder = resolve(path);
  await makeFolder(folder);
  return folder;
}

/**
 * Returns the secret in `DATA_DIR/<name>` (mode 0600) and generates it if it does not exist. If two processes start
 * together, one creates the file and the other reads it.
 */
export async function generatedSecret(folder: string, name: string): Promise<string> {
  const path = join(folder, name);
  const existing = await readFile(path, 'utf8').catch(() => undefined);
  if (existing !== undefined) return existing.trim();
  const draft = `${path}.${process.pid}.draft`;
  await writeFile(draft, `${randomBytes(32).toString('base64url')}\n`, { mode: 0o600 });
  // The complete file is linked into place, so that no process reads a partial secret.
  await link(draft, path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
  await unlink(draft);
  return (await readFile(path, 'utf8')).trim();
}
