import { readdir } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { CompiledEntry, cli, cliProcess, holdsPostgres, newDataDir, removeDataDir } from './entry.js';

// Each process starts or adopts a PostgreSQL of its own data folder: seconds, and more on a busy machine.
const SLOW_MS = 120_000;

describe('the command line on the embedded database', () => {
  let dataDir: string;
  beforeEach(async () => {
    dataDir = await newDataDir();
  });
  afterEach(() => removeDataDir(dataDir), SLOW_MS);

  it(
    'creates the database only by migrate and leaves no PostgreSQL running',
    async () => {
      const missing = await cli(['user', 'create', '--email', 'ada@example.com'], { DATA_DIR: dataDir });
      expect(missing).toMatchObject({ code: 1, stdout: '' });
      expect(missing.stderr).toContain(`DATA_DIR: ${dataDir} contains no database.`);
      expect(await readdir(dataDir)).toEqual([]);
      expect(await cli(['migrate'], { DATA_DIR: dataDir })).toMatchObject({ code: 0, stderr: '' });
      const created = await cli(['user', 'create', '--email', 'ada@example.com'], { DATA_DIR: dataDir });
      expect(created).toMatchObject({ code: 0, stderr: '' });
      expect(holdsPostgres(dataDir)).toBe(false);
    },
    SLOW_MS,
  );

  it(
    'shares the database with other processes, regardless of which starts or ends first',
    async () => {
      await cli(['migrate'], { DATA_DIR: dataDir });
      const emails = ['ada@example.com', 'grace@example.com'];
      // First two processes of their own, then two commands in the process of the test: both must share the database.
      const users = await Promise.all(
        emails.map(email => cliProcess(['user', 'create', '--email', email], { DATA_DIR: dataDir })),
      );
      expect(users.map(({ code, stderr }) => ({ code, stderr }))).toEqual(emails.map(() => ({ code: 0, stderr: '' })));
      const keys = await Promise.all(
        emails.map(email => cli(['key', 'create', '--email', email, '--name', 'test'], { DATA_DIR: dataDir })),
      );
      expect(keys.map(({ code, stderr }) => ({ code, stderr }))).toEqual(emails.map(() => ({ code: 0, stderr: '' })));
    },
    SLOW_MS,
  );

  it(
    'works while a service uses the database, and the service continues',
    async () => {
      const service = new CompiledEntry('main.js', [], {
        DATA_DIR: dataDir,
        PORT: '0',
        ADMIN_EMAIL: 'ada@example.com',
      });
      try {
        const [, url] = await service.waitForOutput(/listens on (\S+)/);
        const created = await cli(['key', 'create', '--email', 'ada@example.com', '--name', 'second'], {
          DATA_DIR: dataDir,
        });
        expect(created).toMatchObject({ code: 0, stderr: '' });
        const headers = { 'X-Api-Key': created.stdout.trim() };
        const answer = await fetch(`${url}/api/v1/projects/`, { headers });
        expect(answer.status).toBe(200);
        expect(await answer.json()).toMatchObject({ total: 0 });
      } finally {
        const { code } = await service.end('SIGTERM');
        expect(code).toBe(0);
      }
      expect(holdsPostgres(dataDir)).toBe(false);
    },
    SLOW_MS,
  );
});
