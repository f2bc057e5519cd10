import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** The user for PostgreSQL's processes if the service itself runs as root. */
export interface User {
  uid: number;
  gid: number;
}

/**
 * Returns the user to run PostgreSQL as; undefined: the current user. PostgreSQL refuses to run as root. Root uses the
 * owner of the existing cluster, else `postgres`, else `nobody`. The service creates no users.
 */
export async function userToRunAs(dataDir: string): Promise<User | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const users = await readUsers();
  const owner = await stat(join(dataDir, 'postgres')).catch(() => undefined);
  if (owner && owner.uid !== 0) return users.find(({ uid }) => uid === owner.uid) ?? { uid: owner.uid, gid: owner.gid };
  const user = users.find(({ name }) => name === 'postgres') ?? users.find(({ name }) => name === 'nobody');
  if (user) return user;
  throw new Error(
    'PostgreSQL refuses to run as root, and this system has neither a user "postgres" nor "nobody". ' +
      'Start the service as another user, or set DATABASE_URL.',
  );
}

/** The users of /etc/passwd except root. `>>> 0` converts an id that is written as a negative number, as macOS does for its user without rights. */
async function readUsers(): Promise<(User & { name: string })[]> {
  const text = await readFile('/etc/passwd', 'utf8').catch(() => '');
  return text
    .split('\n')
    .map(line => line.split(':'))
    .filter(fields => /^-?\d+$/.test(fields[2] ?? '') && /^-?\d+$/.test(fields[3] ?? ''))
    .map(([name = '', , uid, gid]) => ({ name, uid: Number(uid) >>> 0, gid: Number(gid) >>> 0 }))
    .filter(({ uid }) => uid !== 0);
}
