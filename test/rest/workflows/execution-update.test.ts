import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '../../support/eventually.js';
import { chain, http, node, output, trigger } from '../../support/graphs.js';
import { startTestService, type TestService } from '../../support/service.js';
import { type StubUpstream, startStubUpstream } from '../../support/upstreams/stub-upstream.js';
import { restAsDeclared } from '../declared-answers.js';

const TOKEN = 'a-service-token-for-tests-32-characters-or-more';

describe('execution-update', () => {
  let upstream: StubUpstream;
  /** No worker runs here, because the external service executes the runs. */
  let service: TestService;
  let workflow: number;
  const [start, end] = [trigger(), output('x')];

  beforeAll(async () => {
    upstream = await startStubUpstream();
    service = await startTestService({ role: 'api', serviceToken: TOKEN });
    workflow = await save(chain(start, end));
  });
  afterAll(async () => {
    await service.stop();
    await upstream.stop();
  });

  async function save(data: unknown): Promise<number> {
    const { body: project } = await service.rest('POST', '/api/v1/projects/', { body: { name: 'Updates' } });
    return (await service.rest('POST', '/api/v1/workflows/', { body: { project: project.id, title: 'U', data } })).body
      .id;
  }

  async function begin(of = workflow): Promise<string> {
    return (await service.rest('POST', `/api/v1/workflows/${of}/run/`, { body: {} })).body.data.id;
  }

  const update = (id: string, body: unknown, token: string | null = TOKEN, key: string | null = null) =>
    restAsDeclared(service, 'POST', `/api/v1/workflows/execution-update/${id}/`, {
      key,
      headers: token === null ? {} : { Authorization: `Bearer ${token}` },
      body,
    });
  const poll = async (id: string) =>
    (await service.rest('GET', `/api/v1/workflows/workflow_result/?id=${id}`)).body.data;
  const entry = (id: string, content: string) => ({ [id]: { id, status: 'succeed', result: { content } } });

  it('moves a run to its end, with results and charges, and notifies subscribers', async () => {
    const id = await begin();
    const begun = new Date().toISOString();
    const first = await update(id, {
      status: 'in progress',
      sequence: 1,
      started_at: begun,
      data: { [start.id]: { status: 'in progress' } },
    });
    expect([first.status, first.body.data]).toEqual([
      200,
      { id, status: 'in progress', data: { [start.id]: { id: start.id, status: 'in progress' } }, output: null },
    ]);
    const changes = service.subscribe(
      'subscription ($id: UUID!) { workflowRunChanged(id: $id, afterSequence: 0) { kind } }',
      { id },
    );
    const done = await update(id, {
      status: 'succeed',
      sequence: 2,
      data: { ...entry(start.id, '{}'), ...entry(end.id, 'done') },
      output: 'done',
      finished_at: '2100-01-01T00:00:00.000Z',
      transactions: [{ node_id: start.id, operation: 'basic-node', amount: { USD: '0.0125' } }],
    });
    expect(done.body.data).toMatchObject({ status: 'succeed', output: 'done' });
    const kinds: string[] = [];
    for await (const { data } of changes) kinds.push(data.workflowRunChanged.kind);
    expect(kinds).toEqual(['NODE_STARTED', 'NODE_SUCCEEDED', 'NODE_STARTED', 'NODE_SUCCEEDED', 'RUN_SUCCEEDED']);
    const { body: item } = await service.rest('GET', `/api/v1/workflows/${workflow}/history/${id}/`);
    expect(item).toMatchObject({
      status: 'Succeeded',
      cost: { USD: '0.0125' },
      run_started_at: begun,
    });
    // A clock that is ahead makes no run end in the future.
    expect(Date.parse(item.run_finished_at)).toBeLessThanOrEqual(Date.now());
    const { body: rows } = await service.rest('GET', `/api/v1/billing-history/workflowrun/${id}/`);
    expect(rows.items.map((row: any) => [row.operation, row.amount.USD]).sort()).toEqual([
      ['basic-node', '0.0125'],
      ['output-node', '0'],
    ]);
    const [total] = await service.sql(
      'select total_spent_usd, (select sum(amount_usd) from billing_transaction b where b.project_id = p.id) as ledger from project p join workflow_run r on r.project_id = p.id where r.id = $1',
      [id],
    );
    expect(total?.total_spent_usd).toBe(total?.ledger);
  });

  it('ignores older and repeated updates, and those after the end', async () => {
    const id = await begin();
    await update(id, {
      status: 'in progress',
      sequence: 5,
      data: entry(start.id, 'first'),
      transactions: [{ operation: 'fee', amount: { USD: 1 } }],
    });
    for (const sequence of [5, 4, 0]) {
      const { status, body } = await update(id, { status: 'failed', sequence, data: entry(start.id, 'other') });
      expect([status, body.data.status]).toEqual([200, 'in progress']);
    }
    await update(id, {
      status: 'in progress',
      sequence: 6,
      transactions: [
        { operation: 'fee', amount: { USD: 1 } },
        { operation: 'more', amount: { USD: '0.5' } },
      ],
    });
    await update(id, { status: 'failed', sequence: 7, error: { code: 'broken', message: 'It broke.' } });
    const after = await update(id, { status: 'succeed', sequence: 8, output: 'late' });
    expect([after.status, after.body.data]).toMatchObject([
      200,
      {
        status: 'failed',
        data: { [start.id]: { result: { content: 'first' } } },
        error: { code: 'broken', message: 'It broke.' },
      },
    ]);
    const [run] = await service.sql(
      'select cost_usd, (select sum(amount_usd) from billing_transaction where run_id = r.id) as ledger from workflow_run r where id = $1',
      [id],
    );
    expect(run).toEqual({ cost_usd: '1.5', ledger: '1.5' });
  });

  it.each([false, true])('refuses a run that a worker executes, announced before: %s', async isAnnounced => {
    const id = await begin(await save(chain(trigger(), http(`${upstream.origin}/hang`))));
    if (isAnnounced) await update(id, { status: 'in queue', sequence: 0 });
    const worker = await startTestService({ role: 'worker', serviceToken: TOKEN }, service.database);
    try {
      const [claimed] = await eventually(
        () => service.sql('select state, external_sequence from workflow_run where id = $1', [id]),
        ([run]) => run?.state === 'running',
      );
      // Otherwise no worker could claim the run after the end of this one.
      expect(claimed).toEqual({ state: 'running', external_sequence: null });
      const { status, body } = await update(id, { status: 'succeed', sequence: 1, output: 'stolen' });
      expect([status, body.data.status]).toEqual([200, 'in progress']);
      await service.graphql('mutation ($id: UUID!) { workflowRunCancel(id: $id) { workflowRun { id } } }', { id });
      expect(await poll(id)).toMatchObject({ status: 'failed' });
    } finally {
      await worker.stop();
    }
  });

  it('takes a waiting run over, and no worker resumes it', async () => {
    const id = await begin(await save(chain(trigger(), node('delay-node', { seconds: 3600 }), output())));
    const worker = await startTestService({ role: 'worker', serviceToken: TOKEN }, service.database);
    const stateOf = async () => (await service.sql('select state, wake_at from workflow_run where id = $1', [id]))[0];
    await eventually(stateOf, row => row?.state === 'waiting');
    await update(id, { status: 'in queue', sequence: 0 });
    expect(await stateOf()).toEqual({ state: 'waiting', wake_at: expect.any(Date) });
    await update(id, { status: 'in progress', sequence: 1 });
    expect(await stateOf()).toEqual({ state: 'running', wake_at: null });
    await worker.stop();
    expect((await update(id, { status: 'succeed', sequence: 2, output: 'done' })).body.data).toMatchObject({
      status: 'succeed',
      output: 'done',
    });
  });

  it('accepts only the service token', async () => {
    const id = await begin();
    const body = { status: 'in progress', sequence: 1 };
    const [nothing, wrong, key] = [
      await update(id, body, null),
      await update(id, body, 'wrong'),
      await update(id, body, null, service.key),
    ];
    expect([nothing.status, wrong.status, key.status]).toEqual([401, 401, 403]);
    expect(nothing.headers.get('www-authenticate')).toBe('Bearer');
    expect(wrong.body).toEqual(nothing.body);
    const { errors } = await service.graphql(
      'mutation ($id: UUID!) { workflowRunReport(id: $id, input: {status: SUCCEEDED, sequence: 1}) { delivery { status } } }',
      { id },
    );
    expect(errors?.[0]?.extensions.code).toBe('FORBIDDEN');
    expect(await poll(id)).toMatchObject({ status: 'in queue' });
  });

  it.each([
    [{ sequence: 1 }, 'status'],
    [{ status: 'done', sequence: 1 }, 'status'],
    [{ status: 'succeed' }, 'sequence'],
    [{ status: 'succeed', sequence: -1 }, 'sequence'],
    [{ status: 'succeed', sequence: 1.5 }, 'sequence'],
    [{ status: 'succeed', sequence: 1, data: [] }, 'data'],
    [{ status: 'succeed', sequence: 1, data: { a: { status: 'odd' } } }, 'data'],
    [{ status: 'succeed', sequence: 1, data: { a: { status: 'succeed', result: { content: '\u0000' } } } }, 'data'],
    [{ status: 'succeed', sequence: 1, transactions: [{ operation: 'x', amount: { USD: -1 } }] }, 'transactions'],
    [{ status: 'succeed', sequence: 1, transactions: [{ operation: 'x', amount: { USD: '1e5' } }] }, 'transactions'],
    [{ status: 'succeed', sequence: 1, transactions: {} }, 'transactions'],
    [{ status: 'succeed', sequence: 1, started_at: 'yesterday' }, 'started_at'],
  ])('refuses %j', async (body, field) => {
    const { status, body: answer } = await update(await begin(), body);
    expect([status, Object.keys(answer)]).toEqual([400, [field]]);
  });

  it('does not find an unknown run', async () => {
    const { status } = await update('00000000-0000-4000-8000-000000000000', { status: 'succeed', sequence: 1 });
    expect(status).toBe(404);
  });
});
