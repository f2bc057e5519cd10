import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type Queue, RUN_JOBS } from '../../src/durable/queue.js';
import { type ClaimedRun, RUN_QUEUE, RunClaims } from '../../src/modules/workflow-runs/execution/run-claims.js';
import type { Database } from '../../src/platform/database/database.js';
import { openDatabase } from '../support/database.js';
import { openQueue } from '../support/jobs/open-queue.js';
import { insertQueuedRun } from '../support/jobs/queued-run.js';

let database: Database;
let queue: Queue;
let claims: RunClaims;
beforeAll(async () => {
  database = await openDatabase();
  queue = await openQueue(database, { [RUN_QUEUE]: RUN_JOBS });
  claims = new RunClaims(database, queue);
  await database.query(`insert into project (id, name) values (1, 'Jobs')`);
  await database.query(`insert into workflow_revision (id, project_id, data) values (1, 1, '{}')`);
});
afterAll(async () => {
  await queue?.stop();
  await database?.close();
});

/** Inserts a run that a process has started, without a job. */
async function startRun(changes = `state = 'running'`): Promise<ClaimedRun> {
  const id = await insertQueuedRun(database, 1, 1);
  const [claimed] = await claims.claim([id]);
  await database.query(`update workflow_run set ${changes} where id = $1`, [id]);
  return claimed!;
}

/** Seconds from the creation of the job of a run until it is due, in tens. */
async function dueIn({ id }: ClaimedRun): Promise<number | undefined> {
  const [job] = await database.query<{ seconds: number }>(
    'select extract(epoch from start_after - created_on)::float8 as seconds from pgboss.job where id = $1',
    [id],
  );
  return job && Math.round(job.seconds / 10) * 10 + 0;
}

const OLD = `run_started_at = now() - interval '11 s'`;

it('a renewal creates the deferred jobs of the runs that this process still holds', async () => {
  const held = await startRun();
  const claimedByAnother = { ...(await startRun()), token: 7 };
  const [suspended, ended] = [await startRun(`state = 'waiting'`), await startRun(`state = 'failed'`)];
  const all = [held, claimedByAnother, suspended, ended];
  await claims.createJobs(all);
  await claims.createJobs(all);
  expect(await Promise.all(all.map(dueIn))).toEqual([10, undefined, undefined, undefined]);
});

it('a renewal creates no job for a run that is suspended at that moment', async () => {
  const run = await startRun();
  let renewal: Promise<void> | undefined;
  await database.transaction(async sql => {
    await sql.query(`update workflow_run set state = 'waiting' where id = $1`, [run.id]);
    renewal = claims.createJobs([run]);
    await queue.release(RUN_QUEUE, [run], sql, new Date(Date.now() + 3_600_000));
  });
  await renewal;
  expect(await dueIn(run)).toBeGreaterThanOrEqual(3_600);
});

it('started runs without a job get one when their process has not created it in time', async () => {
  const [old, external, waiting] = [
    await startRun(OLD),
    await startRun(`${OLD}, external_sequence = 1`),
    await startRun(`${OLD}, state = 'waiting'`),
  ];
  const renewed = await startRun(OLD);
  await claims.createJobs([renewed]);
  const young = await startRun(`run_started_at = now() + interval '1 minute'`);
  await claims.restoreJobs();
  const all = [young, old, external, waiting, renewed];
  expect(await Promise.all(all.map(dueIn))).toEqual([undefined, 0, undefined, undefined, 10]);
});

it('a probe restores no run, and fails while the table is locked', async () => {
  const run = await startRun(OLD);
  await claims.restoreJobs(true);
  expect(await dueIn(run)).toBeUndefined();
  await database.transaction(async sql => {
    await sql.query('lock table workflow_run in exclusive mode');
    await expect(claims.restoreJobs(true)).rejects.toThrow();
  });
  await claims.restoreJobs();
  expect(await dueIn(run)).toBe(0);
});

it('runs that another statement locks are restored by a later pass', async () => {
  const run = await startRun(OLD);
  await database.transaction(async sql => {
    await sql.query('select 1 from workflow_run where id = $1 for no key update', [run.id]);
    await claims.restoreJobs();
  });
  expect(await dueIn(run)).toBeUndefined();
  await claims.restoreJobs();
  expect(await dueIn(run)).toBe(0);
});
