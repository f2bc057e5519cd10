import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import pg from 'pg';
import { RunRetention } from '../../../src/modules/workflow-runs/retention/run-retention.js';
import type { Database } from '../../../src/platform/database/database.js';
import { databaseUrl } from '../../support/config.js';
import { openDatabase } from '../../support/database.js';
import { eventually } from '../../support/eventually.js';
import { createWorkflow, pureGraph } from '../../support/run-graphs.js';
import { startTestService, type TestService } from '../../support/service.js';

let service: TestService;
let workflow: number;
let database: Database;
let retention: RunRetention;
beforeAll(async () => {
  // The scheduled task of the service must not drop the months of a test before the test does.
  service = await startTestService({ runResultTtlDays: 36_500 });
  workflow = await createWorkflow(service, pureGraph());
  database = await openDatabase(service.database);
  retention = new RunRetention(database, 30);
});
afterAll(async () => {
  await database.close();
  await service.stop();
});

async function finishedRun(): Promise<string> {
  const { body } = await service.rest('POST', `/api/v1/workflows/${workflow}/run/`, { body: { topic: 'cats' } });
  const read = () => service.rest('GET', `/api/v1/workflows/workflow_result/?id=${body.data.id}`);
  await eventually(read, answer => answer.body.data.status === 'succeed');
  return body.data.id;
}

/** The month of 2020 to which `age` moves runs: a separate one for each test. */
let month = 0;
beforeEach(() => {
  month++;
});
const partitionOf = (parent: string) => `${parent}_2020_0${month}`;

/** Moves runs years back, and creates the partitions of their month. */
async function age(...ids: string[]): Promise<void> {
  const [first, day, next] = [`2020-0${month}-01Z`, `2020-0${month}-15T00:00:00Z`, `2020-0${month + 1}-01Z`];
  for (const table of ['workflow_run_payload', 'workflow_run_journal']) {
    await service.sql(
      `create table ${partitionOf(table)} partition of ${table} for values from ('${first}') to ('${next}')`,
    );
    await service.sql(`update ${table} set run_created_at = $2 where run_id = any($1)`, [ids, day]);
  }
  await service.sql('update workflow_run set created_at = $2, run_finished_at = $2 where id = any($1)', [ids, day]);
}

const partitions = async () =>
  (await service.sql(`select relname from pg_class where relname ~ '_2020_\\d\\d$' and relkind = 'r'`)).map(
    row => row.relname,
  );

const rowsOf = async (run: string) => {
  const [row] = await service.sql(
    `select (select count(*)::int from workflow_run_payload where run_id = $1) as payloads,
            exists (select from workflow_run_journal where run_id = $1) as events`,
    [run],
  );
  return row;
};

it('drops months past the time to live, and keeps flagged runs', async () => {
  const [plain, flagged] = [await finishedRun(), await finishedRun()];
  await service.sql('update workflow_run set is_api_run = true where id = $1', [flagged]);
  await age(plain, flagged);
  expect(await partitions()).toHaveLength(2);

  await retention.run();

  expect(await partitions()).toEqual([]);
  const gone = await service.rest('GET', `/api/v1/workflows/${workflow}/history/${plain}/`);
  expect(gone.status).toBe(200);
  expect(gone.body).toMatchObject({ status: 'Succeeded', result: null, input_data: {} });
  const kept = await service.rest('GET', `/api/v1/workflows/workflow_result/?id=${flagged}`);
  expect(kept.body.data).toMatchObject({ status: 'succeed', output: 'about cats' });
  await retention.run();
  expect(await rowsOf(flagged)).toEqual({ payloads: 1, events: true });
});

it('deletes a kept run once its flag is removed', async () => {
  const run = await finishedRun();
  await service.sql('update workflow_run set is_api_run = true where id = $1', [run]);
  await age(run);
  await retention.run();
  await service.sql('update workflow_run set is_api_run = false where id = $1', [run]);

  await retention.run();

  expect(await rowsOf(run)).toEqual({ payloads: 0, events: false });
});

it('keeps the results of a run that waits, and those that ended within the time to live', async () => {
  const [waiting, ended] = [await finishedRun(), await finishedRun()];
  await age(waiting, ended);
  await service.sql('alter table workflow_run disable trigger workflow_run_end_is_final');
  await service.sql(`update workflow_run set state = 'waiting', run_finished_at = null where id = $1`, [waiting]);
  await service.sql('alter table workflow_run enable trigger workflow_run_end_is_final');
  await service.sql(`update workflow_run set run_finished_at = now() - interval '29 days' where id = $1`, [ended]);

  await retention.run();

  expect(await partitions()).toEqual([]);
  expect(await rowsOf(waiting)).toEqual({ payloads: 1, events: true });
  expect(await rowsOf(ended)).toEqual({ payloads: 1, events: true });
});

it('completes the work of a process that died between detaching a month and dropping it', async () => {
  const run = await finishedRun();
  await age(run);
  await service.sql(`select detach_month('workflow_run_payload', '${partitionOf('workflow_run_payload')}')`);

  await retention.run();

  expect(await partitions()).toEqual([]);
  expect(await rowsOf(run)).toEqual({ payloads: 0, events: false });
});

it('keeps the month in which the time to live ends', async () => {
  const [{ made, first, next } = {}] = await service.sql(
    `select 'workflow_run_payload_' || to_char(m, 'YYYY_MM') as made, m::text as first, (m + interval '1 month')::text as next
       from date_trunc('month', now() at time zone 'UTC' - interval '30 days') m`,
  );
  await service.sql(
    `create table if not exists ${made} partition of workflow_run_payload for values from ('${first}Z') to ('${next}Z')`,
  );

  await retention.run();

  expect(await service.sql('select to_regclass($1)::text as found', [made])).toEqual([{ found: made }]);
});

it('blocks no other statement: it gives way to a long transaction, and runs continue', async () => {
  const run = await finishedRun();
  await age(run);
  const reader = new pg.Client({ connectionString: databaseUrl(service.database) });
  await reader.connect();
  await reader.query('begin');
  await reader.query('select count(*) from workflow_run_payload');

  let failure: unknown;
  const retaining = retention.run().catch(error => {
    failure = error;
  });
  let runs = 0;
  while (failure === undefined) {
    await finishedRun();
    runs++;
  }
  await retaining;
  // lock_not_available
  expect(failure).toMatchObject({ code: '55P03' });
  // A blocked run would end only after the failure.
  expect(runs).toBeGreaterThan(1);
  expect(await rowsOf(run)).toEqual({ payloads: 1, events: true });

  await reader.query('rollback');
  await reader.end();
  await retention.run();
  expect(await partitions()).toEqual([]);
});

it('creates the partitions of the coming months once, however often it runs', async () => {
  await service.sql('select ensure_month_partitions(2)');
  await service.sql('select ensure_month_partitions(2)');
  const months = await service.sql(
    `select relname from pg_class where relname ~ '^workflow_run_payload_\\d{4}_\\d{2}$'
        and relname >= 'workflow_run_payload_' || to_char(now() at time zone 'UTC', 'YYYY_MM')`,
  );
  expect(months).toHaveLength(3);
});

it('leaves a month in the default partition whose own was not created in time', async () => {
  const [{ made } = {}] = await service.sql(
    `select 'workflow_run_payload_' || to_char(now() at time zone 'UTC', 'YYYY_MM') as made`,
  );
  await service.sql(`create table put_by as select * from ${made}`);
  await service.sql(`drop table ${made}`);
  await service.sql('insert into workflow_run_payload select * from put_by');

  await retention.run();

  expect(await service.sql('select to_regclass($1) as found', [made])).toEqual([{ found: null }]);
  await finishedRun();
});
