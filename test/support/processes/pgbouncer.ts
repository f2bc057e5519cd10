import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { eventually } from '../eventually.js';
import { freePort } from './postgres-server.js';

const PROGRAM = ['/usr/sbin/pgbouncer', '/usr/bin/pgbouncer'].find(existsSync);

/** Whether Debian's package `pgbouncer` is installed. */
export const hasPgBouncer = PROGRAM !== undefined;

export interface PgBouncer {
  /** The URL of `database` through the pooler. */
  url(database: string): string;
  stop(): Promise<void>;
}

/**
 * Starts Debian's PgBouncer in front of the PostgreSQL server at the URL `backend`. Settings that are not listed here keep
 * their defaults.
 */
export async function startPgBouncer(backend: string, mode: 'session' | 'transaction'): Promise<PgBouncer> {
  const { hostname, port: backendPort, username, password } = new URL(backend);
  const folder = await mkdtemp(path.join(tmpdir(), 'scenarium-pgbouncer-'));
  await chmod(folder, 0o755);
  const port = await freePort();
  await writeFile(path.join(folder, 'users'), `"${username}" "${password}"\n`);
  const settings = [
    '[databases]',
    `* = host=${hostname} port=${backendPort}`,
    '[pgbouncer]',
    'listen_addr = 127.0.0.1',
    `listen_port = ${port}`,
    'unix_socket_dir =',
    'auth_type = scram-sha-256',
    `auth_file = ${folder}/users`,
    `pool_mode = ${mode}`,
    'default_pool_size = 60',
    'max_client_conn = 200',
  ];
  await writeFile(path.join(folder, 'pgbouncer.ini'), `${settings.join('\n')}\n`);
  const child: ChildProcess = spawn(PROGRAM as string, [path.join(folder, 'pgbouncer.ini')], {
    ...unprivileged(),
    stdio: 'ignore',
  });
  const exited = once(child, 'exit');
  const url = (database: string) => `postgresql://${username}:${password}@127.0.0.1:${port}/${database}`;
  const isUp = async () => {
    const client = new pg.Client({ connectionString: url('postgres') });
    client.on('error', () => {});
    return client.connect().then(
      () => client.end().then(() => true),
      () => false,
    );
  };
  await eventually(isUp, up => up);
  return {
    url,
    async stop() {
      child.kill('SIGKILL');
      await exited;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** PgBouncer never runs as root. */
function unprivileged(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const id = (flag: string) => Number(execFileSync('id', [flag, 'nobody'], { encoding: 'utf8' }));
  return { uid: id('-u'), gid: id('-g') };
}
