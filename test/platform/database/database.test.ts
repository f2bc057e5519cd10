import { setImmediate } from 'node:timers/promises';
import { expect, it } from '@jest/globals';
import { openDatabase } from '../../support/database.js';

it('a database is closed although the ORM has just begun to connect', async () => {
  const database = await openDatabase();
  const ask = () => database.orm.em.getConnection().execute('select 1');
  await ask();
  // All but one of them need a connection of their own.
  const asked = Promise.allSettled([ask(), ask(), ask()]);
  await setImmediate();
  await database.close();
  expect(await asked).toHaveLength(3);
});

it('PostgreSQL closes every session that a lost network leaves behind', async () => {
  const database = await openDatabase();
  const setting = `select current_setting('idle_session_timeout') as setting`;
  const expected = [{ setting: '25s' }];
  expect(await database.query(setting)).toEqual(expected);
  expect(await database.byKey('idle-session', setting, [])).toEqual(expected);
  expect(await database.longRunning.query(setting)).toEqual(expected);
  expect(await database.orm.em.getConnection().execute(setting)).toEqual(expected);
  await database.close();
});
