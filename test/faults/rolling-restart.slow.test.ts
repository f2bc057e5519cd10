import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Migration } from '@mikro-orm/migrations';
import pg from 'pg';
import { MIGRATIONS } from '../../src/migrations/index.js';
import { ENTITIES } from '../../src/modules/registry.js';
import { Database } from '../../src/platform/database/database.js';
import { createLog } from '../../src/platform/logging/log.js';
import { databaseUrl, testEnvironment } from '../support/config.js';
import { eventually } from '../support/eventually.js';
import { type ServiceProcess, startProcess } from '../support/processes/process.js';
import { type RoundRobin, startRoundRobin } from '../support/round-robin.js';
import { createWorkflow, pureGraph } from '../support/run-graphs.js';
import { createDatabase, startTestService, type TestService } from '../support/service.js';
import { type SteadyLoad, startSteadyLoad } from '../support/steady-load.js';

const underLoad = process.env.FAULTS === 'all' ? describe : describe.skip;
const ROUNDS = 10;
const PER_SECOND = 50;

/** A migration that the next release may apply to the tables that every request uses. */
class NextRelease extends Migration {
  override up(): void {
    this.addSql(`alter table workflow_run add next_release text not null default ''`);
    this.addSql('alter table project add next_release int null');
    this.addSql('alter table api_key add next_release int null');
    this.addSql('create table next_release (id serial primary key)');
    this.addSql('create index next_release_of_run on workflow_run (next_release)');
  }
}

const migrations = [...MIGRATIONS, { name: NextRelease.name, class: NextRelease }];

underLoad('two APIs and two workers behind a load balancer, at 50 requests a second', () => {
  let name: string;
  let observer: TestService;
  let apis: ServiceProcess[] = [];
  let workers: ServiceProcess[] = [];
  let balancer: RoundRobin;
  let load: SteadyLoad;

  const start = (ROLE: string) => startProcess({ ...testEnvironment(name), ROLE, SHUTDOWN_DELAY_SECONDS: '2' });
  const open = () =>
    Database.open({ url: databaseUrl(name), entities: ENTITIES, migrations, log: createLog('silent') });

  beforeAll(async () => {
    name = await createDatabase();
    observer = await startTestService({ role: 'api' }, name);
    const workflow = await createWorkflow(observer, pureGraph());
    [apis, workers] = await Promise.all([
      Promise.all([start('api'), start('api')]),
      Promise.all([start('worker'), start('worker')]),
    ]);
    balancer = await startRoundRobin(apis.map(({ url }) => url));
    load = startSteadyLoad(balancer.url, workflow, PER_SECOND);
  });
  afterAll(async () => {
    await load?.stop();
    await balancer?.stop();
    await Promise.all([...apis, ...workers].map(each => each.end('SIGKILL')));
    await observer?.stop();
  });

  /** Replaces each process in turn. */
  async function restart(): Promise<void> {
    for (const [index, api] of apis.entries()) {
      expect(await api.end('SIGTERM')).toEqual({ code: 0, signal: null });
      const next = await start('api');
      balancer.replace(api.url, next.url);
      apis[index] = next;
      await eventually(
        async () => balancer.ready(),
        ready => ready === apis.length,
      );
    }
    for (const [index, worker] of workers.entries()) {
      const [next, end] = await Promise.all([start('worker'), worker.end('SIGTERM')]);
      expect(end).toEqual({ code: 0, signal: null });
      workers[index] = next;
    }
  }

  /** Resolves after this many further answers. */
  async function awaitAnswers(more: number): Promise<void> {
    const until = load.answered() + more;
    await eventually(
      async () => load.answered(),
      answered => answered >= until,
    );
  }

  it('answers every request while each process is restarted', async () => {
    for (let round = 0; round < ROUNDS; round++) await restart();
    expect(load.failures).toEqual([]);
  }, 600_000);

  it('answers every request while the next release migrates, and works with the old release afterwards', async () => {
    // A long reader, such as a dump, keeps the migration from its tables; no request may queue behind the migration.
    const reader = new pg.Client({ connectionString: databaseUrl(name) });
    await reader.connect();
    await reader.query('begin');
    await reader.query('select count(*) from workflow_run');
    const releases = await Promise.all([open(), open()]);
    const migrated = Promise.all(releases.map(release => release.migrate()));
    await awaitAnswers(2 * PER_SECOND);
    await reader.query('commit');
    await reader.end();
    await migrated;
    const [row] = await observer.sql('select count(*)::int as count from mikro_orm_migrations');
    expect(row?.count).toBe(migrations.length);
    await Promise.all(releases.map(release => release.close()));

    await awaitAnswers(PER_SECOND);
    await restart();
    expect(load.failures).toEqual([]);
  }, 600_000);

  it('has started each accepted run once, and finishes it', async () => {
    await load.stop();
    expect(load.accepted.length).toBeGreaterThan(PER_SECOND);
    const [stored] = await observer.sql('select count(*)::int as count from workflow_run');
    expect(stored?.count).toBe(load.accepted.length);
    const left = () =>
      observer.sql(`select id, state from workflow_run where state <> 'succeeded' or not id = any($1)`, [
        load.accepted,
      ]);
    expect(await eventually(left, rows => rows.length === 0)).toEqual([]);
  });
});
