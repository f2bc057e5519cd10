import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '../../support/eventually.js';
import { chain, edge, field, graph, http, node, output, template, trigger } from '../../support/graphs.js';
import { startTestService, type TestService } from '../../support/service.js';
import { callsToolOnce } from '../../support/upstreams/calls-tool-once.js';
import { type StubUpstream, startStubUpstream } from '../../support/upstreams/stub-upstream.js';

const MODEL = 'gpt-4o-mini';

describe('runs that wait', () => {
  let upstream: StubUpstream;
  let service: TestService;
  let project: number;

  beforeAll(async () => {
    upstream = await startStubUpstream();
    service = await startTestService({ openai: { baseUrl: upstream.url, apiKey: 'k' }, outboundAllow: ['127.0.0.1'] });
    project = (await service.rest('POST', '/api/v1/projects/', { body: { name: 'Waiting' } })).body.id;
  });
  afterAll(async () => {
    await service.stop();
    await upstream.stop();
  });

  async function save(data: unknown, projectId = project): Promise<number> {
    const { status, body } = await service.rest('POST', '/api/v1/workflows/', {
      body: { project: projectId, title: 'W', data },
    });
    expect([status, body.id]).toEqual([201, expect.any(Number)]);
    return body.id;
  }

  async function begin(workflow: number, input: unknown = {}): Promise<string> {
    const { body } = await service.rest('POST', `/api/v1/workflows/${workflow}/run/`, { body: input });
    expect(body).toMatchObject({ status: 201 });
    return body.data.id;
  }

  const poll = async (id: string) =>
    (await service.rest('GET', `/api/v1/workflows/workflow_result/?id=${id}`)).body.data;
  const awaitEnd = (id: string) =>
    eventually(
      () => poll(id),
      ({ status }) => ['succeed', 'failed'].includes(status),
    );
  const stateOf = async (id: string) => (await service.sql('select state from workflow_run where id = $1', [id]))[0];
  const waiting = (id: string) =>
    eventually(
      () => stateOf(id),
      row => row?.state === 'waiting',
    );

  const agent = (more: Record<string, unknown>) =>
    node('agent-node', { messages: [{ role: 'user', message: 'Go.' }], settings: { model_name: MODEL }, ...more });
  const lookUp = () => ({
    kind: 'http',
    name: 'look_up',
    description: 'Looks a word up.',
    parameters: { type: 'object', properties: { word: { type: 'string' } }, required: ['word'] },
    request: {
      method: 'POST',
      url: `${upstream.origin}/words`,
      body: { word: '{{ args.word }}', key: '{{ input.key }}' },
    },
  });
  const decide = (run: string, request: string, decision: string, key?: string) =>
    service.rest(
      'POST',
      `/api/v1/workflows/workflow_run/${run}/agent-approval/${request}/${decision}/`,
      key ? { key } : {},
    );

  it('holds no worker during a delay, and continues on time', async () => {
    const id = await begin(await save(chain(trigger(), node('delay-node', { seconds: 8 }), output('after'))));
    expect(await waiting(id)).toEqual({ state: 'waiting' });
    expect(await poll(id)).toMatchObject({ status: 'in progress' });
    const [item] = await service.sql('select wake_at > now() as later, attempts from workflow_run where id = $1', [id]);
    // A suspension resets the attempts.
    expect(item).toEqual({ later: true, attempts: 0 });
    expect(await awaitEnd(id)).toMatchObject({ status: 'succeed', output: 'after' });
    const [times] = await service.sql(
      'select extract(epoch from run_finished_at - run_started_at)::float8 as s from workflow_run where id = $1',
      [id],
    );
    expect(times?.s).toBeGreaterThanOrEqual(8);
  });

  it('is cancelled during a delay, with one ledger row for each node that started', async () => {
    const delay = node('delay-node', { seconds: 3600 });
    const workflow = await save(chain(trigger(), delay, output('after')));
    const id = await begin(workflow);
    await waiting(id);
    const { status, body } = await service.rest('POST', `/api/v1/workflows/${workflow}/history/${id}/cancel/`);
    expect([status, body.status]).toEqual([200, 'Cancelled']);
    expect(await poll(id)).toMatchObject({
      status: 'failed',
      data: { [delay.id]: { status: 'failed', error: { code: 'cancelled' } } },
    });
    const rows = await service.sql('select operation, status from billing_transaction where run_id = $1 order by 1', [
      id,
    ]);
    expect(rows).toEqual([
      { operation: 'delay-node', status: 'Error' },
      { operation: 'trigger-node', status: 'Success' },
    ]);
  });

  describe('an agent', () => {
    it('calls its tools, bills its steps as one node and reports each step', async () => {
      upstream.respondWith(callsToolOnce('look_up', { word: 'tea' }));
      const agentNode = agent({ tools: [lookUp()] });
      const id = await begin(await save(chain(trigger(field('key')), agentNode, output())), { key: 'K' });
      expect(await awaitEnd(id)).toMatchObject({ status: 'succeed', output: expect.stringContaining('done: ') });
      expect(upstream.calls.at(-1)).toMatchObject({ path: '/words', body: JSON.stringify({ word: 'tea', key: 'K' }) });
      const [row] = await service.sql(
        'select amount_usd, json_array_length(usage) as calls from billing_transaction where run_id = $1 and node_id = $2',
        [id, agentNode.id],
      );
      // 2 × (1,000 × 0.15 + 500 × 0.6) USD per million tokens.
      expect(row).toEqual({ amount_usd: '0.0009', calls: 2 });
      const steps: string[] = [];
      for await (const { data } of service.subscribe(
        'subscription ($id: UUID!) { workflowRunChanged(id: $id, afterSequence: 0) { kind node { id: nodeId step { name tool arguments content } } } }',
        { id },
      )) {
        const { kind, node: at } = data.workflowRunChanged;
        if (kind === 'NODE_STEP_STARTED')
          steps.push(`${at.step.name} ${at.step.tool} ${JSON.stringify(at.step.arguments)}`);
      }
      expect(steps).toEqual(['model 1 null null', 'tool 1.1 look_up {"word":"tea"}', 'model 2 null null']);
    });

    it('waits for approval without a worker; the pause and its request are stored together', async () => {
      upstream.respondWith(callsToolOnce('look_up', { word: 'milk' }));
      const agentNode = agent({ tools: [lookUp()], approval: 'tools' });
      const calls = upstream.calls.length;
      const id = await begin(await save(chain(trigger(field('key')), agentNode, output())), {});
      await waiting(id);
      const { data } = await poll(id);
      const { approval } = data[agentNode.id];
      expect(data[agentNode.id]).toEqual({
        id: agentNode.id,
        status: 'in progress',
        usage: {
          ...{ prompt_tokens: 1000, completion_tokens: 500, total_tokens: 1500, cost_usd: '0.00045' },
          finish_reason: 'stop',
        },
        approval: {
          request_id: expect.any(String),
          kind: 'tool',
          tool: 'look_up',
          arguments: { word: 'milk' },
          requested_at: expect.any(String),
          expires_at: expect.any(String),
        },
      });
      const listed = await service.graphql(
        `query ($project: Int!) { agentApprovals(projectId: $project) { total items { requestId runId nodeId kind tool arguments status run { id state } } } }`,
        { project },
      );
      expect(listed.data.agentApprovals).toEqual({
        total: 1,
        items: [
          {
            requestId: approval.request_id,
            runId: id,
            nodeId: agentNode.id,
            kind: 'TOOL',
            tool: 'look_up',
            arguments: { word: 'milk' },
            status: 'PENDING',
            run: { id, state: 'WAITING' },
          },
        ],
      });
      expect(upstream.calls).toHaveLength(calls);

      const answer = await decide(id, approval.request_id, 'approve');
      expect([answer.status, answer.body]).toEqual([
        200,
        { status: 200, data: { id, request_id: approval.request_id, decision: 'approved' } },
      ]);
      expect(await awaitEnd(id)).toMatchObject({ status: 'succeed' });
      expect(upstream.calls).toHaveLength(calls + 1);
      expect((await decide(id, approval.request_id, 'approve')).status).toBe(200);
      const opposite = await decide(id, approval.request_id, 'reject');
      expect([opposite.status, opposite.body.code]).toEqual([409, 'conflict']);
    });

    it('informs the model of a rejection, and continues', async () => {
      upstream.respondWith(callsToolOnce('look_up', { word: 'milk' }));
      const agentNode = agent({ tools: [lookUp()], approval: 'tools' });
      const id = await begin(await save(chain(trigger(field('key')), agentNode, output())), {});
      await waiting(id);
      const { request_id } = (await poll(id)).data[agentNode.id].approval;
      expect((await decide(id, request_id, 'reject')).body.data.decision).toBe('rejected');
      const rejected = 'done: The call was rejected by a person.';
      expect(await awaitEnd(id)).toMatchObject({ status: 'succeed', output: rejected });
    });

    it('fails when its start is rejected, and when no user decides in time', async () => {
      const rejected = agent({ approval: 'always' });
      const id = await begin(await save(chain(trigger(), rejected)));
      await waiting(id);
      const { approval } = (await poll(id)).data[rejected.id];
      expect(approval).toMatchObject({ kind: 'start', tool: null });
      await decide(id, approval.request_id, 'reject');
      expect(await awaitEnd(id)).toMatchObject({ status: 'failed', error: { code: 'approval_rejected' } });

      const late = agent({ approval: 'always', approval_timeout_seconds: 1 });
      const other = await begin(await save(chain(trigger(), late)));
      expect(await awaitEnd(other)).toMatchObject({ status: 'failed', error: { code: 'approval_expired' } });
      const { data } = await service.graphql(
        'query ($p: Int!, $run: UUID!) { agentApprovals(projectId: $p, runId: $run, statuses: [EXPIRED]) { items { requestId } } }',
        { p: project, run: other },
      );
      const gone = await decide(other, data.agentApprovals.items[0].requestId, 'approve');
      expect([gone.status, gone.body.code]).toEqual([409, 'conflict']);
    });

    it('accepts one decision of two simultaneous ones', async () => {
      upstream.respondWith(callsToolOnce('look_up', { word: 'x' }));
      const agentNode = agent({ tools: [lookUp()], approval: 'tools' });
      const id = await begin(await save(chain(trigger(field('key')), agentNode)), {});
      await waiting(id);
      const { request_id } = (await poll(id)).data[agentNode.id].approval;
      const answers = await Promise.all(
        ['approve', 'reject', 'approve', 'reject'].map(each => decide(id, request_id, each)),
      );
      const won = answers.filter(({ status }) => status === 200).map(({ body }) => body.data.decision);
      expect([answers.map(({ status }) => status).sort(), new Set(won).size]).toEqual([[200, 200, 409, 409], 1]);
      await awaitEnd(id);
    });

    it('is 404 to outsiders, for unknown requests and for those of another run', async () => {
      const agentNode = agent({ approval: 'always' });
      const workflow = await save(chain(trigger(), agentNode));
      const [id, other] = [await begin(workflow), await begin(workflow)];
      await Promise.all([waiting(id), waiting(other)]);
      const { request_id } = (await poll(id)).data[agentNode.id].approval;
      const outsider = await service.createUser('outsider');
      const unknown = '00000000-0000-4000-8000-000000000000';
      for (const [run, request, key] of [
        [id, request_id, outsider.key],
        [id, unknown],
        [other, request_id],
        [unknown, request_id],
        [id, 'x'],
      ] as const) {
        const answer = await decide(run, request, 'approve', key);
        expect([answer.status, answer.body]).toEqual([404, { detail: 'Not found.', code: 'not_found' }]);
      }
      const listed = await service.graphql(
        'query ($p: Int!) { agentApprovals(projectId: $p) { total } }',
        { p: project },
        outsider.key,
      );
      expect(listed.errors?.[0]?.extensions.code).toBe('NOT_FOUND');
      await service.graphql(
        'mutation ($a: UUID!, $b: UUID!) { a: workflowRunCancel(id: $a) { workflowRun { id } } b: workflowRunCancel(id: $b) { workflowRun { id } } }',
        { a: id, b: other },
      );
      const late = await decide(id, request_id, 'approve');
      expect([late.status, late.body.code]).toEqual([409, 'conflict']);
    });

    it('notifies subscribers of the project of each request once', async () => {
      upstream.respondWith(callsToolOnce('look_up', { word: 'tea' }));
      const watched = (await service.rest('POST', '/api/v1/projects/', { body: { name: 'Watched' } })).body.id;
      const workflow = await save(
        chain(trigger(field('key')), agent({ tools: [lookUp()], approval: 'always' })),
        watched,
      );
      const requests = service.subscribe(
        'subscription ($p: Int!) { agentApprovalRequested(projectId: $p) { requestId runId kind tool } }',
        { p: watched },
      );
      const next = async () => (await requests.next()).value.data.agentApprovalRequested;
      const first = next();
      const id = await begin(workflow, {});
      expect(await first).toMatchObject({ runId: id, kind: 'START' });
      const second = next();
      await decide(id, (await first).requestId, 'approve');
      expect(await second).toMatchObject({ runId: id, kind: 'TOOL', tool: 'look_up' });
      await decide(id, (await second).requestId, 'reject');
      await awaitEnd(id);
      await requests.return?.();
    });
  });

  describe('a sub-workflow', () => {
    it('runs in the same project, and its output is the content', async () => {
      const inner = await save(
        chain(trigger(field('name', { input_requirements: true })), output('Hello {{ input.name }}')),
      );
      const sub = node('subworkflow-node', { workflow_id: inner, input: { name: '{{ input.who }}' } });
      const id = await begin(await save(chain(trigger(field('who')), sub, output())), { who: 'Ada' });
      expect(await awaitEnd(id)).toMatchObject({ status: 'succeed', output: 'Hello Ada' });
      const { data } = await service.graphql(
        'query ($w: Int!) { workflowRuns(workflowId: $w) { items { parentRunId state inputData } } }',
        { w: inner },
      );
      expect(data.workflowRuns.items).toEqual([{ parentRunId: id, state: 'SUCCEEDED', inputData: { name: 'Ada' } }]);
    });

    it.each([
      [
        'of another project',
        async () =>
          save(
            chain(trigger()),
            (await service.rest('POST', '/api/v1/projects/', { body: { name: 'Other' } })).body.id,
          ),
        'unknown_workflow',
      ],
      ['that does not exist', async () => 2_147_483_647, 'unknown_workflow'],
      [
        'whose input is wrong',
        () => save(chain(trigger(field('n', { input_requirements: true })))),
        'subworkflow_refused',
      ],
    ])('%s is the node’s error, after one attempt if no workflow can start', async (_what, make, code) => {
      const retry = { delay_seconds: 3600, error_codes: ['unknown_workflow'] };
      const sub = node('subworkflow-node', { workflow_id: await make(), on_error: 'retry', retry });
      const id = await begin(await save(chain(trigger(), sub)));
      expect(await awaitEnd(id)).toMatchObject({ status: 'failed', error: { code } });
    });

    it('that calls itself through another workflow ends with a clear error', async () => {
      const one = await save(chain(trigger()));
      const other = await save(chain(trigger(), node('subworkflow-node', { workflow_id: one })));
      const data = chain(trigger(), node('subworkflow-node', { workflow_id: other }));
      const patched = await service.rest('PATCH', `/api/v1/workflows/${one}/`, { body: { data } });
      expect(patched.status).toBe(200);
      const id = await begin(one);
      expect((await awaitEnd(id)).error).toEqual({
        code: 'subworkflow_failed',
        message: expect.stringMatching(/sub-run .* failed: .*would start itself/),
      });
      const itself = await service.rest('PATCH', `/api/v1/workflows/${one}/`, {
        body: { data: chain(trigger(), node('subworkflow-node', { workflow_id: one })) },
      });
      expect(itself.status).toBe(200);
      const refused = await service.rest('POST', `/api/v1/workflows/${one}/run/`, { body: {} });
      expect(refused.body.status).toBe(422);
    });

    it('is cancelled with the run that started it', async () => {
      const inner = await save(chain(trigger(), http(`${upstream.origin}/hang`)));
      const outer = await save(chain(trigger(), node('subworkflow-node', { workflow_id: inner })));
      const id = await begin(outer);
      await upstream.arrival('/hang');
      await waiting(id);
      await service.rest('POST', `/api/v1/workflows/${outer}/history/${id}/cancel/`);
      const states = await service.sql('select state from workflow_run where id = $1 or parent_run_id = $1', [id]);
      expect(states).toEqual([{ state: 'cancelled' }, { state: 'cancelled' }]);
    });

    it('runs for each item of a loop, several at the same time', async () => {
      const inner = await save(chain(trigger(), template('{{ input.index }}:{{ input.name }}'), output()));
      const items = Array.from({ length: 12 }, (_, index) => ({ name: `n${index}` }));
      const id = await begin(
        await save(chain(trigger(), node('loop-node', { items, workflow_id: inner, concurrency: 5 }), output())),
      );
      const { status, output: given } = await awaitEnd(id);
      expect([status, JSON.parse(given)]).toEqual(['succeed', items.map(({ name }, index) => `${index}:${name}`)]);
    });
  });

  it('bills each execution of a node in a loop’s body, and shows none of them in the result', async () => {
    upstream.respondWith(null);
    const ask = node('basic-node', {
      messages: [{ role: 'user', message: '{{ input.item }}' }],
      settings: { model_name: MODEL },
    });
    const end = output();
    const loop = node('loop-node', {
      items: ['a', 'b', 'c'],
      body: graph([ask, end], [edge(ask, end)]),
      concurrency: 2,
    });
    const id = await begin(await save(chain(trigger(), loop, output())));
    const { data, output: text } = await awaitEnd(id);
    expect(JSON.parse(text)).toEqual(['stub answer', 'stub answer', 'stub answer']);
    expect(Object.keys(data)).toHaveLength(3);
    const rows = await service.sql(
      'select node_id, iteration, amount_usd from billing_transaction where run_id = $1 and iteration <> $2 order by 1, 2',
      [id, ''],
    );
    expect(rows.filter(row => row.node_id === ask.id)).toEqual(
      ['0', '1', '2'].map(iteration => ({ node_id: ask.id, iteration, amount_usd: '0.00045' })),
    );
    expect(rows).toHaveLength(6);
    const [cost] = await service.sql(
      'select cost_usd, (select sum(amount_usd) from billing_transaction where run_id = r.id) as ledger from workflow_run r where id = $1',
      [id],
    );
    expect(cost).toEqual({ cost_usd: '0.00135', ledger: '0.00135' });
  });
});
