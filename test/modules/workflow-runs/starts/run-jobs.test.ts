import { afterEach, describe, expect, it } from '@jest/globals';
import { holdDirectRun } from '../../../support/direct-run.js';
import { eventually } from '../../../support/eventually.js';
import { createWorkflow, echoGraph, pureGraph } from '../../../support/run-graphs.js';
import { startTestService, type TestService } from '../../../support/service.js';
import { startStubUpstream } from '../../../support/upstreams/stub-upstream.js';

/** Runs per test; `FAULTS=all` makes a thousand of them. */
const RUNS = process.env.FAULTS === 'all' ? 1_000 : 100;
const AT_ONCE = 20;

const services: TestService[] = [];
afterEach(async () => {
  for (const service of services.splice(0).reverse()) await service.stop();
});

async function start(options: Parameters<typeof startTestService>[0], database?: string): Promise<TestService> {
  const service = await startTestService(options, database);
  services.push(service);
  return service;
}

/** Counts the jobs of runs in a table, because the end of a run removes its job. */
async function countJobs({ sql }: TestService): Promise<() => Promise<Record<string, number>>> {
  await sql(`create table job_event (id uuid, what text, unique (id, what))`);
  await sql(`
    create function note_job() returns trigger language plpgsql as $$
    begin
      if coalesce(new.name, old.name) = 'workflow-run' then
        insert into job_event values (coalesce(new.id, old.id), case when tg_op = 'INSERT' then 'created' else 'removed' end)
          on conflict do nothing;
      end if;
      return null;
    end $$`);
  await sql(`create trigger note_job after insert or delete on pgboss.job for each row execute function note_job()`);
  return async () => {
    const rows = await sql<{ what: string; jobs: number }>(
      `select what, count(*)::int as jobs from job_event group by what
       union all select 'left', count(*)::int from pgboss.job where name = 'workflow-run'`,
    );
    return Object.fromEntries(rows.map(({ what, jobs }) => [what, jobs]));
  };
}

async function run(service: TestService, workflow: number, count: number): Promise<void> {
  let left = count;
  const caller = async () => {
    while (left-- > 0)
      expect(
        (await service.rest('POST', `/api/v1/workflows/${workflow}/run/`, { body: { topic: 'cats' } })).body.status,
      ).toBe(201);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, caller));
}

/** When the job of a run that no process has fetched is due. */
const DEFERRED = `
  select start_after as due from pgboss.job where name = 'workflow-run' and state = 'created' and start_after > now()`;

const unfinished = async ({ sql }: TestService) =>
  (await sql<{ runs: number }>('select count(*)::int as runs from workflow_run where run_finished_at is null'))[0]!
    .runs;

async function runAll(service: TestService, workflow: number): Promise<void> {
  await run(service, workflow, RUNS);
  await eventually(
    () => unfinished(service),
    runs => runs === 0,
  );
}

describe('jobs of runs with an outbound call', () => {
  it('a queued run has one, which is removed with it', async () => {
    const service = await start({ role: 'api' });
    const jobs = await countJobs(service);
    await run(service, await createWorkflow(service, echoGraph('echo')), RUNS);
    expect(await jobs()).toEqual({ created: RUNS, left: RUNS });
    await start({ role: 'worker' }, service.database);
    await eventually(
      () => unfinished(service),
      runs => runs === 0,
    );
    expect(await jobs()).toEqual({ created: RUNS, removed: RUNS, left: 0 });
  });

  it('a run that is assigned to a worker has none, or one that is removed with it', async () => {
    const service = await start({ role: 'api' });
    await start({ role: 'worker' }, service.database);
    const jobs = await countJobs(service);
    const workflow = await createWorkflow(service, echoGraph('echo'));
    let runs = 0;
    const { created = 0, ...others } = await eventually(
      async () => {
        runs += RUNS;
        await runAll(service, workflow);
        return jobs();
      },
      ({ created = 0 }) => created < runs,
    );
    expect(others).toEqual(created === 0 ? { left: 0 } : { removed: created, left: 0 });
  });

  it('a run that its process starts has one only if it lasts, which is removed with it', async () => {
    const upstream = await startStubUpstream();
    try {
      const service = await start({ role: 'all', openai: { baseUrl: upstream.url, apiKey: 'k' } });
      const jobs = await countJobs(service);
      const workflow = await createWorkflow(service, echoGraph('gpt-4o-mini'));
      const hold = () => holdDirectRun(service, upstream, () => run(service, workflow, 1));
      const end = async () => {
        await eventually(
          () => unfinished(service),
          runs => runs === 0,
        );
        const { created = 0 } = await eventually(
          jobs,
          ({ created = 0, removed = 0, left }) => left === 0 && removed === created,
        );
        return created;
      };
      // On a busy machine a run may last long enough for a job.
      await eventually(
        async () => {
          const held = await hold();
          const { created = 0 } = await jobs();
          held.release();
          return (await end()) - created;
        },
        created => created === 0,
      );

      const held = await hold();
      const [first] = await eventually(
        () => service.sql(DEFERRED),
        deferred => deferred.length === 1,
      );
      await eventually(
        () => service.sql(DEFERRED),
        ([job]) => job?.due > first!.due,
      );
      held.release();
      expect(await end()).toBeGreaterThan(0);
    } finally {
      await upstream.stop();
    }
  });

  it('and a run without one has none, because it is executed as it is accepted', async () => {
    const service = await start({ role: 'all' });
    const jobs = await countJobs(service);
    await run(service, await createWorkflow(service, pureGraph()), 5);
    expect(await jobs()).toEqual({ left: 0 });
  });
});

it('jobs without a worker wait for the next one, whatever process accepted their runs', async () => {
  const api = await start({ role: 'api' });
  await run(api, await createWorkflow(api, echoGraph('echo')), 10);
  expect(await api.sql(`select count(*)::int as jobs from pgboss.job where name = 'workflow-run'`)).toEqual([
    { jobs: 10 },
  ]);
  await start({ role: 'worker' }, api.database);
  await eventually(
    () => unfinished(api),
    runs => runs === 0,
  );
});
