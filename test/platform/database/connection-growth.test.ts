import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Database } from '../../../src/platform/database/database.js';
import { databaseUrl } from '../../support/config.js';
import { createDatabase, openDatabase, openDatabaseAt } from '../../support/database.js';
import { eventually } from '../../support/eventually.js';

/** One, unless the machine is busy. Each statement had its own before the maximum of 8. */
const FEW = 3;

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
  expect(countOpen()).toBeLessThanOrEqual(FEW);
});

it('opens one more for a statement that has waited', async () => {
  const ended: string[] = [];
  const long = database.query('select pg_sleep(2)').then(() => ended.push('long'));
  const short = database.query('select 1').then(() => ended.push('short'));
  await Promise.all([long, short]);
  expect(ended).toEqual(['short', 'long']);
  expect(countOpen()).toBeGreaterThan(1);
});

it('grows to its maximum while statements wait', async () => {
  const pids = await times(16, () => database.query<{ pid: number }>('select pg_backend_pid() as pid, pg_sleep(1)'));
  expect(new Set(pids.map(([row]) => row!.pid)).size).toBe(8);
  expect(countOpen()).toBe(8);
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
  expect(countOpen()).toBeLessThanOrEqual(FEW);
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
