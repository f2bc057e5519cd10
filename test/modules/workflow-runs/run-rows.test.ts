import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Database } from '../../../src/platform/database/database.js';
import { openDatabase } from '../../support/database.js';

/** Columns that a report of a run in progress changes and a renewal of the lease does not. */
const REPORTED = ['sequence', 'worked_ms', 'running_cost_usd', 'recorded_at'];

let database: Database;
beforeAll(async () => {
  database = await openDatabase();
  await database.query(`insert into project (id, name) values (1, 'p'), (2, 'q')`);
  await database.query(`insert into workflow_revision (id, project_id, data) values (1, 1, '{}'), (2, 2, '{}')`);
});
afterAll(() => database.close());

/** Inserts a run of a project, whose revision has the same id. */
async function insertRun(project = 1): Promise<string> {
  const id = randomUUID();
  const insert = `insert into workflow_run (id, project_id, revision_id, state) values ($1, $2, $2, 'running')`;
  await database.query(insert, [id, project]);
  await database.query(
    `with run as (select id, created_at from workflow_run where id = $1),
     payload as (insert into workflow_run_payload (run_id, run_created_at, input) select id, created_at, '{}' from run)
     insert into workflow_run_journal (run_id, run_created_at, first_sequence, last_sequence, events)
     select id, created_at, n, n, '[{"type": "node.started"}]' from run, generate_series(1, 3) n`,
    [id],
  );
  return id;
}

const partsOf = (ids: string[]) =>
  database.query(
    `select (select count(*)::int from workflow_run_payload where run_id = any($1)) as payloads,
            (select count(*)::int from workflow_run_journal where run_id = any($1)) as events`,
    [ids],
  );

it('runs have no index on columns that a report between two states changes', async () => {
  const indexed = await database.query<{ name: string }>(
    `select distinct a.attname as name
       from pg_index i
       join pg_depend d on d.classid = 'pg_class'::regclass and d.objid = i.indexrelid
        and d.refclassid = 'pg_class'::regclass and d.refobjid = i.indrelid
       join pg_attribute a on a.attrelid = i.indrelid and a.attnum = d.refobjsubid
      where i.indrelid = 'workflow_run'::regclass`,
  );
  const names = indexed.map(row => row.name);
  expect(names).toEqual(expect.arrayContaining(['state', 'cost_usd']));
  expect(names.filter(name => REPORTED.includes(name))).toEqual([]);
});

it('runs are deleted with their payload and journal, without those of other runs', async () => {
  const [kept, ...gone] = [await insertRun(), await insertRun(), await insertRun()];
  await database.query('delete from workflow_run where id = any($1)', [gone]);
  expect(await partsOf(gone)).toEqual([{ payloads: 0, events: 0 }]);
  expect(await partsOf([kept!])).toEqual([{ payloads: 1, events: 3 }]);
});

it('runs are deleted with their payload and journal when their project is deleted', async () => {
  const id = await insertRun(2);
  await database.query('delete from project where id = 2');
  expect(await partsOf([id])).toEqual([{ payloads: 0, events: 0 }]);
});
