import { expect, it } from '@jest/globals';
import { MIGRATIONS } from '../../src/migrations/index.js';
import { M0031OneEnd } from '../../src/migrations/m0031-one-end.js';
import { ENTITIES } from '../../src/modules/registry.js';
import { Database } from '../../src/platform/database/database.js';
import { createLog } from '../../src/platform/logging/log.js';
import { statementsOf } from '../architecture/migration-changes.js';
import { databaseUrl } from '../support/config.js';
import { createDatabase } from '../support/service.js';

/** Tables that only raw SQL writes, so no entity describes them. */
const WITHOUT_ENTITY =
  /workflow_run|workflow_figures|workflow_bookmark|marketplace_use|market_terms|billing_credit|scenario_run|document|recognition|keyword|tool_pin|billing_transaction|answered_calls|idempotency_key|budget_reservation|project_storage|user_session|refresh_token|login_brake|login_client|project_invitation|audit_entry|api_key_window|service_setting|message_prompt|scenario_message|provider_key|webhook_(secret|delivery|attempt)|accepted_migration|pgboss/;
/**
 * Functions of the migrations, indexes that a decorator cannot express, and the one reference that would make two
 * entities import each other.
 */
const BEYOND_ENTITIES =
  /^drop (function|trigger)|workflow_revision_id_foreign|workflow_(published|catalog)_|workflow_archived|(project|app_user)_by_/;

async function open(): Promise<Database> {
  return Database.open({
    url: databaseUrl(await createDatabase()),
    entities: ENTITIES,
    migrations: MIGRATIONS,
    log: createLog('silent'),
  });
}

it('leaves the database as the entities describe it', async () => {
  const database = await open();
  const statements = (await database.orm.schema.getUpdateSchemaSQL({ wrap: false }))
    .split(';')
    .map(statement => statement.trim())
    .filter(statement => statement !== '' && !WITHOUT_ENTITY.test(statement) && !BEYOND_ENTITIES.test(statement));
  expect(statements).toEqual([]);
  await database.close();
});

it('does nothing a second time', async () => {
  const database = await open();
  await database.migrate();
  const [row] = await database.query<{ count: number }>('select count(*)::int as count from mikro_orm_migrations');
  expect(row?.count).toBe(MIGRATIONS.length);
  await database.close();
});

it('keeps a run in the state in which it ended, whichever statement tries to change it', async () => {
  const database = await open();
  await database.query(`insert into project (id, name) values (1, 'p')`);
  await database.query(`insert into workflow_revision (id, project_id, data) values (1, 1, '{}')`);
  for (const [index, state] of ['succeeded', 'failed', 'cancelled'].entries()) {
    const id = `00000000-0000-4000-8000-00000000000${index}`;
    await database.query('insert into workflow_run (id, project_id, revision_id, state) values ($1, 1, 1, $2)', [
      id,
      state,
    ]);
    await expect(database.query(`update workflow_run set state = 'running' where id = $1`, [id])).rejects.toThrow(
      'has ended as',
    );
    await database.query('update workflow_run set is_api_run = true where id = $1', [id]);
  }
  await database.close();
});

it('ends each journal with the end of its run, and no journal of a run in progress', async () => {
  const database = await open();
  await database.query('drop index workflow_run_journal_one_end, scenario_run_journal_one_end');
  await database.query(`insert into project (id, name) values (1, 'p')`);
  await database.query(`insert into workflow_revision (id, project_id, data) values (1, 1, '{}')`);
  const batches: [number, number, number, string[]][] = [
    // Two ends; one end; an end only in the journal, after an event and as its only event.
    [1, 1, 2, ['node.succeeded', 'run.succeeded']],
    [1, 3, 3, ['run.succeeded']],
    [2, 1, 2, ['node.succeeded', 'run.failed']],
    [3, 1, 2, ['node.succeeded', 'run.succeeded']],
    [4, 1, 1, ['node.succeeded']],
    [4, 2, 2, ['run.succeeded']],
  ];
  const idOf = (run: number) => `00000000-0000-4000-8000-00000000000${run}`;
  for (const run of [1, 2, 3, 4])
    await database.query(
      `insert into workflow_run (id, project_id, revision_id, state, run_finished_at)
       values ($1, 1, 1, $2, case when $2 <> 'running' then now() end)`,
      [idOf(run), ['succeeded', 'failed', 'running', 'running'][run - 1]],
    );
  for (const [run, first, last, types] of batches)
    await database.query(
      `insert into workflow_run_journal (run_id, run_created_at, first_sequence, last_sequence, events)
       select id, created_at, $2, $3, $4 from workflow_run where id = $1`,
      [idOf(run), first, last, JSON.stringify(types.map((type, index) => ({ type, sequence: first + index })))],
    );
  for (const statement of (await statementsOf('M0031OneEnd', M0031OneEnd)).statements) await database.query(statement);
  const rows = await database.query<{ run: number; first: number; last: number; types: string[] }>(
    `select right(run_id::text, 1)::int as run, first_sequence as first, last_sequence as last,
            (select json_agg(e ->> 'type') from json_array_elements(events) e) as types
       from workflow_run_journal order by 1, 2`,
  );
  expect(rows.map(({ run, first, last, types }) => [run, first, last, types])).toEqual([
    [1, 1, 1, ['node.succeeded']],
    [1, 3, 3, ['run.succeeded']],
    [2, 1, 2, ['node.succeeded', 'run.failed']],
    [3, 1, 1, ['node.succeeded']],
    [4, 1, 1, ['node.succeeded']],
  ]);
  await database.close();
});
