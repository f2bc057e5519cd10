import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '../../support/eventually.js';
import { chain, edge, field, graph, http, llm, node, output, template, trigger } from '../../support/graphs.js';
import { startTestService, type TestService } from '../../support/service.js';
import { serveHttp } from '../../support/upstreams/loopback-server.js';
import { type StubUpstream, startStubUpstream } from '../../support/upstreams/stub-upstream.js';

const MODEL = 'gpt-4o-mini';
const FORK = `mutation ($id: UUID!, $node: String!, $input: JSON, $key: String) {
  workflowRunFork(id: $id, nodeId: $node, input: $input, idempotencyKey: $key) { receipt { status data { id: runId status data error { code message } } } } }`;

describe('a fork of a run', () => {
  let upstream: StubUpstream;
  let service: TestService;
  let project: number;

  beforeAll(async () => {
    upstream = await startStubUpstream();
    service = await startTestService({
      outboundAllow: ['127.0.0.1'],
      openai: { baseUrl: upstream.url, apiKey: 'k' },
    });
    project = (await service.rest('POST', '/api/v1/projects/', { body: { name: 'Forks' } })).body.id;
  });
  afterAll(async () => {
    await service.stop();
    await upstream.stop();
  });

  async function save(data: unknown): Promise<number> {
    return (await service.rest('POST', '/api/v1/workflows/', { body: { project, title: 'F', data } })).body.id;
  }

  async function begin(workflow: number, input: unknown): Promise<string> {
    return (await service.rest('POST', `/api/v1/workflows/${workflow}/run/`, { body: input })).body.data.id;
  }

  const poll = async (id: string) =>
    (await service.rest('GET', `/api/v1/workflows/workflow_result/?id=${id}`)).body.data;
  const awaitEnd = (id: string) =>
    eventually(
      () => poll(id),
      ({ status }) => ['succeed', 'failed'].includes(status),
    );
  const ledgerOf = async (id: string) =>
    (await service.sql('select node_id from billing_transaction where run_id = $1', [id]))
      .map(row => row.node_id)
      .sort();

  async function fork(id: string, at: string, input?: unknown): Promise<string> {
    const { data, errors } = await service.graphql(FORK, { id, node: at, ...(input === undefined ? {} : { input }) });
    expect(errors).toBeUndefined();
    expect(data.workflowRunFork.receipt).toMatchObject({ status: 201, data: { status: 'QUEUED' } });
    return data.workflowRunFork.receipt.data.id;
  }

  it('repeats no call before the fork, and is only charged for what it executes', async () => {
    const [start, ask, call, end] = [
      trigger(field('topic')),
      llm('About {{ input.topic }}', MODEL),
      http(`${upstream.origin}/x`),
      output('{{ input.topic }}: {{ nodes.ASK.content }}'),
    ];
    const data = JSON.parse(JSON.stringify(chain(start, ask, call, end)).replaceAll('ASK', ask.id));
    const id = await begin(await save(data), { topic: 'tea' });
    await awaitEnd(id);
    const [models, calls] = [upstream.requests.length, upstream.calls.length];

    const forked = await fork(id, call.id, { topic: 'milk' });
    const result = await awaitEnd(forked);
    expect(result).toMatchObject({ status: 'succeed', output: 'milk: stub answer' });
    expect([upstream.requests.length - models, upstream.calls.length - calls]).toEqual([0, 1]);
    expect(result.data[ask.id]).toEqual({
      id: ask.id,
      status: 'succeed',
      result: { content: 'stub answer' },
      reused: true,
    });
    expect(result.data[start.id].result.content).toBe('{"topic":"milk"}');
    expect(await ledgerOf(forked)).toEqual([start.id, call.id, end.id].sort());
    const { data: record } = await service.graphql(
      'query ($id: UUID!) { workflowRun(id: $id) { forkedFromId cost { usd } inputData } }',
      { id: forked },
    );
    expect(record.workflowRun).toEqual({ forkedFromId: id, cost: { usd: '0' }, inputData: { topic: 'milk' } });
  });

  it('takes over parallel branches, and repeats what they skipped', async () => {
    const start = trigger(field('n', { type: 'number' }));
    const choose = node('if-else-node', { condition: { left: '{{ input.n }}', operator: '>', right: 1 } });
    const [big, small, parallel] = [template('big'), template('small'), llm('x', MODEL)];
    const end = output('{{ previous.content }}');
    const data = graph(
      [start, choose, big, small, parallel, end],
      [
        edge(start, choose),
        edge(choose, big, 'condition-true'),
        edge(choose, small, 'condition-false'),
        edge(start, parallel),
        edge(big, end),
        edge(small, end),
        edge(parallel, end),
      ],
    );
    const id = await begin(await save(data), { n: 5 });
    expect((await awaitEnd(id)).output).toBe('["big","stub answer"]');
    const models = upstream.requests.length;
    const forked = await fork(id, choose.id, { n: 0 });
    expect((await awaitEnd(forked)).output).toBe('["small","stub answer"]');
    expect(upstream.requests.length).toBe(models);
  });

  it('begins with the input of the run, secrets included, and stores none of them in clear', async () => {
    const secret = 'a secret of many characters';
    const start = trigger(field('token', { is_secret: true }));
    const call = http(`${upstream.origin}/secret`, { headers: { 'X-Token': '{{ input.token }}' } });
    const echo = http(`${upstream.origin}/second`, { headers: { 'X-Seen': '{{ nodes.FIRST.content }}' } });
    const first = template('token {{ input.token }}');
    const data = JSON.parse(JSON.stringify(chain(start, first, call, echo, output())).replaceAll('FIRST', first.id));
    const id = await begin(await save(data), { token: secret });
    await awaitEnd(id);
    const forked = await fork(id, call.id);
    await awaitEnd(forked);
    const headers = upstream.calls.slice(-2).map(each => each.headers);
    expect([headers[0]?.['x-token'], headers[1]?.['x-seen']]).toEqual([secret, `token ${secret}`]);
    const stored = await service.sql('select events::text as text from workflow_run_journal where run_id = $1', [
      forked,
    ]);
    expect(JSON.stringify(stored)).not.toContain(secret);
  });

  it('takes over the headers of a response, secrets included, and stores none of them in clear', async () => {
    const secret = 'a secret of many characters';
    const site = await serveHttp((request, response) =>
      response.writeHead(404, { 'X-Next': `?key=${request.headers['x-token']}`, 'Set-Cookie': 'session=1' }).end('x'),
    );
    const start = trigger(field('token', { is_secret: true }));
    const headers = { 'X-Token': '{{ input.token }}' };
    const first = http(`${site.url}/page`, { headers, fail_on_error_status: false });
    const seen = '{{ nodes.FIRST.http_status }} {{ nodes.FIRST.headers.x-next }}';
    const echo = http(`${upstream.origin}/second`, { headers: { 'X-Seen': seen } });
    const data = JSON.parse(JSON.stringify(chain(start, first, echo, output())).replaceAll('FIRST', first.id));
    const id = await begin(await save(data), { token: secret });
    await awaitEnd(id);
    const forked = await fork(id, echo.id);
    await awaitEnd(forked);
    await site.close();
    expect(upstream.calls.slice(-2).map(call => call.headers['x-seen'])).toEqual(Array(2).fill(`404 ?key=${secret}`));
    const stored = JSON.stringify(
      await service.sql('select events::text as text from workflow_run_journal where run_id = any($1)', [[id, forked]]),
    );
    expect(stored).toContain('?key=********');
    expect(stored).not.toContain(secret);
    expect(stored).not.toContain('session=1');
  });

  it('reports what it took over and what it executes, once and in order', async () => {
    const [start, ask, end] = [trigger(), llm('x', MODEL), output()];
    const id = await begin(await save(chain(start, ask, end)), {});
    await awaitEnd(id);
    const forked = await fork(id, end.id);
    await awaitEnd(forked);
    const read =
      'subscription ($id: UUID!) { workflowRunChanged(id: $id, afterSequence: 0) { sequence kind node { id: nodeId } } }';
    const kinds: string[] = [];
    for await (const { data } of service.subscribe(read, { id: forked }))
      kinds.push(`${data.workflowRunChanged.sequence} ${data.workflowRunChanged.kind}`);
    expect(kinds).toEqual([
      '1 NODE_SUCCEEDED',
      '2 NODE_STARTED',
      '3 NODE_SUCCEEDED',
      '4 NODE_STARTED',
      '5 NODE_SUCCEEDED',
      '6 RUN_SUCCEEDED',
    ]);
  });

  it.each([
    ['a node that is not in the graph', (id: string) => ({ id, node: 'gone' }), 'nodeId'],
    ['a run whose results have expired', (id: string) => ({ id, node: 'x' }), 'id'],
  ])('of %s is refused', async (what, variables, at) => {
    const id = await begin(await save(chain(trigger(), output('x'))), {});
    await awaitEnd(id);
    if (what.includes('expired'))
      await service.sql(`update workflow_run set run_finished_at = now() - interval '31 days' where id = $1`, [id]);
    const { errors } = await service.graphql(FORK, variables(id));
    expect(errors?.[0]?.extensions).toMatchObject({ code: 'BAD_USER_INPUT', fields: { [at]: [expect.any(String)] } });
  });

  it('of a run that the caller cannot access is not found, and a key makes one fork', async () => {
    const end = output('x');
    const id = await begin(await save(chain(trigger(), end)), {});
    await awaitEnd(id);
    const outsider = await service.createUser('fork-outsider');
    const { errors } = await service.graphql(FORK, { id, node: end.id }, outsider.key);
    expect(errors?.[0]?.extensions.code).toBe('NOT_FOUND');
    const answers = await Promise.all([1, 2].map(() => service.graphql(FORK, { id, node: end.id, key: 'fork-1' })));
    const again = await service.graphql(FORK, { id, node: end.id, key: 'fork-1' });
    const ids = answers.flatMap(({ data }) => data?.workflowRunFork?.receipt?.data.id ?? []);
    expect(new Set(ids)).toEqual(new Set([again.data.workflowRunFork.receipt.data.id]));
  });

  it('refuses an input that the graph does not accept, like a run', async () => {
    const end = output('x');
    const id = await begin(await save(chain(trigger(field('n', { type: 'number' })), end)), { n: 1 });
    await awaitEnd(id);
    const { data } = await service.graphql(FORK, { id, node: end.id, input: { n: 'many' } });
    expect(data.workflowRunFork.receipt).toMatchObject({ status: 422, data: { status: 'FAILED' } });
  });

  describe('a fork and the original run', () => {
    const DIFF = `query ($a: UUID!, $b: UUID!) { workflowRunDiff(leftId: $a, rightId: $b) {
      sameGraph inputs { field left right } first { nodeId label } nodes { nodeId left { status content } right { status content } leftCost { usd } rightCost { usd } }
      leftOutput rightOutput leftCost { usd } rightCost { usd } } }`;

    it('are compared: the first node that differs, inputs, results, cost', async () => {
      const [start, ask, end] = [trigger(field('topic')), llm('x', MODEL), output('{{ input.topic }}')];
      const id = await begin(await save(chain(start, ask, end)), { topic: 'tea' });
      await awaitEnd(id);
      const forked = await fork(id, end.id, { topic: 'milk' });
      await awaitEnd(forked);
      const { data } = await service.graphql(DIFF, { a: id, b: forked });
      expect(data.workflowRunDiff).toEqual({
        sameGraph: true,
        inputs: [{ field: 'topic', left: 'tea', right: 'milk' }],
        first: { nodeId: start.id, label: 'trigger-node' },
        nodes: [
          {
            nodeId: start.id,
            left: { status: 'SUCCEEDED', content: '{"topic":"tea"}' },
            right: { status: 'SUCCEEDED', content: '{"topic":"milk"}' },
            leftCost: { usd: '0' },
            rightCost: { usd: '0' },
          },
          {
            nodeId: end.id,
            left: { status: 'SUCCEEDED', content: 'tea' },
            right: { status: 'SUCCEEDED', content: 'milk' },
            leftCost: { usd: '0' },
            rightCost: { usd: '0' },
          },
        ],
        leftOutput: 'tea',
        rightOutput: 'milk',
        leftCost: { usd: '0.00045' },
        rightCost: { usd: '0' },
      });
    });

    it('have no difference when they are the same, and are hidden from other users', async () => {
      const id = await begin(await save(chain(trigger(), output('x'))), {});
      await awaitEnd(id);
      const { data } = await service.graphql(DIFF, { a: id, b: id });
      expect(data.workflowRunDiff).toMatchObject({ sameGraph: true, inputs: [], first: null, nodes: [] });
      const outsider = await service.createUser('diff-outsider');
      const { errors } = await service.graphql(DIFF, { a: id, b: id }, outsider.key);
      expect(errors?.[0]?.extensions.code).toBe('NOT_FOUND');
    });
  });
});
