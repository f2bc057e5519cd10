import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmod,
  chown,
  cp,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { createConnection } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, test } from '@jest/globals';
import { Client } from 'pg';
import { openBinaries } from '../../../src/platform/embedded-postgres/binaries.js';
import { copyForUser, isReachable } from '../../../src/platform/embedded-postgres/binaries-copy.js';
import {
  type EmbeddedPostgres,
  startEmbeddedPostgres,
} from '../../../src/platform/embedded-postgres/embedded-postgres.js';
import { isPostmasterOf } from '../../../src/platform/embedded-postgres/postmaster.js';
import { userToRunAs } from '../../../src/platform/embedded-postgres/run-as.js';
import { faultPoints, faultTest } from '../../support/processes/fault-points.js';

/** A user and a group without rights, which every Linux has. */
const UNPRIVILEGED = { uid: 65534, gid: 65534 };

const started: EmbeddedPostgres[] = [];
const folders: string[] = [];
const children: ChildProcess[] = [];

afterEach(async () => {
  for (const postgres of started.splice(0)) await postgres.stop();
  for (const child of children.splice(0)) child.kill('SIGKILL');
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true });
});

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'scenarium-test-'));
  folders.push(folder);
  return folder;
}

async function start(dataDir: string): Promise<EmbeddedPostgres> {
  const postgres = await startEmbeddedPostgres({ dataDir, durable: false });
  started.push(postgres);
  return postgres;
}

async function query(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
}

async function postmasterPid(dataDir: string): Promise<number> {
  return Number.parseInt(await readFile(join(dataDir, 'postgres/postmaster.pid'), 'utf8'), 10);
}

async function until(condition: () => Promise<boolean>): Promise<void> {
  while (!(await condition())) await delay(10);
}

/** A condition for `until`: the file does not exist. */
const gone = (path: string) => () =>
  lstat(path).then(
    () => false,
    () => true,
  );

const childProgram = fileURLToPath(new URL('./embedded-postgres.process.js', import.meta.url));

/** A separate process on the data folder; resolves when its PostgreSQL is ready. */
async function startInProcess(dataDir: string, user: { uid?: number; gid?: number } = {}) {
  const child = spawn(process.execPath, [childProgram, dataDir], {
    stdio: ['pipe', 'pipe', 'pipe'],
    cwd: '/',
    ...user,
  });
  children.push(child);
  const errorOutput = text(child.stderr);
  const ended = once(child, 'exit').then(async () => Promise.reject(new Error(await errorOutput)));
  ended.catch(() => {});
  const [line] = (await Promise.race([once(child.stdout, 'data'), ended])) as [Buffer];
  return { child, ...(JSON.parse(line.toString()) as { url: string; adopted: boolean }) };
}

const isRoot = process.getuid?.() === 0;
const asRoot = isRoot ? test : test.skip;
const onLinux = process.platform === 'linux' ? test : test.skip;
const asRootWithFaults = isRoot ? faultTest : test.skip;
const onLinuxWithFaults = process.platform === 'linux' ? faultTest : test.skip;

describe('startEmbeddedPostgres', () => {
  test('creates a database, and finds its rows again after a stop', async () => {
    const dataDir = join(await newFolder(), 'not/yet/there');
    const first = await start(dataDir);
    expect(first.adopted).toBe(false);
    await query(first.url, `create table kept as select 'Ärger' as word`);
    await first.stop();
    await first.stop();
    expect(await gone(join(dataDir, 'postgres/postmaster.pid'))()).toBe(true);
    const second = await start(dataDir);
    expect(second.adopted).toBe(false);
    expect(await query(second.url, `select word from kept where word ilike 'ärger'`)).toEqual([{ word: 'Ärger' }]);
    expect((await readdir(dataDir)).sort()).toEqual(['postgres', 'postgres-password', 'postgres.log']);
  });

  test('adopts the postmaster that runs already', async () => {
    const dataDir = await newFolder();
    const first = await start(dataDir);
    const second = await start(dataDir);
    expect(second).toMatchObject({ adopted: true, url: first.url });
    await second.stop();
    await expect(query(first.url, 'select 1')).rejects.toThrow(/ECONNREFUSED/);
  });

  test('accepts only the generated password, only on 127.0.0.1', async () => {
    const dataDir = await newFolder();
    const { url } = await start(dataDir);
    expect((await stat(join(dataDir, 'postgres-password'))).mode & 0o777).toBe(0o600);
    expect(new URL(url).password.length).toBeGreaterThanOrEqual(43);
    await expect(query(url.replace(/:[^:@]+@/, ':wrong@'), 'select 1')).rejects.toThrow(
      /password authentication failed/,
    );
    const settings = await query(
      url,
      `select string_agg(setting, '|' order by name) as is from pg_settings
        where name in ('listen_addresses', 'unix_socket_directories', 'password_encryption', 'fsync')`,
    );
    expect(settings).toEqual([{ is: 'off|127.0.0.1|scram-sha-256|' }]);
    const elsewhere = createConnection({ host: '127.0.0.2', port: Number(new URL(url).port) });
    await expect(once(elsewhere, 'connect')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  });

  faultTest('commits durably when it is started as durable', async () => {
    const dataDir = await newFolder();
    const postgres = await startEmbeddedPostgres({ dataDir, durable: true });
    started.push(postgres);
    const settings = `select current_setting('fsync') as fsync, current_setting('synchronous_commit') as commit`;
    expect(await query(postgres.url, settings)).toEqual([{ fsync: 'on', commit: 'on' }]);
  });

  test('gives simultaneous starters the same postmaster', async () => {
    const dataDir = await newFolder();
    const inProcess = [1, 2, 3].map(() => start(dataDir));
    const outside = [1, 2].map(() => startInProcess(dataDir));
    const all = await Promise.all([...inProcess, ...outside]);
    expect(new Set(all.map(({ url }) => url)).size).toBe(1);
    expect(all.filter(({ adopted }) => !adopted).length).toBe(1);
    expect(await query(all[0]?.url ?? '', 'select 1 as one')).toEqual([{ one: 1 }]);
    expect((await readdir(dataDir)).sort()).toEqual(['postgres', 'postgres-password', 'postgres.log']);
    // The same race on a cluster that exists.
    await Promise.all((await Promise.all(inProcess)).map(({ stop }) => stop()));
    const again = await Promise.all([1, 2, 3].map(() => start(dataDir)));
    expect(again.filter(({ adopted }) => !adopted).length).toBe(1);
  });

  test('adopts the server of a killed process', async () => {
    const dataDir = await newFolder();
    const killed = await startInProcess(dataDir);
    await query(killed.url, 'create table kept as select 1 as one');
    const exit = once(killed.child, 'exit');
    killed.child.kill('SIGKILL');
    await exit;
    const next = await start(dataDir);
    expect(next).toMatchObject({ adopted: true, url: killed.url });
    expect(await query(next.url, 'select one from kept')).toEqual([{ one: 1 }]);
  });

  faultTest('loses no durable commit when the postmaster itself is killed', async () => {
    const dataDir = await newFolder();
    const first = await startEmbeddedPostgres({ dataDir, durable: true });
    await query(first.url, 'create table kept as select 1 as one');
    const pid = await postmasterPid(dataDir);
    process.kill(pid, 'SIGKILL');
    while (await isPostmasterOf(pid, join(dataDir, 'postgres'))) await delay(5);
    const second = await start(dataDir);
    expect(second.adopted).toBe(false);
    expect(await query(second.url, 'select one from kept')).toEqual([{ one: 1 }]);
  });

  faultTest('stops a postmaster while it executes a statement, which fails', async () => {
    const dataDir = await newFolder();
    const postgres = await start(dataDir);
    const client = new Client({ connectionString: postgres.url });
    client.on('error', () => {});
    await client.connect();
    const running = client.query('select pg_sleep(60)').catch((error: Error) => error);
    await postgres.stop();
    expect(await running).toHaveProperty('message');
    expect(await gone(join(dataDir, 'postgres/postmaster.pid'))()).toBe(true);
  });

  onLinuxWithFaults.each([
    [
      'another program of the same user',
      async (user: { uid?: number; gid?: number }) => {
        const child = spawn('sleep', ['60'], { stdio: 'ignore', ...user });
        children.push(child);
        await once(child, 'spawn');
        return child.pid;
      },
    ],
    ['this process', async () => process.pid],
    // The highest id that Linux gives to a process is one less than 4,194,304.
    ['no process', async () => 4_194_303],
  ])('starts although the process in postmaster.pid is now %s', async (_title, pidOf) => {
    const dataDir = await newFolder();
    const first = await start(dataDir);
    const pidFile = join(dataDir, 'postgres/postmaster.pid');
    const [, ...lines] = (await readFile(pidFile, 'utf8')).split('\n');
    await first.stop();
    const user = (await userToRunAs(dataDir)) ?? {};
    await writeFile(pidFile, [await pidOf(user), ...lines].join('\n'));
    if (isRoot) await chown(pidFile, (user as { uid: number }).uid, (user as { gid: number }).gid);
    const second = await start(dataDir);
    expect(second.adopted).toBe(false);
    expect(await query(second.url, 'select 1 as one')).toEqual([{ one: 1 }]);
  });

  faultTest('starts although a crash left postmaster.pid empty', async () => {
    const dataDir = await newFolder();
    await (await start(dataDir)).stop();
    await writeFile(join(dataDir, 'postgres/postmaster.pid'), '');
    expect((await start(dataDir)).adopted).toBe(false);
  });

  faultTest('removes the folder of an interrupted first start, but not that of one in progress', async () => {
    const dataDir = await newFolder();
    for (const name of ['postgres.new-old', 'postgres.new-now'])
      await mkdir(join(dataDir, name, 'cluster'), { recursive: true });
    await utimes(join(dataDir, 'postgres.new-old'), 0, 0);
    await start(dataDir);
    expect((await readdir(dataDir)).filter(name => name.startsWith('postgres.new-'))).toEqual(['postgres.new-now']);
  });

  faultTest('names the missing file when the password is lost', async () => {
    const dataDir = await newFolder();
    await (await start(dataDir)).stop();
    await rm(join(dataDir, 'postgres-password'));
    await expect(start(dataDir)).rejects.toThrow(/postgres-password is missing/);
  });

  faultTest('reports the message of PostgreSQL when it cannot start', async () => {
    const dataDir = await newFolder();
    await (await start(dataDir)).stop();
    await writeFile(join(dataDir, 'postgres/postgresql.conf'), 'nonsense = 1\n');
    await expect(start(dataDir)).rejects.toThrow(/did not start: .*nonsense/s);
  });

  onLinux('gives PostgreSQL nothing of the environment of its process', async () => {
    const dataDir = await newFolder();
    await start(dataDir);
    const environment = await readFile(`/proc/${await postmasterPid(dataDir)}/environ`, 'utf8');
    const names = environment.split('\0').map(entry => entry.split('=')[0]);
    expect(names.filter(name => name && !/^(LC_|PG|TZ$|PATH$)/.test(name))).toEqual([]);
  });
});

describe('as root', () => {
  asRoot.each(
    faultPoints<[title: string, parentMode: number, mode: number | undefined, name: string]>([
      ['below a closed folder', 0o700, 0o755, 'data'],
      ['closed itself', 0o755, 0o700, 'data'],
      ['closed below a closed folder', 0o700, 0o700, 'data'],
      ['open', 0o755, 0o755, 'data'],
      ['not there yet, below a closed folder', 0o700, undefined, 'a/b/data'],
    ]),
  )('runs as another user with a data folder that is %s', async (_title, parentMode, mode, name) => {
    const parent = await newFolder();
    const dataDir = join(parent, name);
    if (mode !== undefined) {
      await mkdir(dataDir);
      await chmod(dataDir, mode);
    }
    await chmod(parent, parentMode);
    const postgres = await start(dataDir);
    await query(postgres.url, 'create table kept as select 1 as one; checkpoint');
    const { uid } = await stat(`/proc/${await postmasterPid(dataDir)}`);
    expect(uid).not.toBe(0);
    expect((await stat(join(dataDir, 'postgres'))).uid).toBe(uid);
    expect((await stat(dataDir)).uid).toBe(0);
    if (mode !== undefined) expect((await stat(dataDir)).mode & 0o777).toBe(mode);
    await postgres.stop();
    expect(await query((await start(dataDir)).url, 'select one from kept')).toEqual([{ one: 1 }]);
  });

  asRootWithFaults('keeps the user that owns the cluster', async () => {
    const dataDir = await newFolder();
    await chown(dataDir, UNPRIVILEGED.uid, UNPRIVILEGED.gid);
    const asUser = await startInProcess(dataDir, UNPRIVILEGED);
    asUser.child.stdin?.end();
    await until(gone(join(dataDir, 'postgres/postmaster.pid')));
    await start(dataDir);
    expect((await stat(`/proc/${await postmasterPid(dataDir)}`)).uid).toBe(UNPRIVILEGED.uid);
  });

  asRootWithFaults('takes over a cluster that was restored as root', async () => {
    const dataDir = await newFolder();
    const first = await start(dataDir);
    await query(first.url, 'create table kept as select 1 as one');
    await first.stop();
    const restored = await newFolder();
    await cp(dataDir, restored, { recursive: true });
    expect((await stat(join(restored, 'postgres'))).uid).toBe(0);
    await chmod(join(restored, 'postgres'), 0o700);
    expect(await query((await start(restored)).url, 'select one from kept')).toEqual([{ one: 1 }]);
  });

  asRootWithFaults('copies programs that the other user cannot reach, once, and trusts no other copy', async () => {
    const folder = await newFolder();
    await chmod(folder, 0o755);
    const closed = join(folder, 'closed/package');
    const native = join(closed, 'native');
    const open = join(folder, 'tmp');
    await mkdir(open, { mode: 0o755 });
    const packaged = dirname(dirname((await openBinaries(undefined)).postgres));
    await cp(packaged, native, { recursive: true, verbatimSymlinks: true });
    await cp(join(dirname(packaged), 'package.json'), join(closed, 'package.json'));
    await chmod(join(folder, 'closed'), 0o700);
    expect(await isReachable(join(native, 'bin/postgres'), UNPRIVILEGED)).toBe(false);

    const copy = await copyForUser(native, UNPRIVILEGED, [join(folder, 'closed'), open]);
    expect(dirname(copy)).toBe(open);
    const version = spawnSync(join(copy, 'bin/postgres'), ['--version'], {
      cwd: '/',
      ...UNPRIVILEGED,
      encoding: 'utf8',
    });
    expect(version.stdout).toMatch(/^postgres \(PostgreSQL\) \d+/);
    const { ino } = await stat(copy);
    expect(await copyForUser(native, UNPRIVILEGED, [open])).toBe(copy);
    expect((await stat(copy)).ino).toBe(ino);

    await chmod(copy, 0o777);
    await expect(copyForUser(native, UNPRIVILEGED, [open])).rejects.toThrow(
      /belongs to another user.*set DATABASE_URL/,
    );
    await chmod(copy, 0o755);
    await rm(join(copy, 'bin/initdb'));
    await expect(copyForUser(native, UNPRIVILEGED, [open])).rejects.toThrow(/not complete: remove it/);
  });
});

describe('as an ordinary user', () => {
  asRoot('starts, adopts and stops in a folder of its own', async () => {
    const dataDir = await newFolder();
    await chown(dataDir, UNPRIVILEGED.uid, UNPRIVILEGED.gid);
    const first = await startInProcess(dataDir, UNPRIVILEGED);
    const second = await startInProcess(dataDir, UNPRIVILEGED);
    expect(second).toMatchObject({ adopted: true, url: first.url });
    expect(await query(first.url, 'select 1 as one')).toEqual([{ one: 1 }]);
    first.child.stdin?.end();
    await until(gone(join(dataDir, 'postgres/postmaster.pid')));
  });
});
