import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { databaseUrl, testEnvironment } from '../support/config.js';
import { createDatabase } from '../support/database.js';
import { faultPoints } from '../support/processes/fault-points.js';
import { startProcess } from '../support/processes/process.js';
import { startTcpProxy } from '../support/processes/tcp-proxy.js';
import { cli } from './entry.js';

let folder: string;
let database: string;
let taken: Server;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'scenarium-start-'));
  database = await createDatabase();
  taken = createServer();
  await new Promise<void>(resolve => taken.listen(0, '127.0.0.1', resolve));
});
afterAll(async () => {
  taken.close();
  await rm(folder, { recursive: true, force: true });
});

/** Starts the service with these variables until it exits. Returns its output without the log, and the lines of the log. */
async function failStart(environment: Record<string, string>, flags: string[] = []) {
  const service = await startProcess({ ...testEnvironment(database), ...environment }, { ready: false, flags });
  const { code } = await service.exited;
  const lines = service.output().trim().split('\n');
  const isLog = (line: string) => line.startsWith('{');
  return { code, lines: lines.filter(line => !isLog(line)), log: lines.filter(isLog).map(line => JSON.parse(line)) };
}

const changedUrl = (change: (url: URL) => void) => {
  const url = new URL(databaseUrl(database));
  change(url);
  return url.href;
};
const asSuperuser = async (text: string) => {
  const client = new pg.Client({ connectionString: process.env.TEST_POSTGRES_URL as string });
  await client.connect();
  await client.query(text);
  await client.end();
};

describe('a start that fails says why in one line', () => {
  const cases: [string, () => Record<string, string> | Promise<Record<string, string>>, RegExp][] = [
    [
      'a wrong password',
      () => ({
        DATABASE_URL: changedUrl(url => {
          url.password = 'wrong-secret';
        }),
      }),
      /^DATABASE_URL: PostgreSQL at 127\.0\.0\.1:\d+ rejects the user "postgres" \(password authentication failed for user "postgres"\)\. Correct the user or the password\.$/,
    ],
    [
      'a missing password',
      () => ({
        DATABASE_URL: changedUrl(url => {
          url.password = '';
        }),
      }),
      /^DATABASE_URL: PostgreSQL at \S+ rejects the user "postgres" \(.*password must be a string\)\./,
    ],
    [
      'a missing database',
      () => ({
        DATABASE_URL: changedUrl(url => {
          url.pathname = '/nowhere';
        }),
      }),
      /^DATABASE_URL: PostgreSQL at \S+ has no database "nowhere" \(database "nowhere" does not exist\)\. Create it, or set the name of another one\.$/,
    ],
    [
      'no permission on the schema',
      async () => {
        const name = `closed_${Date.now()}`;
        await asSuperuser(`create role ${name} login password 'closed'`);
        await asSuperuser(`create database ${name}`);
        return {
          DATABASE_URL: changedUrl(url => {
            url.username = name;
            url.password = 'closed';
            url.pathname = `/${name}`;
          }),
        };
      },
      /^DATABASE_URL: the user "closed_\d+" lacks a permission in the database "closed_\d+" \(permission denied for .*\)\. Run: grant /,
    ],
    [
      'TLS that the server does not offer',
      () => ({
        DATABASE_URL: changedUrl(url => {
          url.searchParams.set('sslmode', 'verify-full');
        }),
      }),
      /^DATABASE_URL: the TLS connection to PostgreSQL at \S+ failed \(The server does not support SSL connections\)\. Set sslmode /,
    ],
    [
      'a host that does not exist',
      () => ({ DATABASE_URL: 'postgresql://x:y@host.invalid/x' }),
      /^DATABASE_URL: cannot connect to PostgreSQL at host\.invalid:5432 \(getaddrinfo \w+ host\.invalid\)\./,
    ],
    [
      'a data folder below a file',
      async () => {
        await writeFile(path.join(folder, 'file'), '');
        return { DATA_DIR: path.join(folder, 'file', 'data') };
      },
      /^DATA_DIR: "\S+\/file\/data" cannot be used \(ENOTDIR: not a directory, mkdir '.*'\)\. Set a folder that this user can create and write\.$/,
    ],
    [
      'a data folder that the kernel refuses',
      () => ({ DATA_DIR: '/proc/foo', DATABASE_URL: '' }),
      /^DATA_DIR: "\/proc\/foo" cannot be used \(ENOENT: .*\)\./,
    ],
    [
      'a data folder on a full disk',
      () => ({ DATA_DIR: '/dev/full/data' }),
      /^DATA_DIR: "\/dev\/full\/data" (?:cannot be used|is full) \(\w+: .*\)\./,
    ],
    [
      'a host that is not of this machine',
      () => ({ HOST: '203.0.113.7' }),
      /^HOST: "203\.0\.113\.7" is not an address of this machine \(EADDRNOTAVAIL\)\./,
    ],
    ['a host without an address', () => ({ HOST: 'no-host.invalid' }), /^HOST: "no-host\.invalid" is not an address /],
    [
      'a port in use',
      () => ({ PORT: String((taken.address() as AddressInfo).port) }),
      /^PORT: 127\.0\.0\.1:\d+ is in use by another process \(EADDRINUSE\)\. Choose a free port; 0 selects one\.$/,
    ],
    [
      'a metrics port in use',
      () => ({ METRICS_PORT: String((taken.address() as AddressInfo).port) }),
      /^METRICS_PORT: 127\.0\.0\.1:\d+ is in use by another process /,
    ],
    [
      'an entry of OUTBOUND_ALLOW that is none',
      () => ({ OUTBOUND_ALLOW: '10.0.0.0/99' }),
      /^OUTBOUND_ALLOW: got "10\.0\.0\.0\/99", expected a comma-separated list of host, host:port or CIDR$/,
    ],
  ];

  it.each(faultPoints(cases))('of %s', async (_name, environment, line) => {
    const { code, lines } = await failStart(await environment());
    expect(code).toBe(1);
    expect(lines).toEqual([expect.stringMatching(line)]);
    expect(lines[0]).not.toMatch(/wrong-secret/);
  });

  it('logs what it waits for while the database is unreachable', async () => {
    const proxy = await startTcpProxy({ host: '127.0.0.1', port: 1 });
    await proxy.cut();
    const service = await startProcess(
      { ...testEnvironment(database), DATABASE_URL: `postgresql://x@127.0.0.1:${proxy.port}/x` },
      { ready: false },
    );
    const waits = () => service.output().match(/"reason":"connect ECONNREFUSED[^}]*"msg":"waiting for the database"/g);
    while ((waits()?.length ?? 0) < 2) await new Promise(resolve => service.child.stdout?.once('data', resolve));
    await service.end('SIGTERM');
  });

  it('of a release of Node that is too old', async () => {
    const older = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.19.5' } })`;
    const { code, lines } = await failStart({}, ['--import', `data:text/javascript,${encodeURIComponent(older)}`]);
    expect(code).toBe(1);
    expect(lines).toEqual([
      'Scenarium needs Node 24.7 or newer, and this is Node 20.19.5. npm start uses the Node that npm ci installed.',
    ]);
  });
});

describe('a schema that is newer than the release', () => {
  it('is refused at start, until an operator accepts it', async () => {
    const name = await createDatabase();
    const client = new pg.Client({ connectionString: databaseUrl(name) });
    await client.connect();
    await client.query(`insert into mikro_orm_migrations (name) values ('M9999Later')`);
    await client.end();
    const environment = { DATABASE_URL: databaseUrl(name) };
    const refusal = expect.stringMatching(
      /^DATABASE_URL: the schema is newer than this release \(unknown migration M9999Later; the last known is M\w+\)\. .*migrate --allow-newer\.$/,
    );
    expect((await failStart(environment)).lines).toEqual([refusal]);
    const created = await cli(['user', 'create', '--email', 'ada@example.com'], environment);
    expect(created).toMatchObject({ code: 1, stderr: expect.stringContaining('M9999Later') });

    expect(await cli(['migrate', '--allow-newer'], environment)).toMatchObject({ code: 0 });
    const service = await startProcess({ ...testEnvironment(name) });
    expect((await fetch(`${service.url}/readyz`)).status).toBe(200);
    await service.end();
  });
});
