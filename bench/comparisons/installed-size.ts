import { readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';

/**
 * Returns the bytes of the packages that the service needs (those of the lock file without development packages) and
 * of `more`.
 */
export async function measureInstalledBytes(folder: string, ...more: string[]): Promise<number> {
  const lock = JSON.parse(await readFile(path.join(folder, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { dev?: boolean }>;
  };
  const packages = Object.entries(lock.packages).filter(([name, { dev }]) => name !== '' && !dev);
  let sum = 0;
  for (const part of [...packages.map(([name]) => path.join(folder, name)), ...more]) sum += await bytesIn(part);
  return sum;
}

/** Nested packages are skipped, because the lock file lists them itself. A missing package counts 0 bytes. */
async function bytesIn(folder: string): Promise<number> {
  let sum = 0;
  for (const entry of await readdir(folder, { withFileTypes: true }).catch(() => [])) {
    const file = path.join(folder, entry.name);
    if (entry.isDirectory()) sum += entry.name === 'node_modules' ? 0 : await bytesIn(file);
    else if (entry.isFile()) sum += (await stat(file)).size;
  }
  return sum;
}
