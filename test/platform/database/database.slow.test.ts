import { setImmediate } from 'node:timers/promises';
import { expect, it } from '@jest/globals';
import pg from 'pg';
import { createDatabase, openDatabase } from '../../support/database.js';
import { eventually } from '../../support/eventually.js';

it('a database is closed although the ORM has just begun to connect', async () => {
  const name = await createDatabase();
  const database = await openDatabase(name);
  const runQuery = () => database.orm.em.getConnection().execute('select 1');
  await runQuery();
  // All but one of them need a separate connection.
  const queries = Promise.allSettled([runQuery(), runQuery(), runQuery()]);
  await setImmediate();
  await database.close();
  await queries;
  await eventually(
    () => countSessions(name),
    count => count === 0,
  );
});

async function countSessions(name: string): Promise<number> {
  const client = await connect();
  try {
    const { rows } = await client.query('select count(*)::int as count from pg_stat_activity where datname = $1', [
      name,
    ]);
    return rows[0].count;
  } finally {
    await client.end();
  }
}

async function connect(): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: process.env.TEST_POSTGRES_URL as string });
  await client.connect();
  return client;
}

it('every session has the timeout with which PostgreSQL closes it when a lost network leaves it behind', async () => {
  const database = await openDatabase();
  const setting = `select current_setting('idle_session_timeout') as setting`;
  const expected = [{ setting: '25s' }];
  expect(await database.query(setting)).toEqual(expected);
  expect(await database.byKey('idle-session', setting, [])).toEqual(expected);
  expect(await database.longRunning.query(setting)).toEqual(expected);
  expect(await database.orm.em.getConnection().execute(setting)).toEqual(expected);
  await database.close();
});
