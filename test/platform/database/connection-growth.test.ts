import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import type { Database } from '../../../src/platform/database/database.js';
import { databaseUrl } from '../../support/config.js';
import { createDatabase, openDatabase, openDatabaseAt } from '../../support/database.js';
import { eventually } from '../../support/eventually.js';

/** The maximum of the pool. So many connections would open if each statement opened one. */
const MAX = 8;

let name: string;
let database: Database;

beforeAll(async () => {
  name = await createDatabase();
  database = await openDatabase(name);
});

afterAll(() => database.close());

function countOpen(): number {
  const { busy, idle } = database.connections;
  return busy + idle;
}

const times = <T>(count: number, work: () => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, work));

it('shares few connections among short statements that meet', async () => {
  await database.query('select 1');
  await times(20, () => database.query('select 1'));
  expect(countOpen()).toBeLessThan(MAX);
});

describe('while statements wait for a lock', () => {
  const WAIT = 'select pg_advisory_xact_lock(1)';
  let holder: pg.Client;

  beforeEach(async () => {
    holder = new pg.Client({ connectionString: databaseUrl(name) });
    await holder.connect();
    await holder.query('select pg_advisory_lock(1)');
  });

  afterEach(() => holder.end());

  const release = () => holder.query('select pg_advisory_unlock(1)');

  it('opens one more for a statement that has waited', async () => {
    let isBlocked = true;
    const blocked = database.query(WAIT).then(() => {
      isBlocked = false;
    });
    await database.query('select 1');
    expect(isBlocked).toBe(true);
    expect(countOpen()).toBeGreaterThan(1);
    await release();
    await blocked;
  });

  it('grows to its maximum', async () => {
    const blocked = times(MAX, () => database.query(WAIT));
    await eventually(
      async () => countOpen(),
      count => count === MAX,
    );
    await release();
    await blocked;
  });
});

it('starts again with few connections after the others have ended', async () => {
  const other = await openDatabase(name);
  await other.query(
    'select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and datname = current_database()',
  );
  await other.close();
  await eventually(
    async () => countOpen(),
    count => count === 0,
  );
  await times(20, () => database.query('select 1'));
  expect(countOpen()).toBeLessThan(MAX);
});

it('rejects all waiting statements when the database refuses connections', async () => {
  const url = new URL(databaseUrl(name));
  url.port = '1';
  const refused = await openDatabaseAt(url.href);
  const results = await Promise.allSettled(Array.from({ length: 20 }, () => refused.query('select 1')));
  expect(results.map(result => result.status === 'rejected' && result.reason.code)).toEqual(
    Array(20).fill('ECONNREFUSED'),
  );
  await refused.close();
});
