import { expect, it } from '@jest/globals';
import pg from 'pg';
import { registerDatabaseUse } from '../../../src/platform/database/instance-lock.js';

const url = process.env.TEST_POSTGRES_URL as string;

it('a use whose session another process has ended is not the last one', async () => {
  const use = await registerDatabaseUse(url);
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rowCount } = await client.query(
      `select pg_terminate_backend(pid, 5000) from pg_stat_activity where application_name = 'scenarium ${process.pid}'`,
    );
    expect(rowCount).toBe(1);
    expect(await use.endAsLast()).toBe(false);
  } finally {
    await client.end();
    await use.close();
  }
});
