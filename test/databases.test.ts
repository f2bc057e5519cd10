import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { awaitFinish } from './rest/workflows/finished-run.js';
import { createDatabase } from './support/database.js';
import { hasPgBouncer, startPgBouncer } from './support/processes/pgbouncer.js';
import { createCluster, postgresTools, startPostgres } from './support/processes/postgres-server.js';
import { createWorkflow, echoGraph } from './support/run-graphs.js';
import { startTestService } from './support/service.js';

// Starts in this process. databases.slow.test.ts starts an API process and a worker.
const tools = postgresTools();

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'scenarium-databases-'));
  // Started by root, PostgreSQL runs as an unprivileged user, who must reach its folder.
  await chmod(folder, 0o777);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Starts the service on the database at `url` and executes a run, whose job and notifications use further sessions. */
async function expectRunWorks(url: string, name: string): Promise<void> {
  const service = await startTestService({ databaseUrl: url }, name);
  try {
    const workflow = await createWorkflow(service, echoGraph('echo'));
    const { body } = await service.rest('POST', `/api/v1/workflows/${workflow}/run/`, { body: { topic: 'cats' } });
    expect((await awaitFinish(service, body.data.id)).status).toBe('succeed');
  } finally {
    await service.stop();
  }
}

const NO_PGBOUNCER = hasPgBouncer ? '' : " (skipped without Debian's package pgbouncer)";
(hasPgBouncer ? describe : describe.skip)(`behind PgBouncer${NO_PGBOUNCER}`, () => {
  it.each<[mode: 'session' | 'transaction', what: string]>([
    ['session', 'works'],
    ['transaction', 'is refused at start, in one sentence'],
  ])('the mode %s %s', async mode => {
    const pooler = await startPgBouncer(process.env.TEST_POSTGRES_URL as string, mode);
    try {
      const name = await createDatabase();
      if (mode === 'session') return await expectRunWorks(pooler.url(name), name);
      await expect(startTestService({ databaseUrl: pooler.url(name) }, name)).rejects.toMatchObject({
        name: 'StartError',
        message:
          'DATABASE_URL: points to a connection pooler in transaction or statement mode, but the service needs sessions. ' +
          'Set pool_mode=session for this database (PgBouncer), or use the URL of PostgreSQL itself.',
      });
    } finally {
      await pooler.stop();
    }
  });
});

const NO_POSTGRES = tools === undefined ? " (skipped without PG_BIN and Debian's package postgresql)" : '';
(tools === undefined ? describe.skip : describe)(`on another PostgreSQL${NO_POSTGRES}`, () => {
  it('works as a role that owns its database and is not a superuser', async () => {
    await createCluster(tools as string, path.join(folder, 'cluster'));
    const server = await startPostgres(tools as string, path.join(folder, 'cluster'));
    try {
      await server.sql('create role scenarium login nosuperuser nocreatedb nocreaterole');
      await server.sql('create database scenarium owner scenarium');
      const url = new URL(server.url);
      url.username = 'scenarium';
      url.pathname = '/scenarium';
      await expectRunWorks(url.href, 'scenarium');
    } finally {
      await server.kill();
    }
  });
});
