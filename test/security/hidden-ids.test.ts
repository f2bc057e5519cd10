import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '../support/eventually.js';
import { chain, field, graph, type Json, node, output, trigger } from '../support/graphs.js';
import { joinProject } from '../support/members.js';
import { startTestService, type TestService } from '../support/service.js';

/** What a request can name; all of one project. */
interface Ids {
  project: number;
  workflow: number;
  node: string;
  run: string;
  draft: string;
  ended: string;
  approval: string;
  member: number;
  user: number;
  apiKey: number;
  /** Part of every name and text of the project. */
  mark: string;
}

let service: TestService;
let me: { email: string; key: string };
let owner: { email: string; key: string };
let mine: Ids;
let theirs: Ids;
let ghost: Ids;

beforeAll(async () => {
  service = await startTestService();
  [me, owner] = [await service.createUser('me'), await service.createUser('somebody-else')];
  [mine, theirs] = [await idsOf(me, 'mine'), await idsOf(owner, 'Zanzibar')];
  const nothing = { run: randomUUID(), draft: randomUUID(), ended: randomUUID(), approval: randomUUID() };
  const id = 2_000_000_000;
  ghost = { ...nothing, project: id, workflow: id, node: 'no-node', member: id, user: id, apiKey: id, mark: 'Nowhere' };
});
afterAll(() => service?.stop());

async function idsOf({ email, key }: { email: string; key: string }, mark: string): Promise<Ids> {
  const post = async (path: string, body: unknown) => (await service.rest('POST', path, { key, body })).body;
  const { id: project } = await post('/api/v1/projects/', { name: mark });
  const wait = { ...node('delay-node', { seconds: 3_600, label: mark }, `node-${mark}`) };
  const mcp = node('mcp-node', { endpoint_url: 'http://127.0.0.1:1/mcp', tool: 'x' }, `mcp-${mark}`);
  const line = chain(trigger(field('topic', { default_value: mark })), wait, output(mark));
  const { id: workflow } = await post('/api/v1/workflows/', {
    project,
    title: mark,
    data: graph([...line.nodes, mcp], line.edges),
  });
  const start = async () => (await post(`/api/v1/workflows/${workflow}/run/`, { topic: mark })).data.id;
  const run = await start();
  const drafted = await service.graphql(
    'mutation ($id: Int!) { workflowRunStart(workflowId: $id, draft: true) { data { id } } }',
    { id: workflow },
    key,
  );
  const ended = await start();
  await service.rest('POST', `/api/v1/workflows/${workflow}/history/${ended}/cancel/`, { key });
  const [asked] = await service.sql(
    `insert into workflow_run_approval (id, run_id, project_id, node_id, kind, requested_at, expires_at)
     values (gen_random_uuid(), $1, $2, 'agent', 'start', now(), now() + interval '1 day') returning id`,
    [run, project],
  );
  const [member] = await service.sql(
    `select m.id, m.user_id, k.id as key from project_member m join api_key k on k.user_id = m.user_id
       join app_user u on u.id = m.user_id where m.project_id = $1 and u.email = $2`,
    [project, email],
  );
  return {
    project,
    workflow,
    node: `mcp-${mark}`,
    run,
    draft: drafted.data.workflowRunStart.data.id,
    ended,
    approval: asked?.id,
    member: member?.id,
    user: member?.user_id,
    apiKey: member?.key,
    mark,
  };
}

interface Asked {
  method?: string;
  path?: string;
  body?: unknown;
  query?: string;
}

/** A case: what is asked when it names `other` beside what is mine. */
type Case = [title: string, ask: (other: Ids) => Asked];

const data = (more: Json) => chain(trigger(), node('subworkflow-node', more, 'call'), output());
const history = (workflow: number, run: string, rest = '') => `/api/v1/workflows/${workflow}/history/${run}/${rest}`;
const approval = (run: string, request: string, verb: string) =>
  `/api/v1/workflows/workflow_run/${run}/agent-approval/${request}/${verb}/`;
const text = (value: unknown) => JSON.stringify(value);

const IN_REST: Case[] = [
  [
    'the project of a new workflow',
    o => ({ method: 'POST', path: '/api/v1/workflows/', body: { project: o.project, title: 'x', data: data({}) } }),
  ],
  ['the project of a list of workflows', o => ({ path: `/api/v1/workflows/?project=${o.project}` })],
  ['the project of a page past the end', o => ({ path: `/api/v1/workflows/?project=${o.project}&page=2&size=1` })],
  ['the project of a page of no size', o => ({ path: `/api/v1/workflows/?project=${o.project}&size=0` })],
  ['the project of a search', o => ({ path: `/api/v1/workflows/?project=${o.project}&title=${o.mark}` })],
  ['a title', o => ({ path: `/api/v1/workflows/?title=${o.mark}` })],
  ['a name', o => ({ path: `/api/v1/projects/?name__icontains=${o.mark}` })],
  [
    'the project of a graph',
    o => ({
      method: 'POST',
      path: `/api/v1/workflows/run/?task_id=${randomUUID()}`,
      body: { data: data({}), project: o.project },
    }),
  ],
  [
    'the workflow of stored tools',
    o => ({
      method: 'POST',
      path: '/api/v1/workflows/mcp-tools/',
      body: { endpoint_url: 'http://127.0.0.1:1/mcp', workflow_id: o.workflow, node_id: o.node },
    }),
  ],
  [
    'the workflow of a node of mine',
    o => ({
      method: 'POST',
      path: '/api/v1/workflows/mcp-tools/',
      body: { endpoint_url: 'http://127.0.0.1:1/mcp', workflow_id: o.workflow, node_id: mine.node },
    }),
  ],
  [
    'the node of a workflow of mine',
    o => ({
      method: 'POST',
      path: '/api/v1/workflows/mcp-tools/',
      body: { endpoint_url: 'http://127.0.0.1:1/mcp', workflow_id: mine.workflow, node_id: o.node },
    }),
  ],
  ['the run of a poll', o => ({ path: `/api/v1/workflows/workflow_result/?id=${o.run}` })],
  ['the run of a poll, as task_id', o => ({ path: `/api/v1/workflows/workflow_result/?task_id=${o.run}` })],
  ['the run of a poll for a node', o => ({ path: `/api/v1/workflows/workflow_result/?id=${o.run}&node_id=${o.node}` })],
  [
    'the node of a poll of a run of mine',
    o => ({ path: `/api/v1/workflows/workflow_result/?id=${mine.run}&node_id=${o.node}` }),
  ],
  ['the workflow of the earlier history', o => ({ path: `/api/v1/workflows/history/?workflow_id=${o.workflow}` })],
  [
    'the workflow of the earlier history, by cost',
    o => ({ path: `/api/v1/workflows/history/?workflow_id=${o.workflow}&ordering=cost&limit=50&page=3` }),
  ],
  ['a run under a workflow of mine', o => ({ path: history(mine.workflow, o.run) })],
  ['the workflow above a run of mine', o => ({ path: history(o.workflow, mine.run) })],
  [
    'a run to repeat under a workflow of mine',
    o => ({ method: 'POST', path: history(mine.workflow, o.run, 're-run/') }),
  ],
  [
    'the workflow above a run of mine to repeat',
    o => ({ method: 'POST', path: history(o.workflow, mine.run, 're-run/') }),
  ],
  [
    'a run to cancel under a workflow of mine',
    o => ({ method: 'POST', path: history(mine.workflow, o.run, 'cancel/') }),
  ],
  [
    'the workflow above a run of mine to cancel',
    o => ({ method: 'POST', path: history(o.workflow, mine.run, 'cancel/') }),
  ],
  [
    'a run to mark under a workflow of mine',
    o => ({ method: 'POST', path: history(mine.workflow, o.run, 'toggle-api-run/'), body: { is_api_run: true } }),
  ],
  [
    'the workflow above a run of mine to mark',
    o => ({ method: 'POST', path: history(o.workflow, mine.run, 'toggle-api-run/'), body: { is_api_run: true } }),
  ],
  [
    'a request to approve under a run of mine',
    o => ({ method: 'POST', path: approval(mine.run, o.approval, 'approve') }),
  ],
  [
    'a request to reject under a run of mine',
    o => ({ method: 'POST', path: approval(mine.run, o.approval, 'reject') }),
  ],
  [
    'the run above a request of mine to approve',
    o => ({ method: 'POST', path: approval(o.run, mine.approval, 'approve') }),
  ],
  [
    'the run above a request of mine to reject',
    o => ({ method: 'POST', path: approval(o.run, mine.approval, 'reject') }),
  ],
  [
    'a member to change under a project of mine',
    o => ({ method: 'PATCH', path: `/api/v1/projects/${mine.project}/members/${o.member}/`, body: { role: 'viewer' } }),
  ],
  [
    'the project above a member of mine to change',
    o => ({ method: 'PATCH', path: `/api/v1/projects/${o.project}/members/${mine.member}/`, body: { role: 'viewer' } }),
  ],
  [
    'a member to remove under a project of mine',
    o => ({ method: 'DELETE', path: `/api/v1/projects/${mine.project}/members/${o.member}/` }),
  ],
  [
    'the project above a member of mine to remove',
    o => ({ method: 'DELETE', path: `/api/v1/projects/${o.project}/members/${mine.member}/` }),
  ],
  ['the project of members past the end', o => ({ path: `/api/v1/projects/${o.project}/members/?page=99` })],
  ['a key to delete', o => ({ method: 'DELETE', path: `/api/v1/api-keys/${o.apiKey}/` })],
  ['the user of a new key', o => ({ method: 'POST', path: '/api/v1/api-keys/', body: { name: 'x', user: o.user } })],
  ['the run of a bill', o => ({ path: `/api/v1/billing-history/workflowrun/${o.run}/?page=2` })],
  [
    'the workflow inside a graph to check',
    o => ({
      method: 'POST',
      path: '/api/v1/workflows/check_workflow/',
      body: fixed(data({ workflow_id: o.workflow })),
    }),
  ],
];

/** Ids of edges are made up anew for every graph. */
function fixed(value: ReturnType<typeof data>): unknown {
  const [first, , last] = value.nodes as [{ id: string }, unknown, { id: string }];
  return JSON.parse(
    text({ ...value, edges: [] })
      .replaceAll(first.id, 'first')
      .replaceAll(last.id, 'last'),
  );
}

const IN_GRAPHQL: Case[] = [
  ['a project', o => ({ query: `{ project(id: ${o.project}) { id name stopwords canEdit } }` })],
  [
    'a project beside one of mine',
    o => ({ query: `{ a: project(id: ${mine.project}) { id } b: project(id: ${o.project}) { id name } }` }),
  ],
  ['the project of members', o => ({ query: `{ projectMembers(projectId: ${o.project}) { total items { email } } }` })],
  ['the project of a log', o => ({ query: `{ auditLog(projectId: ${o.project}) { total items { action } } }` })],
  ['the project of requests', o => ({ query: `{ agentApprovals(projectId: ${o.project}) { total } }` })],
  [
    'the run of requests of a project of mine',
    o => ({ query: `{ agentApprovals(projectId: ${mine.project}, runId: "${o.run}") { total items { requestId } } }` }),
  ],
  [
    'the project of a run of mine with requests',
    o => ({ query: `{ agentApprovals(projectId: ${o.project}, runId: "${mine.run}") { total } }` }),
  ],
  ['a workflow', o => ({ query: `{ workflow(id: ${o.workflow}) { title data project { name } } }` })],
  [
    'the project of a filter',
    o => ({ query: `{ workflows(filter: {project: ${o.project}}) { total items { title } } }` }),
  ],
  ['a run', o => ({ query: `{ workflowRun(id: "${o.run}") { state inputData workflow { title } } }` })],
  [
    'a run with a workflow of mine',
    o => ({ query: `{ workflowRun(id: "${o.run}", workflowId: ${mine.workflow}) { state } }` }),
  ],
  [
    'the workflow with a run of mine',
    o => ({ query: `{ workflowRun(id: "${mine.run}", workflowId: ${o.workflow}) { state } }` }),
  ],
  [
    'the second run of a difference',
    o => ({ query: `{ workflowRunDiff(left: "${mine.ended}", right: "${o.ended}") { sameGraph inputs { right } } }` }),
  ],
  [
    'the first run of a difference',
    o => ({ query: `{ workflowRunDiff(left: "${o.ended}", right: "${mine.ended}") { sameGraph inputs { left } } }` }),
  ],
  ['the run of a result', o => ({ query: `{ workflowRunResult(id: "${o.ended}") { data { status } } }` })],
  ['the workflow of runs', o => ({ query: `{ workflowRuns(workflowId: ${o.workflow}, page: 2) { total } }` })],
  ['the run of a bill', o => ({ query: `{ billingTransactions(runId: "${o.run}") { total } }` })],
  [
    'the workflow of stored tools',
    o => ({
      query: `{ mcpTools(endpointUrl: "http://127.0.0.1:1/mcp", workflowId: ${o.workflow}, nodeId: "${o.node}") }`,
    }),
  ],
  ['a run to fork', o => ({ query: `mutation { workflowRunFork(id: "${o.ended}", nodeId: "${o.node}") { status } }` })],
  [
    'the node of a run of mine to fork',
    o => ({
      query: `mutation { workflowRunFork(id: "${mine.ended}", nodeId: "${o.node === 'no-node' ? 'no-node' : `node-${o.mark}`}") { status } }`,
    }),
  ],
  ['a draft to release', o => ({ query: `mutation { workflowRunRelease(id: "${o.draft}") { status } }` })],
  ['a run to cancel', o => ({ query: `mutation { workflowRunCancel(id: "${o.run}") { state } }` })],
  [
    'a run to cancel with a workflow of mine',
    o => ({ query: `mutation { workflowRunCancel(id: "${o.run}", workflowId: ${mine.workflow}) { state } }` }),
  ],
  [
    'a run to repeat',
    o => ({ query: `mutation { workflowRunRestart(workflowId: ${mine.workflow}, id: "${o.ended}") { status } }` }),
  ],
  [
    'a run to mark',
    o => ({
      query: `mutation { workflowRunApiRunSet(workflowId: ${mine.workflow}, id: "${o.ended}", isApiRun: true) { state } }`,
    }),
  ],
  ['a workflow to run', o => ({ query: `mutation { workflowRunStart(workflowId: ${o.workflow}) { status } }` })],
  [
    'a workflow to run with an idempotency key',
    o => ({
      query: `mutation { workflowRunStart(workflowId: ${o.workflow}, idempotencyKey: "k${o.workflow}") { status } }`,
    }),
  ],
  [
    'the project of a graph to run',
    o => ({
      query: `mutation { workflowRunStartGraph(id: "${randomUUID()}", data: {nodes: []}, project: ${o.project}) { status } }`,
    }),
  ],
  [
    'the project of a new workflow',
    o => ({
      query: `mutation { workflowCreate(input: {project: ${o.project}, title: "x", data: {nodes: []}}) { id } }`,
    }),
  ],
  [
    'a workflow to change',
    o => ({ query: `mutation { workflowUpdate(id: ${o.workflow}, input: {title: "mine now"}) { id } }` }),
  ],
  ['a workflow to copy', o => ({ query: `mutation { workflowDuplicate(id: ${o.workflow}) { id data } }` })],
  ['a workflow to move', o => ({ query: `mutation { workflowReorder(id: ${o.workflow}, sortId: 1) { id } }` })],
  ['a workflow to delete', o => ({ query: `mutation { workflowDelete(id: ${o.workflow}) { id } }` })],
  ['a member to change', o => ({ query: `mutation { projectMemberUpdate(id: ${o.member}, role: VIEWER) { role } }` })],
  [
    'a member to change in a project of mine',
    o => ({
      query: `mutation { projectMemberUpdate(id: ${o.member}, projectId: ${mine.project}, role: VIEWER) { role } }`,
    }),
  ],
  ['a member to remove', o => ({ query: `mutation { projectMemberRemove(id: ${o.member}) { email } }` })],
  [
    'the heir of a project of mine',
    o => ({ query: `mutation { projectOwnershipTransfer(projectId: ${mine.project}, userId: ${o.user}) { email } }` }),
  ],
  [
    'the project to hand over to me',
    o => ({ query: `mutation { projectOwnershipTransfer(projectId: ${o.project}, userId: ${mine.user}) { email } }` }),
  ],
  [
    'the project of a spending limit',
    o => ({ query: `mutation { projectBudgetSet(projectId: ${o.project}, limitUsd: null) { name } }` }),
  ],
  [
    'the project of stopwords',
    o => ({ query: `mutation { projectStopwordsSet(id: ${o.project}, stopwords: []) { name } }` }),
  ],
  [
    'a project to change',
    o => ({ query: `mutation { projectUpdate(id: ${o.project}, input: {name: "mine now"}) { name } }` }),
  ],
  ['a project to delete', o => ({ query: `mutation { projectDelete(id: ${o.project}) { name } }` })],
  ['a key to delete', o => ({ query: `mutation { apiKeyDelete(id: ${o.apiKey}) { name prefix } }` })],
  ['a key to change', o => ({ query: `mutation { apiKeyUpdate(id: ${o.apiKey}, input: {rateLimit: 1}) { name } }` })],
  [
    'a key to set a budget of',
    o => ({ query: `mutation { apiKeyBudgetSet(id: ${o.apiKey}, limitUsd: null) { name } }` }),
  ],
  ['the user of keys', o => ({ query: `{ apiKeys(userId: ${o.user}) { total items { name } } }` })],
  [
    'the user of a new key',
    o => ({ query: `mutation { apiKeyCreate(input: {name: "x", userId: ${o.user}}) { key } }` }),
  ],
  ['a user', o => ({ query: `{ user(id: ${o.user}) { email } }` })],
  ['a user to change', o => ({ query: `mutation { userUpdate(id: ${o.user}, input: {name: "x"}) { email } }` })],
  [
    'a request to approve',
    o => ({ query: `mutation { agentApprovalApprove(runId: "${o.run}", requestId: "${o.approval}") { status } }` }),
  ],
  [
    'a request to approve under a run of mine',
    o => ({ query: `mutation { agentApprovalApprove(runId: "${mine.run}", requestId: "${o.approval}") { status } }` }),
  ],
  [
    'the run to report on',
    o => ({
      query: `mutation { workflowRunReport(id: "${o.run}", input: {status: "failed", sequence: 9}) { status } }`,
    }),
  ],
];

/** All of an answer but what differs by nature; the query is the only thing that may tell the two apart. */
async function answerTo({ method = 'GET', path, body, query }: Asked): Promise<string> {
  const { status, body: got } =
    query === undefined
      ? await service.rest(method, path!, { key: me.key, body })
      : await service.rest('POST', '/graphql', { key: me.key, body: { query } });
  // Where an error stands in a text depends on the length of the ids before it.
  const errors = (got?.errors as { locations?: unknown }[] | undefined)?.map(({ locations: _at, ...rest }) => rest);
  return text([status, errors ? { ...got, errors } : got]);
}

it('has at least 60 cases', () => {
  expect(IN_REST.length + IN_GRAPHQL.length).toBeGreaterThanOrEqual(60);
});

describe.each([
  ['REST', IN_REST],
  ['GraphQL', IN_GRAPHQL],
])('what is somebody else’s is like what never was, in %s', (_where, cases) => {
  it.each(cases)('%s', async (_title, ask) => {
    const told = await answerTo(ask(theirs));
    expect(told).toBe(await answerTo(ask(ghost)));
    for (const detail of [theirs.mark, owner.email]) expect(told).not.toContain(detail);
  });

  it('and stays as it was', async () => {
    const { body } = await service.rest('GET', `/api/v1/workflows/${theirs.workflow}/`, { key: owner.key });
    expect(body).toMatchObject({ title: 'Zanzibar', project: theirs.project });
    const states = await service.sql('select state from workflow_run where project_id = $1', [theirs.project]);
    expect(states.map(row => row.state).toSorted()).toEqual(['cancelled', 'draft', 'waiting']);
    const [asked] = await service.sql('select decision from workflow_run_approval where id = $1', [theirs.approval]);
    expect(asked).toEqual({ decision: null });
  });
});

describe.each([
  ['workflowRunChanged', (o: Ids) => `subscription { workflowRunChanged(id: "${o.run}") { sequence } }`],
  ['agentApprovalRequested', (o: Ids) => `subscription { agentApprovalRequested(projectId: ${o.project}) { tool } }`],
  ['projectActivity', (o: Ids) => `subscription { projectActivity(projectId: ${o.project}) { id } }`],
])('the subscription %s', (_field, ask) => {
  it('says of what is somebody else’s what it says of nothing', async () => {
    for (const other of [theirs, ghost]) {
      const first = service.subscribe(ask(other), {}, me.key).next();
      await expect(first).resolves.toMatchObject({ value: { errors: [{ extensions: { code: 'NOT_FOUND' } }] } });
    }
  });
});

describe('an id inside of a graph that runs', () => {
  const kinds: [string, (workflow: number) => Json][] = [
    ['of a sub-workflow', id => node('subworkflow-node', { workflow_id: id }, 'call') as never],
    ['of a loop', id => node('loop-node', { workflow_id: id, items: [1] }, 'call') as never],
    [
      'of a sub-workflow, by placeholder',
      _ => node('subworkflow-node', { workflow_id: '{{ input.id }}' }, 'call') as never,
    ],
  ];
  it.each(kinds)('%s finds workflows of its own project alone', async (_title, kind) => {
    const told: unknown[] = [];
    for (const { workflow } of [theirs, ghost]) {
      const saved = await service.rest('POST', '/api/v1/workflows/', {
        key: me.key,
        body: {
          project: mine.project,
          title: 'Reaching',
          data: chain(trigger(field('id', { type: 'number' })), kind(workflow) as never, output()),
        },
      });
      const run = await service.rest('POST', `/api/v1/workflows/${saved.body.id}/run/`, {
        key: me.key,
        body: { id: workflow },
      });
      const ended = await eventually(
        async () =>
          (await service.rest('GET', `/api/v1/workflows/workflow_result/?id=${run.body.data.id}`, { key: me.key })).body
            .data,
        ({ status }) => status === 'failed' || status === 'succeed',
      );
      expect(ended.status).toBe('failed');
      told.push([ended.error?.code, ended.data.call.error]);
    }
    expect(told[0]).toEqual(told[1]);
    expect(text(told)).toContain('must be a workflow of the same project');
  });
});

describe('a member that is not for the caller to set', () => {
  it.each([
    ['project', () => theirs.project],
    ['copied_from', () => theirs.workflow],
    ['created_by', () => theirs.user],
    ['revision_id', () => 1],
    ['is_published', () => true],
    ['id', () => theirs.workflow],
  ])('%s is not taken by a change of a workflow', async (member, value) => {
    const before = await service.rest('GET', `/api/v1/workflows/${mine.workflow}/`, { key: me.key });
    const body = { title: 'mine', [member]: value() };
    const changed = await service.rest('PATCH', `/api/v1/workflows/${mine.workflow}/`, { key: me.key, body });
    expect(changed.status).toBe(200);
    expect({ ...changed.body, updated_at: '' }).toEqual({ ...before.body, updated_at: '' });
  });

  it.each([
    ['total_spent', { USD: '-5' }],
    ['id', 1],
    ['owner', 1],
    ['budget', null],
    ['__proto__', { isAdmin: true }],
  ])('%s is not taken by a change of a project', async (member, value) => {
    const before = await service.rest('GET', `/api/v1/projects/${mine.project}/`, { key: me.key });
    const body = `{"name": "mine", ${text(member)}: ${text(value)}}`;
    const headers = { 'Content-Type': 'application/json' };
    const changed = await service.rest('PATCH', `/api/v1/projects/${mine.project}/`, { key: me.key, body, headers });
    expect(changed.status).toBe(200);
    expect({ ...changed.body, updated_at: '' }).toEqual({ ...before.body, updated_at: '' });
  });
});

it('tells of a task_id that somebody else’s run has nothing but that it is taken', async () => {
  const start = (id: string) => ({
    method: 'POST',
    path: `/api/v1/workflows/run/?task_id=${id}`,
    body: { data: data({}), project: mine.project },
  });
  const told = await answerTo(start(theirs.run));
  expect(told).toBe(await answerTo(start(mine.run)));
  expect(JSON.parse(told)).toEqual([409, { detail: 'A run with this id exists already.', code: 'conflict' }]);
});

it('keeps the idempotency keys of users apart', async () => {
  const send = (key: string) =>
    service.rest('POST', '/api/v1/projects/', {
      key,
      body: { name: 'Keyed' },
      headers: { 'Idempotency-Key': 'the same' },
    });
  const [first, second] = [await send(owner.key), await send(me.key)];
  expect([first.status, second.status]).toEqual([201, 201]);
  expect(second.headers.get('idempotent-replayed')).toBeNull();
  expect(second.body.id).not.toBe(first.body.id);
});

it('tells a member who was removed nothing more of a run that they watch', async () => {
  const watched = await service.rest('POST', '/api/v1/workflows/', {
    key: owner.key,
    body: {
      project: theirs.project,
      title: 'Watched',
      data: chain(trigger(), node('delay-node', { seconds: 3_600 }), output()),
    },
  });
  const added = await joinProject(service, theirs.project, me.email, 'viewer');
  const run = await service.rest('POST', `/api/v1/workflows/${watched.body.id}/run/`, { key: owner.key });
  const id = run.body.data.id;
  const changes = service.subscribe(
    'subscription ($id: UUID!) { workflowRunChanged(id: $id) { kind } }',
    { id },
    me.key,
  );
  expect((await changes.next()).value.data.workflowRunChanged.kind).toBe('SNAPSHOT');
  await eventually(
    () => service.sql('select state from workflow_run where id = $1', [id]),
    ([row]) => row?.state === 'waiting',
  );
  await service.rest('DELETE', `/api/v1/projects/${theirs.project}/members/${added.id}/`, { key: owner.key });
  await service.rest('POST', `/api/v1/workflows/${watched.body.id}/history/${id}/cancel/`, { key: owner.key });
  const told: unknown[] = [];
  for await (const change of changes) told.push(change);
  expect(text(told)).not.toMatch(/RUN_CANCELLED|NODE_FAILED/);
});
