import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import pg from 'pg';
import { withWaitWarnings } from '../../src/platform/config/wait-warnings.js';
import { createLog } from '../../src/platform/logging/log.js';
import { ADVISORY_LOCKS } from '../../src/platform/sql/advisory-locks.js';
import { databaseUrl } from '../support/config.js';
import { createDatabase } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { startTestService } from '../support/service.js';

interface Line {
  msg: string;
  reason?: string;
}

describe('a step that waits', () => {
  beforeEach(() => {
    jest.useFakeTimers();
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  it('logs the first reason at once, and then every two seconds what it waits for', async () => {
    const lines: unknown[] = [];
    const log = { warn: (members: object, text: string) => void lines.push([members, text]) };
    let end = () => {};
    const step = withWaitWarnings(log as never, 'the database', report => {
      setTimeout(() => report('refused'), 500);
      setTimeout(() => report('refused again'), 1_000);
      setTimeout(() => report('starting up'), 4_500);
      return new Promise<void>(resolve => {
        end = resolve;
      });
    });
    jest.advanceTimersByTime(6_500);
    const text = 'waiting for the database';
    expect(lines).toEqual([
      [{ waitedMs: 500, reason: 'refused' }, text],
      [{ waitedMs: 2_000, reason: 'refused again' }, text],
      [{ waitedMs: 4_000, reason: 'refused again' }, text],
      [{ waitedMs: 6_000, reason: 'starting up' }, text],
    ]);
    end();
    await step;
    expect(jest.getTimerCount()).toBe(0);
  });

  it('logs every two seconds if it has no reason, and nothing if it is fast', async () => {
    const lines: unknown[] = [];
    const log = { warn: (members: object, text: string) => void lines.push([members, text]) };
    expect(await withWaitWarnings(log as never, 'nothing', async () => 'done')).toBe('done');
    const failed = withWaitWarnings(
      log as never,
      'migrations',
      () => new Promise((_resolve, reject) => setTimeout(() => reject(new Error('lost')), 4_100)),
    );
    const outcome = expect(failed).rejects.toThrow('lost');
    jest.advanceTimersByTime(4_100);
    await outcome;
    expect(jest.getTimerCount()).toBe(0);
    expect(lines).toEqual([
      [{ waitedMs: 2_000 }, 'waiting for migrations'],
      [{ waitedMs: 4_000 }, 'waiting for migrations'],
    ]);
  });
});

describe('a start', () => {
  let name: string;
  let client: pg.Client;
  beforeEach(async () => {
    name = await createDatabase();
    client = new pg.Client({ connectionString: databaseUrl(name) });
    await client.connect();
  });
  afterEach(() => client.end());

  function startLogged() {
    const lines: Line[] = [];
    const log = createLog('info', { write: (line: string) => void lines.push(JSON.parse(line)) });
    return { lines, started: startTestService({ role: 'api' }, name, log) };
  }
  const waitFor = (lines: Line[], msg: string) =>
    eventually(
      async () => lines.find(line => line.msg === msg),
      line => line !== undefined,
    );

  it('says that it waits while another process migrates, and continues after it', async () => {
    const { rows } = await client.query(
      'delete from mikro_orm_migrations where id = (select max(id) from mikro_orm_migrations) returning name',
    );
    await client.query('select pg_advisory_lock($1)', [ADVISORY_LOCKS.migration]);
    const { lines, started } = startLogged();
    await waitFor(lines, 'waiting for migrations of the database');
    expect(lines.map(({ msg }) => msg)).not.toContain('started');
    await client.query('insert into mikro_orm_migrations (name) values ($1)', [rows[0].name]);
    await client.query('select pg_advisory_unlock($1)', [ADVISORY_LOCKS.migration]);
    await (await started).stop();
  });

  it('says that it waits for a read-only database to take writes', async () => {
    await client.query(`alter database ${name} set default_transaction_read_only = on`);
    const { lines, started } = startLogged();
    const line = await waitFor(lines, 'waiting for the database to take writes');
    expect(line).toMatchObject({ reason: 'PostgreSQL is read-only' });
    await client.query(`alter database ${name} reset default_transaction_read_only`);
    // Open sessions keep the old setting.
    await client.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and pid <> pg_backend_pid()`,
      [name],
    );
    await (await started).stop();
  });
});
