import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { restAsDeclared } from '../rest/declared-answers.js';
import { pureGraph } from '../support/run-graphs.js';
import { startTestService, type TestService } from '../support/service.js';
import { bearer, createLogin, type LoggedIn } from '../support/sessions.js';

const ROLES = ['viewer', 'editor', 'admin', 'owner'] as const;
type Role = (typeof ROLES)[number];

/** A place of its own for each request, so that none of them sees what another has done. */
interface Place {
  project: number;
  workflow: number;
  run: string;
  /** One of each part of scenarios. */
  variable: number;
  prompt: number;
  message: number;
  scenario: number;
  scenarioRun: number;
  /** What an agent of the run asks for. */
  approval: string;
  /** A member beside the one who asks. */
  bystander: number;
}

interface Request {
  method: string;
  path: (place: Place) => string;
  body?: unknown | ((place: Place) => unknown);
  /** Answers by role, weakest first. */
  answers: [viewer: number, editor: number, admin: number, owner: number];
}

const project = (rest: string) => (place: Place) => `/api/v1/projects/${place.project}/${rest}`;
const workflow = (rest: string) => (place: Place) => `/api/v1/workflows/${place.workflow}/${rest}`;
const history = (rest: string) => (place: Place) => `/api/v1/workflows/${place.workflow}/history/${place.run}/${rest}`;
const scenarioRun = (rest: string) => (place: Place) => `/api/v1/scenarioruns/${place.scenarioRun}/${rest}`;
const all = (status: number): Request['answers'] => [status, status, status, status];

const REQUESTS: Request[] = [
  { method: 'GET', path: project(''), answers: all(200) },
  { method: 'PATCH', path: project(''), body: { name: 'New' }, answers: [403, 403, 200, 200] },
  { method: 'PATCH', path: project(''), body: { webhook_url: '' }, answers: [403, 403, 200, 200] },
  { method: 'DELETE', path: project(''), answers: [403, 403, 403, 204] },
  { method: 'GET', path: project('get-stopwords/'), answers: all(200) },
  { method: 'POST', path: project('set-stopwords/'), body: { stopwords: [] }, answers: [403, 200, 200, 200] },
  { method: 'GET', path: project('members/'), answers: all(200) },
  {
    method: 'POST',
    path: project('members/'),
    body: { email: 'newcomer@example.com', role: 'viewer' },
    answers: [403, 403, 201, 201],
  },
  {
    method: 'PATCH',
    path: place => project(`members/${place.bystander}/`)(place),
    body: { role: 'editor' },
    answers: [403, 403, 200, 200],
  },
  { method: 'DELETE', path: place => project(`members/${place.bystander}/`)(place), answers: [403, 403, 204, 204] },
  { method: 'GET', path: workflow(''), answers: all(200) },
  { method: 'PATCH', path: workflow(''), body: { title: 'New' }, answers: [403, 200, 200, 200] },
  { method: 'DELETE', path: workflow(''), answers: [403, 204, 204, 204] },
  { method: 'POST', path: workflow('duplicate/'), answers: [400, 201, 201, 201] },
  { method: 'POST', path: workflow('reorder/'), body: { sort_id: 1 }, answers: [400, 200, 200, 200] },
  { method: 'GET', path: workflow('input-fields/'), answers: all(200) },
  { method: 'GET', path: workflow('check_workflow/'), answers: all(200) },
  { method: 'POST', path: workflow('run/'), body: { topic: 'cats' }, answers: [403, 200, 200, 200] },
  { method: 'GET', path: workflow('history/'), answers: all(200) },
  { method: 'GET', path: history(''), answers: all(200) },
  { method: 'POST', path: history('re-run/'), answers: [403, 201, 201, 201] },
  { method: 'POST', path: history('cancel/'), answers: [403, 200, 200, 200] },
  { method: 'POST', path: history('toggle-api-run/'), body: { is_api_run: true }, answers: [400, 200, 200, 200] },
  ...['approve', 'reject'].map(
    (decision): Request => ({
      method: 'POST',
      path: ({ run, approval }) => `/api/v1/workflows/workflow_run/${run}/agent-approval/${approval}/${decision}/`,
      answers: [403, 200, 200, 200],
    }),
  ),
  {
    method: 'POST',
    path: () => '/api/v1/scenarioruns/run/',
    body: (place: Place) => ({ scenario: place.scenario }),
    answers: [403, 201, 201, 201],
  },
  ...(['variable', 'prompt', 'message', 'scenario'] as const).flatMap((kind): Request[] => {
    const part = (rest: string) => (place: Place) => `/api/v1/${kind}s/${place[kind]}/${rest}`;
    return [
      { method: 'GET', path: part(''), answers: all(200) },
      { method: 'PATCH', path: part(''), body: {}, answers: [403, 200, 200, 200] },
      { method: 'DELETE', path: part(''), answers: [403, 204, 204, 204] },
      { method: 'POST', path: part('reorder/'), body: { sort_id: 1 }, answers: [400, 200, 200, 200] },
    ];
  }),
  { method: 'GET', path: scenarioRun(''), answers: all(200) },
  { method: 'PATCH', path: scenarioRun(''), body: { webhook_url: '' }, answers: [403, 200, 200, 200] },
  { method: 'PATCH', path: scenarioRun('update-message/'), body: { key: 'm' }, answers: [403, 200, 200, 200] },
  { method: 'PATCH', path: scenarioRun('update-variable/'), body: { key: 'none' }, answers: [403, 400, 400, 400] },
  {
    method: 'PATCH',
    path: scenarioRun('update-inserted-variable/'),
    body: { id: 1, value: 'x' },
    answers: [403, 400, 400, 400],
  },
  { method: 'POST', path: scenarioRun('cancel/'), answers: [403, 200, 200, 200] },
  { method: 'DELETE', path: scenarioRun(''), answers: [403, 204, 204, 204] },
  { method: 'GET', path: place => `/api/v1/workflows/history/?workflow_id=${place.workflow}`, answers: all(200) },
  { method: 'GET', path: ({ run }) => `/api/v1/workflows/workflow_result/?id=${run}`, answers: all(200) },
  { method: 'GET', path: ({ run }) => `/api/v1/billing-history/workflowrun/${run}/`, answers: all(200) },
];

let service: TestService;
let people: Record<Role, { email: string; key: string }>;
let session: LoggedIn;
let bystander: { email: string; key: string };
let administrator: LoggedIn;

beforeAll(async () => {
  service = await startTestService({ role: 'api' });
  const made = await Promise.all(ROLES.map(role => service.createUser(`the-${role}`)));
  people = Object.fromEntries(ROLES.map((role, index) => [role, made[index]])) as typeof people;
  bystander = await service.createUser('bystander');
  await service.createUser('newcomer');
  session = await createLogin(service, 'session');
  administrator = await createLogin(service, 'administrator', { isAdmin: true });
});
afterAll(() => service?.stop());

/** A project with a workflow and a run, in which `email` has the role. */
async function place(email: string, role: Role): Promise<Place> {
  const { id } = (await service.rest('POST', '/api/v1/projects/', { body: { name: 'Place' } })).body;
  const [me] = await service.sql('select id from app_user where email = $1', [email]);
  if (role === 'owner') await service.sql('update project_member set user_id = $2 where project_id = $1', [id, me?.id]);
  else
    await service.sql('insert into project_member (project_id, user_id, role) values ($1, $2, $3)', [id, me?.id, role]);
  const added = await service.rest('POST', `/api/v1/projects/${id}/members/`, {
    body: { email: bystander.email, role: 'viewer' },
  });
  const made = await service.rest('POST', '/api/v1/workflows/', {
    body: { project: id, title: 'Workflow', data: pureGraph() },
  });
  const run = await service.rest('POST', `/api/v1/workflows/${made.body.id}/run/`, { body: { topic: 'cats' } });
  const [asked] = await service.sql(
    `insert into workflow_run_approval (id, run_id, project_id, node_id, kind, requested_at, expires_at)
     values (gen_random_uuid(), $1, $2, 'agent', 'start', now(), now() + interval '1 day') returning id`,
    [run.body.data.id, id],
  );
  const message = await service.rest('POST', '/api/v1/messages/', { body: { project: id, key: 'm' } });
  const variable = await service.rest('POST', '/api/v1/variables/', {
    body: { project: id, key: 'v', variable_names: [] },
  });
  const prompt = await service.rest('POST', '/api/v1/prompts/', {
    body: { project: id, key: 'p', role: 'user', content: 'Hello' },
  });
  const scenario = await service.rest('POST', '/api/v1/scenarios/', {
    body: { project: id, name: 'S', category: 1, run_fee: 0, free_runs_per_user: 0, messages: [message.body.id] },
  });
  const scenarioRun = await service.rest('POST', '/api/v1/scenarioruns/run/', { body: { scenario: scenario.body.id } });
  return {
    variable: variable.body.id,
    prompt: prompt.body.id,
    message: message.body.id,
    scenario: scenario.body.id,
    scenarioRun: scenarioRun.body.id,
    project: id,
    workflow: made.body.id,
    run: run.body.data.id,
    approval: asked?.id,
    bystander: added.body.id,
  };
}

/** What is sent to this place. */
function sentTo(where: Place, body: Request['body']): unknown {
  return typeof body === 'function' ? body(where) : body;
}

/** A session wraps the input of a run. */
function asSession(path: string, body: unknown): unknown {
  return /workflows.*\/(re-)?run\/$/.test(path) ? { input_data: { topic: 'cats' } } : body;
}

const titled = REQUESTS.map(request => {
  const shown = request.path({
    project: 1,
    workflow: 2,
    run: '{run}',
    variable: 6,
    prompt: 7,
    message: 8,
    scenario: 4,
    scenarioRun: 5,
    approval: '{request}',
    bystander: 3,
  });
  return [request.method, shown.replace('/api/v1', ''), request] as const;
});

describe.each(ROLES)('a member with the role %s', role => {
  it.each(titled)('%s %s', async (method, _path, { path, body, answers }) => {
    const where = await place(people[role].email, role);
    const { status } = await restAsDeclared(service, method, path(where), {
      key: people[role].key,
      body: sentTo(where, body),
    });
    expect(status).toBe(answers[ROLES.indexOf(role)]);
  });
});

describe('an administrator of the service may do what an owner may', () => {
  it.each(titled)('%s %s', async (method, _path, { path, body, answers }) => {
    const where = await place(people.viewer.email, 'owner');
    const options = { ...bearer(administrator.access), body: asSession(path(where), sentTo(where, body)) };
    expect((await restAsDeclared(service, method, path(where), options)).status).toBe(answers[3]);
  });
});

describe('a session has the rights of its user, no more and no fewer', () => {
  it.each(titled)('%s %s', async (method, _path, { path, body, answers }) => {
    const where = await place(session.email, 'editor');
    const options = { ...bearer(session.access), body: asSession(path(where), sentTo(where, body)) };
    expect((await restAsDeclared(service, method, path(where), options)).status).toBe(answers[1]);
  });
});

describe('without credentials nothing is told', () => {
  it.each(titled)('%s %s', async (method, _path, { path, body: sent }) => {
    const uuid = '01a1fccb-0000-7000-8000-000000000000';
    const ghost = {
      project: 1,
      workflow: 1,
      run: uuid,
      variable: 1,
      prompt: 1,
      message: 1,
      scenario: 1,
      scenarioRun: 1,
      approval: uuid,
      bystander: 1,
    };
    const body = sentTo(ghost, sent);
    const answers = [
      await restAsDeclared(service, method, path(ghost), { key: null, body }),
      await restAsDeclared(service, method, path(ghost), {
        ...bearer('a-service-token-for-tests-32-characters-or-more'),
        body,
      }),
    ];
    for (const answer of answers) {
      expect(answer).toMatchObject({ status: 401, body: { code: 'not_authenticated' } });
      expect(answer.headers.get('www-authenticate')).toBe('X-Api-Key');
    }
  });
});

it('covers every route that names something of a project', async () => {
  const { default: openapi } = await import('../../rest-compat/generated/openapi.json', { with: { type: 'json' } });
  const ghost = {
    project: 1,
    workflow: 1,
    run: '1',
    variable: 1,
    prompt: 1,
    message: 1,
    scenario: 1,
    scenarioRun: 1,
    approval: '1',
    bystander: 1,
  };
  const covered = REQUESTS.map(
    ({ method, path }) =>
      `${method} ${path(ghost)
        .replace(/\?.*/, '')
        .replaceAll(/\/1(?=\/)/g, '/{}')}`,
  );
  const routes = Object.entries(openapi.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map(method => `${method.toUpperCase()} ${path.replaceAll(/\{\w+\}/g, '{}')}`),
  );
  const missing = routes.filter(route => route.includes('{}') && !covered.includes(route));
  // A user's own, and the service token's alone.
  expect(missing).toEqual(['DELETE /api/v1/api-keys/{}/', 'POST /api/v1/workflows/execution-update/{}/']);
});
