import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { chown, mkdir } from 'node:fs/promises';
import net, { type AddressInfo } from 'node:net';
import pg from 'pg';
import { eventually } from '../eventually.js';

const DEBIAN = '/usr/lib/postgresql';

/**
 * The folder of a PostgreSQL installation with its tools: `PG_BIN`, otherwise the oldest of Debian's packages that are
 * installed, because the embedded PostgreSQL is a new one. Undefined: none on this machine.
 */
export function postgresTools(): string | undefined {
  const versions = existsSync(DEBIAN) ? readdirSync(DEBIAN).sort((a, b) => Number(a) - Number(b)) : [];
  const folders = [process.env.PG_BIN ?? '', ...versions.map(version => `${DEBIAN}/${version}/bin`)];
  return folders.find(folder => folder !== '' && existsSync(`${folder}/pg_basebackup`));
}

export interface PostgresServer {
  url: string;
  sql<T = any>(text: string): Promise<T[]>;
  /** Runs a tool on the server. Throws with its output if it fails. */
  tool(name: string, args: string[]): Promise<void>;
  /** Stops the server like a power failure, except for the disk cache. */
  kill(): Promise<void>;
}

/** PostgreSQL refuses to run as root. */
function unprivilegedUser(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const id = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
  return { uid: id('-u'), gid: id('-g') };
}

async function run(command: string, args: string[]): Promise<void> {
  const child = spawn(command, args, { ...unprivilegedUser(), cwd: '/', stdio: ['ignore', 'ignore', 'pipe'] });
  let errorOutput = '';
  child.stderr.on('data', chunk => {
    errorOutput += chunk;
  });
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`${command} ended with ${code}: ${errorOutput}`);
}

/** Creates a folder that the user of PostgreSQL may write to. */
async function makeFolder(folder: string): Promise<void> {
  await mkdir(folder, { mode: 0o700 });
  const owner = unprivilegedUser();
  if (owner) await chown(folder, owner.uid, owner.gid);
}

/** Creates the data folder of a new cluster. */
export async function createCluster(tools: string, folder: string): Promise<void> {
  await makeFolder(folder);
  await run(`${tools}/initdb`, [
    '-D',
    folder,
    '-U',
    'postgres',
    '-A',
    'trust',
    '--locale=C.UTF-8',
    '-E',
    'UTF8',
    '--no-sync',
  ]);
}

/** Starts the cluster in `folder`, new or from a base backup. Resolves when it accepts connections. */
export async function startPostgres(tools: string, folder: string): Promise<PostgresServer> {
  const port = await freePort();
  const settings = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', 'max_connections=150'];
  const server: ChildProcess = spawn(
    `${tools}/postgres`,
    ['-D', folder, '-p', String(port), ...settings.flatMap(each => ['-c', each])],
    { ...unprivilegedUser(), cwd: '/', stdio: 'ignore' },
  );
  const exited = once(server, 'exit');
  const url = `postgresql://postgres@127.0.0.1:${port}/postgres`;
  const sql = async (text: string) => {
    const client = new pg.Client({ connectionString: url });
    client.on('error', () => {});
    await client.connect();
    try {
      return (await client.query(text)).rows;
    } finally {
      await client.end();
    }
  };
  const isUp = () =>
    sql('select 1').then(
      () => true,
      () => false,
    );
  await eventually(isUp, up => up);
  return {
    url,
    sql,
    tool: (name, args) => run(`${tools}/${name}`, ['-h', '127.0.0.1', '-p', String(port), '-U', 'postgres', ...args]),
    async kill() {
      server.kill('SIGKILL');
      await exited;
    },
  };
}

export async function freePort(): Promise<number> {
  const server = net.createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await new Promise(resolve => server.close(resolve));
  return port;
}
