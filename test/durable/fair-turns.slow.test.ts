import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { fetchFairly } from '../../src/durable/fair-fetch.js';
import { Queue, RUN_JOBS } from '../../src/durable/queue.js';
import { ensureQueues } from '../../src/durable/worker.js';
import { QueueDepth } from '../../src/modules/workflow-runs/admission/queue-depth.js';
import { createLog } from '../../src/platform/logging/log.js';
import { Bus } from '../../src/platform/messaging/bus.js';
import { openDatabase } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { formOf } from '../support/forms.js';
import { createWorkflow, echoGraph, pureGraph } from '../support/run-graphs.js';
import { startTestService, type TestService } from '../support/service.js';

const NAME = 'test-runs';

describe('a fetch', () => {
  it('takes one run of each project before the second of another, and skips projects that have their share', async () => {
    const { fetch, accept, close } = await openQueue();
    await accept(1, 1_000);
    await accept(2, 3);
    await accept(3, 1);
    expect(await fetch({ free: 14, concurrency: 100 })).toEqual([1, 1, 2, 3]);
    expect(await fetch({ free: 12, concurrency: 100 })).toEqual([1, 2]);
    // The last tenth is reserved for projects with less than their fair share; no project has more than the rest.
    expect(await fetch({ free: 5, concurrency: 100, busy: [[1, 95]] })).toEqual([2]);
    expect(await fetch({ free: 60, concurrency: 100, busy: [[1, 90]] })).toEqual([]);
    expect((await fetch({ free: 60, concurrency: 100, busy: [[1, 40]] })).length).toBe(50);
    await close();
  });

  it('gives every job to one worker, however many fetch at once', async () => {
    const { queue, accept, close } = await openQueue();
    for (let project = 1; project <= 5; project++) await accept(project, 40);
    const fetched: string[] = [];
    while (fetched.length < 200) {
      const batches = await Promise.all([1, 2, 3, 4, 5].map(() => queue.fetchJobs(NAME, 7, [])));
      fetched.push(...batches.flat().map(job => job.id));
    }
    expect(new Set(fetched).size).toBe(fetched.length);
    await close();
  });

  it('reads as little of a queue of 5,000 as of one of ten', async () => {
    const { queue, accept, pagesOf, close } = await openQueue();
    await accept(1, 10);
    await accept(2, 1);
    const small = await pagesOf(() => queue.fetchJobs(NAME, 5, []));
    await accept(1, 5_000);
    await accept(2, 1);
    const large = await pagesOf(() => queue.fetchJobs(NAME, 5, []));
    expect(small).toBeGreaterThan(10);
    expect(large).toBeLessThan(small * 2);
    await close();
  });
});

describe('a worker', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService({ workerConcurrency: 10 });
  });
  afterAll(() => service.stop());

  it('starts the one run of a project while thousands of another wait', async () => {
    const [crowd, one] = [await createWorkflow(service, pureGraph()), await createWorkflow(service, echoGraph('echo'))];
    await insertQueuedRuns(crowd, 2_000);
    const { body } = await service.rest('POST', `/api/v1/workflows/${one}/run/`, { body: { topic: 'cats' } });
    await eventually(
      () => service.rest('GET', `/api/v1/workflows/workflow_result/?id=${body.data.id}`),
      answer => answer.body.data.status === 'succeed',
    );
    const [left] = await service.sql(`select count(*)::int as runs from workflow_run where state = 'queued'`);
    expect(left?.runs).toBeGreaterThan(500);
    await service.sql(`delete from pgboss.job where state < 'active'`);
    await service.sql(`delete from workflow_run where workflow_id = $1 and state = 'queued'`, [crowd]);
  });

  it('continues with the waiting runs of a project as soon as one of its runs has ended', async () => {
    const workflow = await createWorkflow(service, pureGraph());
    await insertQueuedRuns(workflow, 2_000);
    // One project has nine of ten slots: polled once a second, 2,000 runs would take 222 seconds.
    const countUnfinished = async () =>
      (await service.sql(`select 1 from workflow_run where workflow_id = $1 and run_finished_at is null`, [workflow]))
        .length;
    await eventually(countUnfinished, runs => runs === 0);
  });

  /** Inserts runs that were accepted an hour ago, with their jobs. */
  async function insertQueuedRuns(workflow: number, count: number): Promise<void> {
    await service.sql(
      `with w as (select id, project_id, revision_id from workflow where id = $1),
       made as (
         insert into workflow_run (id, project_id, workflow_id, revision_id, state, queued_at)
         select gen_random_uuid(), project_id, id, revision_id, 'queued', now() - interval '1 hour'
           from w cross join generate_series(1, $2)
         returning id, created_at),
       jobs as (
         insert into pgboss.job (id, name, group_id, priority, heartbeat_seconds, retry_limit, expire_seconds, policy)
         select m.id, q.name, w.project_id::text, 1 - row_number() over (), q.heartbeat_seconds, q.retry_limit, q.expire_seconds, q.policy
           from made m cross join w join pgboss.queue q on q.name = 'workflow-run')
       insert into workflow_run_payload (run_id, run_created_at, input) select id, created_at, '{"topic": "dogs"}' from made`,
      [workflow, count],
    );
  }
});

it('500 simultaneous runs are admitted to an empty queue, although one count admits only a quarter of the limit', async () => {
  const database = await openDatabase();
  const depth = new QueueDepth(database, 40);
  await expect(Promise.all(Array.from({ length: 500 }, () => depth.check(1)))).resolves.toHaveLength(500);
  await database.close();
});

describe('a full queue', () => {
  it('answers 429 with Retry-After to that project only, until its queue has space', async () => {
    const service = await startTestService({ role: 'api', projectQueueMax: 3 });
    const [crowd, one] = [
      await createWorkflow(service, echoGraph('echo')),
      await createWorkflow(service, echoGraph('echo')),
    ];
    const start = (workflow: number) =>
      service.rest('POST', `/api/v1/workflows/${workflow}/run/`, { body: { topic: 'cats' } });
    for (let run = 0; run < 3; run++) expect((await start(crowd)).body.status).toBe(201);
    const refused = await start(crowd);
    expect([refused.status, refused.headers.get('retry-after'), refused.body.code]).toEqual([
      429,
      '10',
      'rate_limited',
    ]);
    expect((await start(one)).body.status).toBe(201);
    await service.sql(`update workflow_run set state = 'running' where workflow_id = $1`, [crowd]);
    await eventually(
      () => start(crowd),
      answer => answer.body.status === 201,
    );
    await service.stop();
  });
});

describe('documents', () => {
  it('are read in turns of their projects', async () => {
    const service = await startTestService({ role: 'api' });
    const documents = new Map<string, number>();
    for (const name of ['crowd', 'one']) {
      const { body: project } = await service.rest('POST', '/api/v1/projects/', { body: { name } });
      const body = formOf({ project: String(project.id) }, { file1: [`${name}.txt`, 'Some text.'] });
      const { body: made } = await service.rest('POST', '/api/v1/documents/', { body });
      documents.set(name, made[0].id);
    }
    for (const name of ['crowd', 'crowd', 'crowd', 'one', 'crowd', 'one']) {
      const [{ project_id: project } = {}] = await service.sql('select project_id from document where id = $1', [
        documents.get(name),
      ]);
      const body = { project, document: documents.get(name), chunk_size: 50 };
      expect((await service.rest('POST', '/api/v1/recognitionruns/', { body })).status).toBe(201);
    }
    const order = await service.sql(
      `select d.filename from pgboss.job j join recognition_run r on lpad(to_hex(r.id), 12, '0') = right(j.id::text, 12)
         join document d on d.id = r.document_id
        where j.name = 'recognition-run' order by j.priority desc, j.created_on, j.id`,
    );
    const [crowd, one] = ['crowd.txt', 'one.txt'];
    expect(order.map(row => row.filename)).toEqual([crowd, one, crowd, one, crowd, crowd]);
    await service.stop();
  });
});

/** A queue of a new database. */
async function openQueue() {
  const database = await openDatabase();
  const log = createLog('silent');
  const bus = new Bus(database.url, log);
  const queue = new Queue(database, bus, log, { fetchesJobs: false });
  await queue.start();
  await ensureQueues(queue, { [NAME]: RUN_JOBS });
  const projects = new Map<string, number>();
  const pages = async () => {
    // On the connection that fetched, which writes its figures with its next statement.
    await database.byKey('flush-figures', 'select pg_stat_force_next_flush()', []);
    const [row] = await database.query<{ pages: number }>(
      `select sum(heap_blks_hit + heap_blks_read + idx_blks_hit + idx_blks_read)::int as pages
         from pg_statio_user_tables where schemaname = 'pgboss' and relname like 'job%'`,
    );
    return row?.pages ?? 0;
  };
  return {
    queue,
    async accept(projectId: number, count: number) {
      const runs = Array.from({ length: count }, (_, runsAhead) => ({ id: randomUUID(), projectId, runsAhead }));
      for (const run of runs) projects.set(run.id, projectId);
      await queue.accept(NAME, runs, database);
    },
    /** Fetches jobs once. Returns their projects in ascending order. */
    async fetch({ busy = [], ...load }: { free: number; concurrency: number; busy?: [number, number][] }) {
      const { jobs } = await fetchFairly(queue, NAME, { ...load, busy: new Map(busy) });
      return jobs.map(job => projects.get(job.id)!).toSorted((a, b) => a - b);
    },
    /** Number of pages of the jobs' table and indexes that were read meanwhile. */
    async pagesOf(work: () => Promise<unknown>) {
      const before = await pages();
      await work();
      return (await pages()) - before;
    },
    async close() {
      await queue.stop();
      await bus.stop();
      await database.close();
    },
  };
}
