import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { PgBoss } from 'pg-boss';
import { captureJobStatements, jobJsonSql } from '../../src/durable/job-statements.js';
import { PROJECT_JOBS } from '../../src/durable/project-jobs.js';
import { type Queue, RUN_JOBS } from '../../src/durable/queue.js';
import type { Database } from '../../src/platform/database/database.js';
import { openDatabase } from '../support/database.js';
import { openQueue } from '../support/jobs/open-queue.js';

const RUNS = 'runs-of-this-test';
const PROJECTS = 'projects-of-this-test';
/** The methods of pg-boss whose statements are captured. */
const CAPTURED = ['insert', 'deleteJob', 'fetch'];

let database: Database;
let queue: Queue;
beforeAll(async () => {
  database = await openDatabase();
  queue = await openQueue(database, { [RUNS]: RUN_JOBS, [PROJECTS]: PROJECT_JOBS });
});
afterAll(async () => {
  await queue?.stop();
  await database?.close();
});

describe('statements of pg-boss as parts of another one', () => {
  it('create jobs of several queues, and do not change one that exists', async () => {
    const runs = queue.statements(RUNS);
    const projects = queue.statements(PROJECTS);
    const id = randomUUID();
    const run = jobJsonSql({ id: 'id', groupId: `'7'`, priority: '-3', startAfter: '60' });
    const project = jobJsonSql({ singletonKey: `'7'`, groupId: `'7'`, data: `json_build_object('projectId', 7)` });
    const create = () =>
      database.query(
        `with given as (select '${id}'::uuid as id),
         ${runs.insert('jobs', `select json_agg(${run}) from given`)},
         ${projects.insert('woken', `select json_agg(${project}) from given`)}
         select (select count(*) from jobs), (select count(*) from woken)`,
      );
    await create();
    await create();
    const jobs = await database.query(
      `select name, group_id as "group", priority, data, singleton_key as key, start_after > now() as "isLater"
         from pgboss.job where name = any($1) order by name desc`,
      [[RUNS, PROJECTS]],
    );
    expect(jobs).toEqual([
      { name: RUNS, group: '7', priority: -3, data: null, key: null, isLater: true },
      { name: PROJECTS, group: '7', priority: 0, data: { projectId: 7 }, key: '7', isLater: false },
    ]);
  });

  it('remove jobs, whether a worker has fetched them or not', async () => {
    const { remove } = queue.statements(RUNS);
    const ids = [randomUUID(), randomUUID()];
    const other = randomUUID();
    await queue.boss.insert(RUNS, [{ id: ids[0]! }]);
    await queue.boss.fetch(RUNS);
    await queue.boss.insert(RUNS, [{ id: ids[1]! }, { id: other }]);
    await database.query(`with ${remove('jobs', `select array_agg(id) from unnest($1::uuid[]) as id`)} select 1`, [
      ids,
    ]);
    const jobs = await database.query<{ id: string }>('select id from pgboss.job where id = any($1)', [
      [...ids, other],
    ]);
    expect(jobs).toEqual([{ id: other }]);
  });

  it.each(CAPTURED)('are refused if that of %s has an unknown form', async changed => {
    const method =
      (name: string) =>
      (...args: unknown[]) => {
        const { db, ...options } = args.pop() as { db: { executeSql(text: string, values: unknown[]): unknown } };
        const unknown = { executeSql: () => db.executeSql('select 1', ['of an unknown form']) };
        return Reflect.apply(Reflect.get(queue.boss, name), queue.boss, [
          ...args,
          { ...options, db: name === changed ? unknown : db },
        ]);
      };
    const boss = Object.fromEntries(CAPTURED.map(name => [name, method(name)])) as unknown as PgBoss;
    await expect(captureJobStatements(boss, RUNS)).rejects.toThrow('unsupported form');
  });
});
