import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  chain,
  edge,
  field,
  type GraphData,
  type GraphNode,
  graph,
  http,
  ifElse,
  llm,
  output,
  template,
  trigger,
} from '../../support/graphs.js';
import { type RestOptions, startTestService, type TestService } from '../../support/service.js';
import { type FaultyUpstream, startFaultyUpstream } from '../../support/upstreams/faulty-upstream.js';
import { restAsDeclared } from '../declared-answers.js';
import { awaitFinish } from './finished-run.js';

const BASE = '/api/v1/workflows/';

let service: TestService;
let stub: FaultyUpstream;
let project: number;
const call = (method: string, path: string, options: RestOptions = {}) =>
  restAsDeclared(service, method, path, options);
const save = async (data: unknown, home = project): Promise<number> =>
  (await call('POST', BASE, { body: { project: home, title: 'a', data } })).body.id;

beforeAll(async () => {
  stub = await startFaultyUpstream();
  const openai = { baseUrl: `${stub.url}/v1`, apiKey: 'sk-upstream-key-of-the-service' };
  service = await startTestService({ openai });
  project = (await call('POST', '/api/v1/projects/', { body: { name: 'Home' } })).body.id;
});
afterAll(() => Promise.all([service?.stop(), stub?.stop()]));

/** Runs a graph to its end; the start must have been accepted. */
async function runToEnd(data: GraphData, body: unknown = {}, home = project) {
  const id = await save(data, home);
  const { body: envelope } = await call('POST', `${BASE}${id}/run/`, { body });
  expect(envelope).toMatchObject({ status: 201, data: { status: 'in queue' } });
  return { workflow: id, ...(await awaitFinish(service, envelope.data.id)) };
}

const quick = { timeout_seconds: 1 };

describe('an upstream that misbehaves', () => {
  const cases: [string, () => GraphNode, string][] = [
    ['a model that hangs', () => llm('hello', 'hang', quick), 'timeout'],
    ['a model that resets', () => llm('hello', 'reset'), 'upstream_unreachable'],
    ['a model that answers HTML', () => llm('hello', 'html'), 'bad_upstream_answer'],
    ['a model that answers 500', () => llm('hello', 'boom'), 'upstream_error'],
    ['a server that hangs', () => http(`${stub.url}/hang`, quick), 'timeout'],
    ['a server that resets', () => http(`${stub.url}/reset`), 'connection_failed'],
    ['a server that answers 500', () => http(`${stub.url}/boom`), 'http_status'],
    ['a server that is not there', () => http('http://127.0.0.1:1/'), 'connection_failed'],
    ['a private address', () => http('http://10.0.0.1/'), 'address_refused'],
    ['the address of cloud metadata', () => http('http://169.254.169.254/latest/meta-data/'), 'address_refused'],
    ['loopback under another name', () => http('http://[::ffff:127.0.0.2]/'), 'address_refused'],
    ['no address', () => http('{{ input.url | default: "file:///etc/passwd" }}'), 'invalid_settings'],
  ];

  it.each(cases)('fails the run with a clear error: %s', async (_what, make, code) => {
    const [begin, calling, end] = [trigger(field('url')), make(), output('never')];
    const run = await runToEnd(chain(begin, calling, end));
    expect(run.status).toBe('failed');
    expect(run.data[calling.id]).toEqual({
      id: calling.id,
      status: 'failed',
      error: { code, message: expect.stringMatching(/.{10}/) },
    });
    expect(run.data[end.id]).toBeUndefined();
    expect(JSON.stringify(run)).not.toMatch(/sk-upstream|at .*\.js:\d|undici/);
  });

  it('does not count HTML that an HTTP node asked for', async () => {
    const run = await runToEnd(chain(trigger(), http(`${stub.url}/html`), output()));
    expect(run).toMatchObject({ status: 'succeed', output: '<!doctype html><title>Welcome</title>' });
  });

  it('does not fail a run whose node ignores or continues after an error', async () => {
    const first = await runToEnd(chain(trigger(), http(`${stub.url}/boom`, { on_error: 'continue' }), output('on')));
    expect(first).toMatchObject({ status: 'succeed', output: 'on' });
    const second = await runToEnd(
      chain(trigger(), http(`${stub.url}/boom`, { fail_on_error_status: false }), output()),
    );
    expect(second.output).toBe('{"error":{"message":"out of order"}}');
  });

  it('leaves the service working', async () => {
    const run = await runToEnd(chain(trigger(), llm('still here', 'gpt-4o-mini'), output()));
    expect(run).toMatchObject({ status: 'succeed', output: 'still here' });
  });
});

describe('billing', () => {
  const ledger = (runId: string) =>
    service.sql<{
      node_id: string;
      operation: string;
      status: string;
      amount_usd: string;
      description: string;
      reason: string;
    }>(
      'select node_id, operation, status, amount_usd, description, reason from billing_transaction where run_id = $1',
      [runId],
    );

  it('has one row for each executed node, and moves the project’s total exactly', async () => {
    const home = (await call('POST', '/api/v1/projects/', { body: { name: 'Spender' } })).body.id;
    const [begin, condition, asking, skipped, end] = [
      trigger(),
      ifElse('1', '==', '1'),
      llm('hello', 'gpt-4o-mini', { label: 'Ask' }),
      template('skipped'),
      output(),
    ];
    const edges = [
      edge(begin, condition),
      edge(condition, asking, 'condition-true'),
      edge(condition, skipped, 'condition-false'),
      edge(asking, end),
    ];
    const run = await runToEnd(graph([begin, condition, asking, skipped, end], edges), {}, home);
    expect(run.status).toBe('succeed');
    const rows = await ledger(run.id);
    expect(rows.map(row => row.node_id).toSorted()).toEqual(
      [begin, condition, asking, end].map(each => each.id).toSorted(),
    );
    const paid = rows.find(row => row.node_id === asking.id);
    // A thousand tokens each way at 0.15 and 0.60 USD per million.
    expect(paid).toMatchObject({ operation: 'basic-node', status: 'Success', description: 'Ask', reason: '' });
    expect(Number(paid?.amount_usd)).toBe(0.00075);
    expect(rows.filter(row => row !== paid).every(row => Number(row.amount_usd) === 0)).toBe(true);

    const total = async () => (await call('GET', `/api/v1/projects/${home}/`)).body.total_spent;
    expect(await total()).toEqual({ USD: '0.00075', SR: '0.075' });
    const record = (await call('GET', `${BASE}${run.workflow}/history/${run.id}/`)).body;
    expect(record.cost).toEqual({ USD: '0.00075', SR: '0.075', external_cost_usd: { cost: 0.00075, commission: 0 } });

    const again = (await call('POST', `${BASE}${run.workflow}/history/${run.id}/re-run/`)).body.data;
    await awaitFinish(service, again.id);
    expect(await total()).toEqual({ USD: '0.0015', SR: '0.15' });
    await expect(
      service.sql(
        'insert into billing_transaction (project_id, run_id, node_id, operation, status, amount_usd) values ($1, $2, $3, $4, $5, 1)',
        [home, run.id, asking.id, 'basic-node', 'Success'],
      ),
    ).rejects.toThrow(/unique/);
  });

  it('keeps exact decimals when many runs pay at once', async () => {
    const home = (await call('POST', '/api/v1/projects/', { body: { name: 'Busy' } })).body.id;
    const id = await save(chain(trigger(), llm('hello', 'gpt-4o-mini')), home);
    const started = await Promise.all(
      Array.from({ length: 12 }, () => call('POST', `${BASE}${id}/run/`, { body: {} })),
    );
    await Promise.all(started.map(answer => awaitFinish(service, answer.body.data.id)));
    expect((await call('GET', `/api/v1/projects/${home}/`)).body.total_spent).toEqual({ USD: '0.009', SR: '0.9' });
  });

  it('charges nothing for an unknown model and reports that, and marks failed nodes', async () => {
    const unknown = await runToEnd(chain(trigger(), llm('hello', 'custom-model')));
    const unpriced = (await ledger(unknown.id)).find(row => row.operation === 'basic-node');
    expect(unpriced).toMatchObject({ status: 'Success', reason: expect.stringContaining('custom-model') });
    expect(Number(unpriced?.amount_usd)).toBe(0);
    const failed = await runToEnd(chain(trigger(), llm('hello', 'boom')));
    expect((await ledger(failed.id)).find(row => row.operation === 'basic-node')).toMatchObject({ status: 'Error' });
  });
});

describe('a secret in a run', () => {
  const [STORED, GIVEN] = ['stored-canary-4711', 'given-canary-0815'];
  const data = chain(
    trigger(field('key', { is_secret: true, default_value: STORED }), field('topic')),
    http('', { url: 'URL', method: 'POST', body: '{{ input.key }} about {{ input.topic }}' }),
    output(),
  );
  /** `data` with the URL of the upstream, which is known only after `beforeAll`. */
  const withUrl = () => {
    const [, calling] = data.nodes;
    if (calling) calling.data.url = `${stub.url}/echo`;
    return data;
  };
  /** Everything that clients can read about a run. */
  const viewsOf = async (workflow: number, runId: string) => {
    const path = `${BASE}${workflow}/history/`;
    const answers = [
      await call('GET', `${path}${runId}/`),
      await call('GET', path),
      await call('GET', `${BASE}workflow_result/?id=${runId}`),
    ];
    return JSON.stringify(answers.map(answer => answer.body));
  };

  it.each([
    ['the stored default when none is sent', { topic: 'cats' }, STORED],
    ['the stored default for the mask', { key: '********', topic: 'cats' }, STORED],
    ['a value that is sent', { key: GIVEN, topic: 'cats' }, GIVEN],
  ])('is %s, and never shown', async (_what, body, secret) => {
    const run = await runToEnd(withUrl(), body);
    expect(stub.posted.at(-1)).toBe(`${secret} about cats`);
    // The server returned the secret: it is masked by value.
    expect(run).toMatchObject({ status: 'succeed', output: '******** about cats' });
    const views = await viewsOf(run.workflow, run.id);
    expect(views).not.toContain(secret);
    const record = (await call('GET', `${BASE}${run.workflow}/history/${run.id}/`)).body;
    expect(record.input_data).toEqual({ key: '********', topic: 'cats' });
    expect(record.input_fields[0].default_value).toBe('********');
    expect(JSON.parse(record.result.data[data.nodes[0]?.id ?? ''].result.content)).toMatchObject({ key: '********' });
    const dump = await service.sql(
      `select (select json_agg(p) from workflow_run_payload p where run_id = $1)::text || (select json_agg(j) from workflow_run_journal j where run_id = $1)::text as text`,
      [run.id],
    );
    expect(dump[0]?.text).not.toContain(secret);
  });

  it('is the original run’s own in a re-run', async () => {
    const first = await runToEnd(withUrl(), { key: GIVEN, topic: 'cats' });
    const path = `${BASE}${first.workflow}/history/${first.id}/re-run/`;
    for (const [options, topic] of [
      [{}, 'cats'],
      [{ body: { key: '********', topic: 'dogs' } }, 'dogs'],
    ] as const) {
      const { body } = await call('POST', path, options);
      expect(await awaitFinish(service, body.data.id)).toMatchObject({
        status: 'succeed',
        output: `******** about ${topic}`,
      });
      expect(stub.posted.at(-1)).toBe(`${GIVEN} about ${topic}`);
      expect(await viewsOf(first.workflow, body.data.id)).not.toContain(GIVEN);
    }
  });

  it('that is sent to a model reaches only that model', async () => {
    const asking = chain(
      trigger(field('key', { is_secret: true, default_value: STORED })),
      llm('repeat {{ input.key }}', 'gpt-4o-mini'),
      output(),
    );
    const run = await runToEnd(asking);
    expect(stub.chats.at(-1)?.messages.at(-1)?.content).toBe(`repeat ${STORED}`);
    expect(run.output).toBe('repeat ********');
    expect(await viewsOf(run.workflow, run.id)).not.toContain(STORED);
  });

  it('is not named by a refusal', async () => {
    const begin = trigger(field('key', { is_secret: true, type: 'select', options: [{ title: 'a', value: 'a' }] }));
    const id = await save(chain(begin, output()));
    const { body } = await call('POST', `${BASE}${id}/run/`, { body: { key: GIVEN } });
    expect(body.status).toBe(422);
    expect(JSON.stringify(body)).not.toContain(GIVEN);
    expect(await viewsOf(id, body.data.id)).not.toContain(GIVEN);
  });
});
