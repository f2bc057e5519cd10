import { setImmediate } from 'node:timers/promises';
import { expect, it } from '@jest/globals';
import { openDatabase } from '../support/database.js';

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
