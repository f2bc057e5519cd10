import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** The user that PostgreSQL's processes run as where the service itself is root. */
export interface User {
  uid: number;
  gid: number;
}

/**
 * PostgreSQL refuses to run as root. undefined: run it as ourselves. Otherwise as the owner of the cluster that is
 * there, else as `postgres`, else as `nobody`: users that exist already, as creating one is not ours to do.
 */
export async function userToRunAs(dataDir: string): Promise<User | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const known = await readUsers();
  const owner = await stat(join(dataDir, 'postgres')).catch(() => undefined);
  if (owner && owner.uid !== 0) return known.find(({ uid }) => uid === owner.uid) ?? { uid: owner.uid, gid: owner.gid };
  const user = known.find(({ name }) => name === 'postgres') ?? known.find(({ name }) => name === 'nobody');
  if (user) return user;
  throw new Error(
    'PostgreSQL does not run as root, and there is neither a user "postgres" nor "nobody" here: ' +
      'start the service as another user, or set DATABASE_URL.',
  );
}

async function readUsers(): Promise<(User & { name: string })[]> {
  const text = await readFile('/etc/passwd', 'utf8').catch(() => '');
  return text
    .split('\n')
    .map(line => line.split(':'))
    .filter(fields => /^-?\d+$/.test(fields[2] ?? '') && /^-?\d+$/.test(fields[3] ?? ''))
    .map(([name = '', , uid, gid]) => ({ name, uid: Number(uid) >>> 0, gid: Number(gid) >>> 0 }))
    .filter(({ uid }) => uid !== 0);
}
