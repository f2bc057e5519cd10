import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '../support/eventually.js';
import { chain, field, type Json, node, output, trigger } from '../support/graphs.js';
import { joinProject } from '../support/members.js';
import { withPayloadErrors } from '../support/payload-errors.js';
import { startTestService, type TestService } from '../support/service.js';
import { callingGraph, type HiddenIdRequest } from './hidden-ids/case.js';
import { GRAPHQL_CASES } from './hidden-ids/graphql-cases.js';
import { createIds, type Ids, unusedIds } from './hidden-ids/ids.js';
import { REST_CASES } from './hidden-ids/rest-cases.js';

let service: TestService;
let me: { email: string; key: string };
let owner: { email: string; key: string };
let mine: Ids;
let theirs: Ids;
let missing: Ids;

beforeAll(async () => {
  service = await startTestService();
  [me, owner] = [await service.createUser('me'), await service.createUser('another-user')];
  [mine, theirs] = [await createIds(service, me, 'mine'), await createIds(service, owner, 'Zanzibar')];
  missing = unusedIds();
});
afterAll(() => service?.stop());

const text = (value: unknown) => JSON.stringify(value);

/** The comparable part of an answer: the status, and the body without positions in the query. */
async function answerTo({ method = 'GET', path, body, graphql }: HiddenIdRequest): Promise<string> {
  const { status, body: got } =
    graphql === undefined
      ? await service.rest(method, path!, { key: me.key, body })
      : await service.rest('POST', '/graphql', { key: me.key, body: { query: withPayloadErrors(graphql) } });
  // The position of an error in a text depends on the length of the ids before it.
  const errors = (got?.errors as { locations?: unknown }[] | undefined)?.map(({ locations: _at, ...rest }) => rest);
  return text([status, errors ? { ...got, errors } : got]);
}

it('has at least 60 cases', () => {
  expect(REST_CASES.length + GRAPHQL_CASES.length).toBeGreaterThanOrEqual(60);
});

describe.each([
  ['REST', REST_CASES],
  ['GraphQL', GRAPHQL_CASES],
])('an object of another project is like one that does not exist, in %s', (_where, cases) => {
  it.each(cases)('%s', async (_title, buildRequest) => {
    const shown = await answerTo(buildRequest(theirs, mine));
    expect(shown).toBe(await answerTo(buildRequest(missing, mine)));
    for (const detail of [theirs.mark, owner.email]) expect(shown).not.toContain(detail);
  });

  it('and is unchanged', async () => {
    const { body } = await service.rest('GET', `/api/v1/workflows/${theirs.workflow}/`, { key: owner.key });
    expect(body).toMatchObject({ title: 'Zanzibar', project: theirs.project });
    const states = await service.sql('select state from workflow_run where project_id = $1', [theirs.project]);
    expect(states.map(row => row.state).toSorted()).toEqual(['cancelled', 'draft', 'waiting']);
    const [asked] = await service.sql('select decision from workflow_run_approval where id = $1', [theirs.approval]);
    expect(asked).toEqual({ decision: null });
  });
});

describe.each([
  ['workflowRunChanged', (other: Ids) => `subscription { workflowRunChanged(id: "${other.run}") { sequence } }`],
  [
    'agentApprovalRequested',
    (other: Ids) => `subscription { agentApprovalRequested(projectId: ${other.project}) { tool } }`,
  ],
  ['projectActivity', (other: Ids) => `subscription { projectActivity(projectId: ${other.project}) { subjectId } }`],
])('the subscription %s', (_field, ask) => {
  it('answers the same for an object of another project as for one that does not exist', async () => {
    for (const other of [theirs, missing]) {
      const first = service.subscribe(ask(other), {}, me.key).next();
      await expect(first).resolves.toMatchObject({ value: { errors: [{ extensions: { code: 'NOT_FOUND' } }] } });
    }
  });
});

describe('an id inside a graph that runs', () => {
  const kinds: [string, (workflow: number) => Json][] = [
    ['of a sub-workflow', id => node('subworkflow-node', { workflow_id: id }, 'call') as never],
    ['of a loop', id => node('loop-node', { workflow_id: id, items: [1] }, 'call') as never],
    [
      'of a sub-workflow, by placeholder',
      _ => node('subworkflow-node', { workflow_id: '{{ input.id }}' }, 'call') as never,
    ],
  ];
  it.each(kinds)('%s only finds workflows of its own project', async (_title, kind) => {
    const shown: unknown[] = [];
    for (const { workflow } of [theirs, missing]) {
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
      shown.push([ended.error?.code, ended.data.call.error]);
    }
    expect(shown[0]).toEqual(shown[1]);
    expect(text(shown)).toContain('must be a workflow of the same project');
  });
});

describe('a member that the caller may not set', () => {
  it.each([
    ['project', () => theirs.project],
    ['copied_from', () => theirs.workflow],
    ['created_by', () => theirs.user],
    ['revision_id', () => 1],
    ['is_published', () => true],
    ['id', () => theirs.workflow],
  ])('%s is ignored in a change of a workflow', async (member, value) => {
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
  ])('%s is ignored in a change of a project', async (member, value) => {
    const before = await service.rest('GET', `/api/v1/projects/${mine.project}/`, { key: me.key });
    const body = `{"name": "mine", ${text(member)}: ${text(value)}}`;
    const headers = { 'Content-Type': 'application/json' };
    const changed = await service.rest('PATCH', `/api/v1/projects/${mine.project}/`, { key: me.key, body, headers });
    expect(changed.status).toBe(200);
    expect({ ...changed.body, updated_at: '' }).toEqual({ ...before.body, updated_at: '' });
  });
});

it('answers only that a task_id is taken when a run of another user has it', async () => {
  const start = (id: string) => ({
    method: 'POST',
    path: `/api/v1/workflows/run/?task_id=${id}`,
    body: { data: callingGraph({}), project: mine.project },
  });
  const shown = await answerTo(start(theirs.run));
  expect(shown).toBe(await answerTo(start(mine.run)));
  expect(JSON.parse(shown)).toEqual([409, { detail: 'A run with this id exists already.', code: 'conflict' }]);
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

it('sends nothing more of a run to a subscriber whose membership was removed', async () => {
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
  const shown: unknown[] = [];
  for await (const change of changes) shown.push(change);
  expect(text(shown)).not.toMatch(/RUN_CANCELLED|NODE_FAILED/);
});
