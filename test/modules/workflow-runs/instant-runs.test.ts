import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '../../support/eventually.js';
import { chain, field, type GraphData, ifElse, llm, output, template, trigger } from '../../support/graphs.js';
import { createWorkflow, echoGraph } from '../../support/run-graphs.js';
import { startTestService, type TestService } from '../../support/service.js';
import { whileHolding } from '../../support/transactions/held-transaction.js';
import { startStubUpstream } from '../../support/upstreams/stub-upstream.js';
import { startWebhookReceiver } from '../../support/upstreams/webhook-receiver.js';

let service: TestService;
let project: number;

beforeAll(async () => {
  service = await startTestService();
  project = (await service.rest('POST', '/api/v1/projects/', { body: { name: 'Instant' } })).body.id;
});
afterAll(() => service?.stop());

async function start(
  data: GraphData,
  input: Record<string, unknown> = {},
  { on = service, of = project } = {},
): Promise<string> {
  const { body: workflow } = await on.rest('POST', '/api/v1/workflows/', { body: { project: of, title: 'I', data } });
  const { body } = await on.rest('POST', `/api/v1/workflows/${workflow.id}/run/`, { body: input });
  expect(body).toMatchObject({ status: 201, data: { status: 'in queue', data: null } });
  return body.data.id;
}

const rowOf = async (id: string) =>
  (
    await service.sql(
      `select r.state, r.sequence, r.attempts, r.queued_at is not null as "wasQueued", r.run_started_at is not null as "wasBegun",
              r.run_finished_at = r.created_at as "atOnce", f.runs_count as counted, (select count(*)::int from workflow_run_journal where run_id = r.id) as batches,
              (select json_agg(b.operation order by b.operation) from billing_transaction b where b.run_id = r.id) as billed
         from workflow_run r join workflow_figures f on f.workflow_id = r.workflow_id where r.id = $1`,
      [id],
    )
  )[0];

const resultOf = async (id: string) =>
  (await service.rest('GET', `/api/v1/workflows/workflow_result/?id=${id}`)).body.data;

describe('a run without outbound calls', () => {
  it('is accepted with its end, its events, its ledger rows and its part of the totals', async () => {
    const condition = ifElse('{{ input.topic }}', '==', 'tea');
    const data = chain(trigger(field('topic')), condition, template('About {{ input.topic }}.'), output());
    const [, , shown] = data.nodes;
    condition.data = { ...condition.data, true_node: shown!.id };
    const id = await start(data, { topic: 'tea' });
    expect(await rowOf(id)).toEqual({
      ...{ state: 'succeeded', sequence: 9, attempts: 1, wasQueued: true, wasBegun: true, counted: 1, batches: 1 },
      atOnce: true,
      billed: ['if-else-node', 'output-node', 'template-node', 'trigger-node'],
    });
    expect(await resultOf(id)).toMatchObject({ status: 'succeed', output: 'About tea.' });
  });

  it('fails like any other run, and is distinguished from a refused one', async () => {
    const data = chain(trigger(field('topic')), template('{{ input.topic * 2 }}'), output());
    const id = await start(data, { topic: 'tea' });
    expect(await rowOf(id)).toMatchObject({
      state: 'failed',
      attempts: 1,
      wasQueued: true,
      wasBegun: true,
      counted: 1,
    });
    expect(await resultOf(id)).toMatchObject({ status: 'failed', error: { message: expect.any(String) } });
  });

  it('masks the secrets of its input', async () => {
    const data = chain(trigger(field('token', { is_secret: true })), template('Bearer {{ input.token }}'), output());
    const id = await start(data, { token: 'a-secret-of-theirs' });
    const stored = await service.sql(
      `select p.input::text, p.result::text, j.events::text, j.sealed_contents as sealed
         from workflow_run_payload p join workflow_run_journal j on j.run_id = p.run_id where p.run_id = $1`,
      [id],
    );
    expect(JSON.stringify(stored)).not.toContain('a-secret-of-theirs');
    expect(stored[0]?.sealed).toEqual(expect.any(String));
    expect((await resultOf(id)).output).toBe('Bearer ********');
  });

  it('notifies the webhook of its project', async () => {
    const receiver = await startWebhookReceiver();
    const hook = { webhook_url: `${receiver.origin}/hook`, is_webhook_enabled: true };
    try {
      await service.rest('PATCH', `/api/v1/projects/${project}/`, { body: hook });
      const id = await start(chain(trigger(), output('told')));
      const [delivery] = await eventually(
        async () => receiver.calls('/hook'),
        calls => calls.length > 0,
      );
      expect(delivery?.body).toMatchObject({
        type: 'workflow_run.succeeded',
        data: { id, status: 'Succeeded', output: 'told' },
      });
    } finally {
      await service.rest('PATCH', `/api/v1/projects/${project}/`, { body: { webhook_url: '' } });
      await receiver.stop();
    }
  });

  it('is executed by a worker when its result is too large, when it waits for a retry, or when it makes a call after all', async () => {
    const large = chain(trigger(field('text')), template('{{ input.text }}'), output());
    const retried = chain(trigger(), template('x', { on_error: 'retry' }), output());
    const asking = chain(trigger(), llm('Hello', 'echo'), output());
    for (const id of [await start(large, { text: 'x'.repeat(40_000) }), await start(retried), await start(asking)]) {
      const ended = await eventually(
        () => resultOf(id),
        ({ status }) => status === 'succeed',
      );
      expect(ended.output).toEqual(expect.any(String));
      expect(await rowOf(id)).toMatchObject({ attempts: 1, atOnce: false, counted: 1 });
    }
  });
});

describe('a run with outbound calls', () => {
  it('is accepted with all nodes before its first call, and repeats none of them', async () => {
    const upstream = await startStubUpstream();
    const asking = await startTestService({ openai: { baseUrl: upstream.url, apiKey: 'k' } });
    try {
      const askingProject = (await asking.rest('POST', '/api/v1/projects/', { body: { name: 'Asking' } })).body.id;
      const token = field('token', { is_secret: true });
      const model = llm('{{ previous.content }}', 'gpt-4o-mini');
      const data = chain(trigger(token), template('Bearer {{ input.token }}'), model, output());
      const held = upstream.hold();
      const id = await start(data, { token: 'a-secret-of-theirs' }, { on: asking, of: askingProject });
      await held.arrived;
      // An event without a type is that of a node that succeeded.
      const typesOf = (stored: string) =>
        (JSON.parse(stored) as { type?: string }[]).map(({ type = 'node.succeeded' }) => type);
      const written = async () => {
        const [row] = await asking.sql(
          `select r.state, r.attempts, r.sequence, j.events::text as events, j.sealed_contents is not null as "isSealed",
                  (select json_agg(b.operation order by b.operation) from billing_transaction b where b.run_id = r.id) as billed
             from workflow_run r join workflow_run_journal j on j.run_id = r.id and j.first_sequence = 1 where r.id = $1`,
          [id],
        );
        return { ...row, state: row!.state, events: typesOf(row!.events) };
      };
      const head = ['node.started', 'node.succeeded', 'node.started', 'node.succeeded', 'node.started'];
      const first = { events: head, isSealed: true, attempts: 1 };
      const billed = ['template-node', 'trigger-node'];
      expect(await written()).toEqual({ ...first, state: 'running', sequence: 5, billed });
      expect(upstream.requests.at(-1).messages.at(-1).content).toBe('Bearer a-secret-of-theirs');
      const journals = await asking.sql('select events::text from workflow_run_journal where run_id = $1', [id]);
      expect(JSON.stringify(journals)).not.toContain('a-secret-of-theirs');

      held.release();
      const ended = await eventually(written, ({ state }) => state === 'succeeded');
      expect(ended).toEqual({
        ...first,
        state: 'succeeded',
        sequence: 9,
        billed: ['basic-node', 'output-node', ...billed],
      });
      expect(upstream.requests).toHaveLength(1);
    } finally {
      await asking.stop();
      await upstream.stop();
    }
  });
});

describe('a worker in the same process as the API', () => {
  it('claims accepted runs while it has capacity, and executes the others later', async () => {
    const upstream = await startStubUpstream();
    const small = await startTestService({ workerConcurrency: 1, openai: { baseUrl: upstream.url, apiKey: 'k' } });
    try {
      const workflow = await createWorkflow(small, echoGraph('gpt-4o-mini'));
      const accept = async () =>
        (await small.rest('POST', `/api/v1/workflows/${workflow}/run/`, { body: { topic: 'tea' } })).body.data.id;
      const states = async () => {
        const rows = await small.sql('select state, attempts, sequence from workflow_run order by created_at, id');
        // A run that no worker has claimed has executed nothing.
        expect(rows.filter(row => row.state === 'queued' && row.sequence > 0)).toEqual([]);
        return rows.map(row => `${row.state} ${row.attempts}`);
      };
      const idle = await accept();
      await eventually(states, ([first]) => first === 'succeeded 1');

      const held = upstream.hold();
      const ids = [idle, await accept()];
      await held.arrived;
      for (let n = 0; n < 3; n++) ids.push(await accept());
      expect(await states()).toEqual(['succeeded 1', 'running 1', 'queued 0', 'queued 0', 'queued 0']);
      held.release();
      await eventually(states, all => all.every(state => state === 'succeeded 1'));
      const began = await small.sql('select id from workflow_run order by run_started_at, id');
      expect(began.map(row => row.id).toSorted()).toEqual(ids.toSorted());
      expect(began.slice(0, 2).map(row => row.id)).toEqual(ids.slice(0, 2));
      expect(await small.sql(`select id from pgboss.job where name = 'workflow-run' and state < 'completed'`)).toEqual(
        [],
      );
    } finally {
      await small.stop();
      await upstream.stop();
    }
  });

  it('accepts runs with and without outbound calls together', async () => {
    const upstream = await startStubUpstream();
    const mixed = await startTestService({ openai: { baseUrl: upstream.url, apiKey: 'k' } });
    try {
      const calling = await createWorkflow(mixed, echoGraph('gpt-4o-mini'));
      const instant = await createWorkflow(mixed, chain(trigger(), template('Tea.'), output()));
      const accept = async (workflow: number) =>
        (await mixed.rest('POST', `/api/v1/workflows/${workflow}/run/`, { body: { topic: 'tea' } })).body.data.id;
      const projects = { text: 'select 1 from project for update', values: [] };
      // The first run waits for the lock, so all others are inserted by the next statement.
      const ids = await whileHolding(mixed, [projects], () =>
        Promise.all([calling, instant, calling, instant].map(accept)),
      );
      const states = () => mixed.sql('select id from workflow_run where state = $1', ['succeeded']);
      const rows = await eventually(states, ended => ended.length === ids.length);
      expect(rows.map(row => row.id).toSorted()).toEqual(ids.toSorted());
      expect(await mixed.sql(`select id from pgboss.job where name = 'workflow-run'`)).toEqual([]);
    } finally {
      await mixed.stop();
      await upstream.stop();
    }
  });
});
