import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Queue, RUN_JOBS } from '../../src/durable/queue.js';
import { RUN_QUEUE, RunClaims } from '../../src/modules/workflow-runs/execution/run-claims.js';
import type { Database } from '../../src/platform/database/database.js';
import { UNFLUSHED } from '../../src/platform/sql/unflushed.js';
import { databaseUrl } from '../support/config.js';
import { createDatabase, openDatabaseAt } from '../support/database.js';
import { openQueue } from '../support/jobs/open-queue.js';
import { insertQueuedRun } from '../support/jobs/queued-run.js';

let database: Database;
let queue: Queue;
beforeAll(async () => {
  // The database of the tests does not flush at all.
  database = await openDatabaseAt(`${databaseUrl(await createDatabase())}?options=-c%20synchronous_commit%3Don`);
  queue = await openQueue(database, { [RUN_QUEUE]: RUN_JOBS });
});
afterAll(async () => {
  await queue?.stop();
  await database?.close();
});

/** Connections are taken from the pool one after another, so this is the one of the last statement. */
const setting = async () => {
  const [row] = await database.byKey<{ value: string }>(
    'setting',
    `select current_setting('synchronous_commit') as value where $1`,
    [true],
  );
  return row!.value;
};

describe('without a flush commits', () => {
  async function acceptRun(): Promise<string> {
    const [project] = await database.query<{ id: number }>(`insert into project (name) values ('A') returning id`);
    const [revision] = await database.query<{ id: number }>(
      `insert into workflow_revision (project_id, data) values ($1, '{}') returning id`,
      [project!.id],
    );
    const id = await insertQueuedRun(database, project!.id, revision!.id);
    await queue.accept(RUN_QUEUE, [{ id, projectId: project!.id }], database);
    return id;
  }

  it('only the statement that fetches jobs, and the one that claims their runs', async () => {
    const id = await acceptRun();
    expect(await setting()).toBe('on');

    const fetched = await queue.fetchJobs(RUN_QUEUE, 10, []);
    expect(fetched).toEqual([expect.objectContaining({ id, unflushed: 'off' })]);
    expect(await setting()).toBe('on');

    const claimed = await new RunClaims(database, queue).claim([id]);
    expect(claimed).toEqual([expect.objectContaining({ id, attempts: 1, unflushed: 'off' })]);
    expect(await setting()).toBe('on');
  });

  it('a transaction, until it ends', async () => {
    const values = await database.transactionByKey(async sql => {
      await sql.query(`select ${UNFLUSHED}`);
      return sql.query<{ value: string }>(`select current_setting('synchronous_commit') as value`);
    });
    expect(values).toEqual([{ value: 'off' }]);
    expect(await setting()).toBe('on');
  });
});
