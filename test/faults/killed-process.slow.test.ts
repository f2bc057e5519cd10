import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ADMIN_KEY, testEnvironment } from '../support/config.js';
import { eventually } from '../support/eventually.js';
import { expireJobs } from '../support/jobs/expire-jobs.js';
import { faultPoints } from '../support/processes/fault-points.js';
import { crashWorkerAt, type ServiceProcess, startProcess } from '../support/processes/process.js';
import { createWorkflow, externalCallsGraph, pureGraph } from '../support/run-graphs.js';
import { createDatabase, startTestService, type TestService } from '../support/service.js';
import { type StubUpstream, startStubUpstream } from '../support/upstreams/stub-upstream.js';

const MODEL = 'gpt-4o-mini';

/**
 * Kills a process at a named point; another one continues. Every accepted run ends, no recorded call is repeated, and
 * each executed node is billed once.
 */
describe('a process that is killed', () => {
  let upstream: StubUpstream;
  let service: TestService;
  let environment: Record<string, string>;
  let openai: { baseUrl: string; apiKey: string };
  let pureWorkflow: number;
  let callingWorkflow: number;

  beforeAll(async () => {
    upstream = await startStubUpstream();
    const database = await createDatabase();
    // The API stays alive throughout; only workers are killed.
    openai = { baseUrl: upstream.url, apiKey: 'k' };
    service = await startTestService({ role: 'api', openai }, database);
    environment = { ...testEnvironment(database), OPENAI_BASE_URL: upstream.url, OPENAI_API_KEY: 'k' };
    pureWorkflow = await createWorkflow(service, pureGraph());
    callingWorkflow = await createWorkflow(service, externalCallsGraph(MODEL, `${upstream.origin}/hook`));
  });
  afterAll(async () => {
    await service.stop();
    await upstream.stop();
  });

  async function accept(workflow: number): Promise<string> {
    const { body } = await service.rest('POST', `/api/v1/workflows/${workflow}/run/`, { body: { topic: 'cats' } });
    expect(body.status).toBe(201);
    return body.data.id;
  }

  async function resultOf(id: string) {
    const read = async () => (await service.rest('GET', `/api/v1/workflows/workflow_result/?id=${id}`)).body.data;
    return eventually(read, ({ status }) => ['succeed', 'failed'].includes(status));
  }

  // The run is recorded three times: before the model call, between the model call and the HTTP call, and at the end.
  const points = [
    'claim.before',
    'claim.after',
    ...[1, 2, 3].flatMap(nth => [`record.before:${nth}`, `record.after:${nth}`]),
  ];

  it.each(faultPoints(points))('leaves a worker’s run to the next worker (%s)', async point => {
    upstream.requests.length = 0;
    upstream.calls.length = 0;
    const id = await accept(callingWorkflow);
    await crashWorkerAt(point, environment);
    await expireJobs(service);
    const worker = await startTestService({ role: 'worker', openai }, service.database);
    try {
      const result = await resultOf(id);
      expect(result).toMatchObject({ status: 'succeed', output: 'stub answer and /hook' });
    } finally {
      await worker.stop();
    }

    // A call whose answer was not recorded when the process died may be repeated.
    const repeatable = { 'record.before:2': 'llm', 'record.before:3': 'http' }[point];
    expect(upstream.requests).toHaveLength(repeatable === 'llm' ? 2 : 1);
    expect(upstream.calls).toHaveLength(repeatable === 'http' ? 2 : 1);
    const keys = new Set(upstream.calls.map(call => call.headers['idempotency-key']));
    expect(keys.size).toBe(1);

    const ledger = await service.sql(
      'select node_id, amount_usd from billing_transaction where run_id = $1 order by node_id',
      [id],
    );
    expect(ledger.map(row => row.node_id)).toEqual(['http', 'llm', 'out', 'trigger']);
    const [total] = await service.sql(
      `select p.total_spent_usd = (select coalesce(sum(amount_usd), 0) from billing_transaction b where b.project_id = p.id) as exact,
              r.cost_usd = (select sum(amount_usd) from billing_transaction b where b.run_id = r.id) as cost
         from workflow_run r join project p on p.id = r.project_id where r.id = $1`,
      [id],
    );
    expect(total).toEqual({ exact: true, cost: true });
  });

  it('is replaced when its lease has expired', async () => {
    const id = await accept(callingWorkflow);
    await crashWorkerAt('record.after:1', environment);
    const worker = await startTestService({ role: 'worker', openai }, service.database);
    expect(await resultOf(id)).toMatchObject({ status: 'succeed' });
    await worker.stop();
  });

  it('is refused every write when it was paused past its lease', async () => {
    upstream.requests.length = 0;
    const zombie = await startProcess({ ...environment, ROLE: 'worker' });
    const held = upstream.hold();
    const id = await accept(callingWorkflow);
    await held.arrived;
    zombie.child.kill('SIGSTOP');
    await expireJobs(service);
    const successor = await startTestService({ role: 'worker', openai }, service.database);
    await eventually(
      async () => upstream.requests.length,
      times => times === 2,
    );
    held.release();
    const result = await resultOf(id);
    const journal = () =>
      service.sql(
        'select first_sequence, last_sequence, events::text from workflow_run_journal where run_id = $1 order by 1',
        [id],
      );
    const before = await journal();
    zombie.child.kill('SIGCONT');
    // It receives the answer it waited for, and finds that another worker holds the run.
    const other = await accept(pureWorkflow);
    await resultOf(other);
    expect((await zombie.end()).code).toBe(0);
    await successor.stop();

    expect(result).toMatchObject({ status: 'succeed', output: 'stub answer and /hook' });
    expect(await journal()).toEqual(before);
    const ledger = await service.sql('select node_id from billing_transaction where run_id = $1 order by node_id', [
      id,
    ]);
    expect(ledger.map(row => row.node_id)).toEqual(['http', 'llm', 'out', 'trigger']);
  });

  it('ends a run that crashes every worker, while other runs proceed', async () => {
    const id = await accept(callingWorkflow);
    // The run crashed four workers before this one.
    await service.sql('update workflow_run set attempts = 4 where id = $1', [id]);
    await crashWorkerAt('claim.after', environment);
    await expireJobs(service);
    const other = await accept(pureWorkflow);
    const worker = await startTestService({ role: 'worker', openai }, service.database);
    expect(await resultOf(other)).toMatchObject({ status: 'succeed' });
    expect(await resultOf(id)).toMatchObject({ status: 'failed', error: { code: 'worker_lost' } });
    await worker.stop();
  });

  it.each(['accept.before-commit', 'accept.after-commit'])(
    'never answers 201 for a run that is lost (%s)',
    async point => {
      const api: ServiceProcess = await startProcess({ ...environment, ROLE: 'api', CRASH_AT: point });
      const before = await service.sql('select count(*)::int as count from workflow_run');
      const answer = await fetch(`${api.url}/api/v1/workflows/${pureWorkflow}/run/`, {
        method: 'POST',
        headers: { 'X-Api-Key': ADMIN_KEY, 'Content-Type': 'application/json' },
        body: '{"topic":"cats"}',
      }).catch(() => undefined);
      expect(answer).toBeUndefined();
      await api.exited;
      const after = await service.sql('select count(*)::int as count from workflow_run');
      const queued = await service.sql(`select id from workflow_run where state = 'queued'`);
      const jobs = await service.sql(`select id from pgboss.job where name = 'workflow-run' and state < 'completed'`);
      expect(after[0]?.count - before[0]?.count).toBe(point === 'accept.before-commit' ? 0 : 1);
      // The row and the job exist together or not at all.
      expect(jobs.map(job => job.id)).toEqual(queued.map(run => run.id));

      const worker = await startTestService({ role: 'worker', openai }, service.database);
      for (const { id } of queued) expect(await resultOf(id)).toMatchObject({ status: 'succeed' });
      await worker.stop();
    },
  );
});
