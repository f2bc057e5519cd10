import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { OPERATOR } from '../../../src/modules/accounts/viewer.js';
import { AgentApprovalService } from '../../../src/modules/workflow-runs/approvals/agent-approval.service.js';
import { AgentApprovalStreams } from '../../../src/modules/workflow-runs/approvals/agent-approval-streams.js';
import type { Database } from '../../../src/platform/database/database.js';
import { openDatabase } from '../../support/database.js';
import { eventually } from '../../support/eventually.js';
import { chain, field, node, output, trigger } from '../../support/graphs.js';
import { startTestService, type TestService } from '../../support/service.js';
import { callsToolOnce } from '../../support/upstreams/calls-tool-once.js';
import { type StubUpstream, startStubUpstream } from '../../support/upstreams/stub-upstream.js';

const SECRET = 'sk-very-secret-value';

const LIST = `query ($project: Int!, $run: UUID, $statuses: [AgentApprovalStatus!], $order: AgentApprovalOrder) {
  agentApprovals(projectId: $project, runId: $run, statuses: $statuses, order: $order) {
    total
    items {
      requestId kind tool description arguments argumentsSchema editedArguments status comment decidedAt
      decidedBy { userId email } workflow { id title } start { model messages { role content } tools { name description } }
    }
  }
}`;
const APPROVE = `mutation ($runId: UUID!, $requestId: UUID!, $comment: String, $edited: JSON) {
  agentApprovalApprove(runId: $runId, requestId: $requestId, comment: $comment, editedArguments: $edited) {
    receipt { data { decision } } errors { code message path }
  }
}`;
const REJECT = `mutation ($runId: UUID!, $requestId: UUID!, $comment: String) {
  agentApprovalReject(runId: $runId, requestId: $requestId, comment: $comment) { receipt { data { decision } } errors { code message path } }
}`;

describe('a request for approval', () => {
  let upstream: StubUpstream;
  let service: TestService;
  let project: number;
  const settings = () => ({ openai: { baseUrl: upstream.url, apiKey: 'k' }, outboundAllow: ['127.0.0.1'] });

  beforeAll(async () => {
    upstream = await startStubUpstream();
    service = await startTestService(settings());
    project = (await service.rest('POST', '/api/v1/projects/', { body: { name: 'Approvals' } })).body.id;
  });
  afterAll(async () => {
    await service.stop();
    await upstream.stop();
  });

  const tool = () => ({
    kind: 'http',
    name: 'pay',
    description: 'Pays money back.',
    parameters: {
      type: 'object',
      properties: { to: { type: 'string' }, amount: { type: 'number' }, key: { type: 'string' } },
      required: ['to'],
    },
    request: {
      method: 'POST',
      url: `${upstream.origin}/pay`,
      body: { to: '{{ args.to }}', amount: '{{ args.amount }}', key: '{{ args.key }}' },
    },
  });
  const agent = (more: object) =>
    node('agent-node', {
      messages: [{ role: 'user', message: 'Pay {{ input.key }} back.' }],
      settings: { model_name: 'gpt-4o-mini' },
      tools: [tool()],
      approval: 'tools',
      ...more,
    });

  /** Starts a run and returns its id with its pending request. */
  async function ask(of: ReturnType<typeof agent>, input: object = {}) {
    const graph = chain(trigger(field('key', { is_secret: true })), of, output());
    const body = { project, title: 'Pay', data: graph };
    const workflow = (await service.rest('POST', '/api/v1/workflows/', { body })).body.id;
    const run = (await service.rest('POST', `/api/v1/workflows/${workflow}/run/`, { body: input })).body.data.id;
    const requestId = await eventually(
      async () => (await list({ run })).items[0]?.requestId,
      id => id !== undefined,
    );
    await stateOf(run, 'waiting');
    return { runId: run as string, requestId: requestId as string };
  }
  const list = async (more: object) => (await service.graphql(LIST, { project, ...more })).data.agentApprovals;
  const stateOf = (run: string, wanted: string) =>
    eventually(
      async () => (await service.sql('select state from workflow_run where id = $1', [run]))[0]?.state,
      state => state === wanted,
    );
  const outputOf = async (run: string) => {
    await stateOf(run, 'succeeded');
    return (await service.rest('GET', `/api/v1/workflows/workflow_result/?id=${run}`)).body.data.output;
  };
  const approve = async (variables: Record<string, unknown>) =>
    (await service.graphql(APPROVE, variables)).data.agentApprovalApprove;
  const payments = () => upstream.calls.filter(({ path }) => path === '/pay').map(({ body }) => JSON.parse(body));

  it('can be decided when the workflow of the run is deleted', async () => {
    upstream.respondWith(callsToolOnce('pay', { to: 'Ada', key: 'k' }));
    const asked = await ask(agent({}));
    await service.sql(
      'update workflow set archived_at = now() where id = (select workflow_id from workflow_run where id = $1)',
      [asked.runId],
    );
    const path = `/api/v1/workflows/workflow_run/${asked.runId}/agent-approval/${asked.requestId}/approve/`;
    const { status, body } = await service.rest('POST', path);
    expect([status, body.data]).toEqual([200, { id: asked.runId, request_id: asked.requestId, decision: 'approved' }]);
    expect(await outputOf(asked.runId)).toMatch('done: ');
  });

  it('says what is about to happen; changed arguments are executed once, and the record says who changed what', async () => {
    upstream.respondWith(callsToolOnce('pay', { to: 'Ada', amount: 24.9, key: SECRET }));
    const asked = await ask(agent({}), { key: SECRET });
    const { items } = await list({ run: asked.runId });
    expect(items).toEqual([
      expect.objectContaining({
        ...{ kind: 'TOOL', tool: 'pay', description: 'Pays money back.', status: 'PENDING' },
        arguments: { to: 'Ada', amount: 24.9, key: '********' },
        argumentsSchema: tool().parameters,
        ...{ editedArguments: null, decidedBy: null, comment: null, start: null, workflow: null },
      }),
    ]);

    // The worker that continues restores the secret from the journal.
    await service.stop();
    service = await startTestService(settings(), service.database);
    const edited = { to: 'Ada', amount: 20, key: '********' };
    const decision = { ...asked, edited, comment: '  Shipping is not paid back.  ' };
    const before = payments().length;
    expect(await approve(decision)).toEqual({ receipt: { data: { decision: 'APPROVED' } }, errors: [] });
    const note = 'A person changed the arguments to {"to":"Ada","amount":20,"key":"********"} before the call.';
    expect(await outputOf(asked.runId)).toMatch(`done: ${note} Comment: Shipping is not paid back.\n`);
    expect(payments().slice(before)).toEqual([{ to: 'Ada', amount: 20, key: SECRET }]);

    const [decided] = (await list({ run: asked.runId, statuses: ['APPROVED'] })).items;
    expect(decided).toMatchObject({
      ...{ status: 'APPROVED', comment: 'Shipping is not paid back.', editedArguments: edited },
      arguments: { to: 'Ada', amount: 24.9, key: '********' },
      decidedBy: { userId: expect.any(Number), email: expect.stringContaining('@') },
      decidedAt: expect.any(String),
    });
    const journal = await service.sql('select events from workflow_run_journal where run_id = $1', [asked.runId]);
    const text = JSON.stringify(journal);
    expect(text).toContain('"tool":"pay","arguments":{"to":"Ada","amount":20,"key":"********"}');
    expect(text).not.toContain('Pays money back.');
    expect(text).not.toContain(SECRET);
    const [entry] = await service.sql(
      `select project_id, detail from audit_entry where action = 'agent.approve' and object_id = $1`,
      [asked.requestId],
    );
    expect(entry).toMatchObject({
      project_id: project,
      detail: { runId: asked.runId, tool: 'pay', decision: 'approved', changed: ['amount'] },
    });

    expect((await approve(decision)).errors).toEqual([]);
    expect((await approve({ ...asked, edited: { to: 'Eve' } })).errors).toEqual([
      expect.objectContaining({ code: 'CONFLICT', message: 'The request is already approved with other arguments.' }),
    ]);
    expect(payments()).toHaveLength(before + 1);
  });

  it('takes no arguments that the schema of the tool rejects, and names the path', async () => {
    upstream.respondWith(callsToolOnce('pay', { to: 'Ada', amount: 1, key: SECRET, cards: [SECRET, SECRET] }));
    const asked = await ask(agent({}), { key: SECRET });
    for (const [edited, path, message] of [
      [{ to: 'Ada', amount: 'much' }, 'editedArguments.amount', 'This value must be of the type number.'],
      [{ amount: 1 }, 'editedArguments.to', 'This value is required.'],
      [['Ada'], 'editedArguments', 'This value must be an object.'],
      [
        { to: 'Ada', key: 'a ********' },
        'editedArguments.key',
        'This value contains a masked secret: keep it unchanged or write the whole value.',
      ],
      [
        { to: 'Ada', cards: ['********'] },
        'editedArguments.cards.0',
        'This value contains a masked secret, and after the changes of the list it is not known which one: write the whole value, or keep the other items of the list unchanged.',
      ],
      [{ to: 'a'.repeat(262_144) }, 'editedArguments', 'This value must have at most 262144 characters as JSON.'],
    ] as const) {
      const { receipt, errors } = await approve({ ...asked, edited });
      expect([receipt, errors]).toEqual([null, [{ code: 'BAD_USER_INPUT', message, path: path.split('.') }]]);
    }
    expect((await approve({ ...asked, comment: 'x'.repeat(2_001) })).errors[0].path).toEqual(['comment']);
    expect((await list({ run: asked.runId })).total).toBe(1);

    const route = `/api/v1/runs/${asked.runId}/agent-approvals/${asked.requestId}`;
    const refused = await service.rest('POST', `${route}/approve/`, { body: { edited_arguments: { to: 1 } } });
    expect([refused.status, refused.body]).toEqual([
      400,
      expect.objectContaining({ 'edited_arguments.to': ['This value must be of the type string.'] }),
    ]);
    const rejected = await service.rest('POST', `${route}/reject/`, { body: { comment: 'Not today.' } });
    expect([rejected.status, rejected.body.data.decision]).toEqual([200, 'rejected']);
    expect(await outputOf(asked.runId)).toBe('done: The call was rejected by a person. Comment: Not today.');
    const listed = await service.rest('GET', `/api/v1/projects/${project}/agent-approvals/?status=rejected`);
    expect(listed.body.items[0]).toMatchObject({ run: asked.runId, status: 'rejected', comment: 'Not today.' });
  });

  it('to start shows model, messages and tools with masked secrets, and has no arguments', async () => {
    const asked = await ask(agent({ approval: 'always' }), { key: SECRET });
    const [request] = (await list({ run: asked.runId })).items;
    expect(request).toMatchObject({
      ...{ kind: 'START', tool: null, arguments: null, argumentsSchema: null },
      start: {
        model: 'gpt-4o-mini',
        messages: [{ role: 'user', content: 'Pay ******** back.' }],
        tools: [{ name: 'pay', description: 'Pays money back.' }],
      },
    });
    expect((await approve({ ...asked, edited: {} })).errors).toEqual([
      {
        code: 'BAD_USER_INPUT',
        message: 'This value cannot be changed, because the request has no arguments.',
        path: ['editedArguments'],
      },
    ]);
    const { data } = await service.graphql(REJECT, { ...asked, comment: 'Wrong customer.' });
    expect(data.agentApprovalReject.errors).toEqual([]);
    await stateOf(asked.runId, 'failed');
    const result = (await service.rest('GET', `/api/v1/workflows/workflow_result/?id=${asked.runId}`)).body.data;
    expect(result.error).toMatchObject({
      code: 'approval_rejected',
      message: expect.stringContaining('a person rejected the start of the agent: Wrong customer.'),
    });
  });

  it('of a workflow shows the workflow, whose run gets the changed input', async () => {
    const inner = chain(trigger(field('name')), output('Hello {{ input.name }}'));
    const called = (
      await service.rest('POST', '/api/v1/workflows/', { body: { project, title: 'Greet', data: inner } })
    ).body.id;
    upstream.respondWith(callsToolOnce(`workflow_${called}`, { name: 'Ada' }));
    const asked = await ask(agent({ tools: [{ kind: 'workflow', workflow_id: called }] }));
    expect((await list({ run: asked.runId })).items[0].workflow).toEqual({ id: called, title: 'Greet' });
    await approve({ ...asked, edited: { name: 'Grace' } });
    expect(await outputOf(asked.runId)).toMatch('Hello Grace');
  });

  it('is listed by state, in both orders', async () => {
    const [rejected, pending] = [await ask(agent({ approval: 'always' })), await ask(agent({ approval: 'always' }))];
    await service.graphql(REJECT, rejected);
    const all = { statuses: ['PENDING', 'APPROVED', 'REJECTED', 'EXPIRED'] };
    const idsOf = async (more: object) =>
      (await list(more)).items.map(({ requestId }: { requestId: string }) => requestId);
    const ids = await idsOf(all);
    expect(ids.slice(-2)).toEqual([rejected.requestId, pending.requestId]);
    expect(await idsOf({ ...all, order: 'REQUESTED_AT_DESC' })).toEqual(ids.toReversed());
    expect(await idsOf({})).toEqual([pending.requestId]);
    expect(await idsOf({ statuses: ['REJECTED'], run: rejected.runId })).toEqual([rejected.requestId]);
  });
});

describe('the stream of requests', () => {
  let database: Database;
  beforeAll(async () => {
    database = await openDatabase();
    await database.query(`insert into project (id, name) values (1, 'p')`);
    await database.query(`insert into workflow_revision (id, project_id, data) values (1, 1, '{}')`);
    await database.query(
      `insert into workflow_run (id, project_id, revision_id, state) values (gen_random_uuid(), 1, 1, 'waiting')`,
    );
  });
  afterAll(() => database?.close());

  const insert = async (count: number) => {
    const rows = await database.query<{ id: string }>(
      `insert into workflow_run_approval (id, run_id, project_id, node_id, kind, requested_at, expires_at)
       select gen_random_uuid(), r.id, 1, 'agent', 'start', now(), now() + interval '1 hour'
         from workflow_run r, generate_series(1, $1::int) returning id`,
      [count],
    );
    return rows.map(({ id }) => id);
  };

  /** A database in which one pending request is decided after each statement. */
  const deciding = () => ({
    query: async (text: string, values?: unknown[]) => {
      const rows = await database.query(text, values);
      await database.query(
        `update workflow_run_approval set decision = 'approved', decided_at = now()
          where id = (select id from workflow_run_approval where decision is null order by requested_at, id limit 1)`,
      );
      return rows;
    },
  });

  it('contains each of many pending requests once while others are decided', async () => {
    const requested = await insert(150);
    let onChange = () => {};
    const access = { authorize: async () => {} } as never;
    const bus = {
      topicSource: () => (listener: () => void) => {
        onChange = listener;
        return () => {};
      },
    } as never;
    const service = new AgentApprovalService(deciding() as never, access, undefined as never, undefined as never);
    const stream = await new AgentApprovalStreams(service, access, bus).open(OPERATOR, 1);
    const received: string[] = [];
    const reading = (async () => {
      for await (const { requestId } of stream) if (received.push(requestId) === requested.length + 1) return;
    })();
    await eventually(
      async () => received.length,
      count => count === requested.length,
    );
    const [later] = await insert(1);
    onChange();
    await reading;
    expect(received.slice(0, -1).toSorted()).toEqual(requested.toSorted());
    expect(received.at(-1)).toBe(later);
  });
});
