import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { awaitFinish } from '../../rest/workflows/finished-run.js';
import { chain, node, output, template, trigger } from '../../support/graphs.js';
import { startTestService, type TestService } from '../../support/service.js';

const SECRET = 'the-secret-of-staging';
let service: TestService;
let project: number;
let staging: number;
let variable: number;
let workflow: number;

const rest = (method: string, path: string, body?: object, headers?: Record<string, string>) =>
  service.rest(method, `/api/v1/${path}`, { ...(body ? { body } : {}), ...(headers ? { headers } : {}) });

async function save(...nodes: Parameters<typeof chain>): Promise<number> {
  const data = chain(trigger(), ...nodes);
  return (await rest('POST', 'workflows/', { project, title: 'W', data })).body.id;
}

async function runIn(environment: string | undefined, id = workflow) {
  const headers: Record<string, string> = environment === undefined ? {} : { 'X-Environment': environment };
  const started = await rest('POST', `workflows/${id}/run/`, {}, headers);
  expect(started.body.status).toBe(201);
  const { output: value } = await awaitFinish(service, started.body.data.id);
  return { id: started.body.data.id as string, value };
}

const environmentOf = async (id: string) =>
  (await service.graphql(`{ workflowRun(id: "${id}") { environment } }`)).data.workflowRun.environment;

beforeAll(async () => {
  service = await startTestService();
  project = (await rest('POST', 'projects/', { name: 'Environments' })).body.id;
  staging = (await rest('POST', 'project-environments/', { project, name: 'staging' })).body.id;
  variable = (await rest('POST', 'project-variables/', { project, name: 'PLACE', value: 'live' })).body.id;
  await rest('POST', 'project-variables/', { project, name: 'COMMON', value: 'same' });
  await rest('PUT', `project-variables/${variable}/values/${staging}/`, { value: 'tried' });
  workflow = await save(template('{{ env.PLACE }} {{ env.COMMON }}'), output());
});
afterAll(() => service?.stop());

it('gives a run the values of its environment, and the default ones otherwise', async () => {
  expect((await runIn(undefined)).value).toBe('live same');
  expect((await runIn('production')).value).toBe('live same');
  const { id, value } = await runIn('staging');
  expect(value).toBe('tried same');
  expect(await environmentOf(id)).toBe('staging');
});

it('keeps the environment in sub-workflows, restarts and forks', async () => {
  const parent = await save(node('subworkflow-node', { workflow_id: workflow, input: {} }), output());
  const { id, value } = await runIn('staging', parent);
  expect(value).toBe('tried same');
  const restarted = await rest('POST', `workflows/${parent}/history/${id}/restart/`, {});
  expect((await awaitFinish(service, restarted.body.data.id)).output).toBe('tried same');
  expect(await environmentOf(restarted.body.data.id)).toBe('staging');
  const forked = await rest('POST', `runs/${id}/fork/`, {});
  expect(await environmentOf(forked.body.data.id)).toBe('staging');
});

it('refuses a run in an unknown environment, and its repetition, instead of using other values', async () => {
  for (const name of ['missing', 'No such', 'x'.repeat(500)]) {
    const { body } = await rest('POST', `workflows/${workflow}/run/`, {}, { 'X-Environment': name });
    expect(body).toMatchObject({ status: 400, data: { error: { code: 'unknown_environment' } } });
    expect(await environmentOf(body.data.id)).toBe(name.slice(0, 33));
    const restarted = await rest('POST', `workflows/${workflow}/history/${body.data.id}/restart/`, {});
    expect(restarted.body).toMatchObject({ status: 400, data: { error: { code: 'unknown_environment' } } });
  }
});

it('lets a trigger name an environment of its project', async () => {
  const create = `mutation ($input: WorkflowTriggerCreateInput!) {
    workflowTriggerCreate(input: $input) { workflowTrigger { id environment path } errors { path } } }`;
  const input = { workflowId: workflow, name: 'Hook', webhook: { reply: 'RESULT' } };
  const { data } = await service.graphql(create, { input: { ...input, environment: 'missing' } });
  expect(data.workflowTriggerCreate.errors).toEqual([{ path: expect.arrayContaining(['environment']) }]);
  const made = await service.graphql(create, { input: { ...input, environment: 'staging' } });
  const { workflowTrigger } = made.data.workflowTriggerCreate;
  expect(workflowTrigger.environment).toBe('staging');
  const listed = await rest('GET', `triggers/${workflowTrigger.id}/`);
  expect(listed.body.environment).toBe('staging');
  const reset = await rest('PATCH', `triggers/${workflowTrigger.id}/`, { environment: 'production' });
  expect(reset.body.environment).toBe('production');
  await rest('PATCH', `triggers/${workflowTrigger.id}/`, { environment: 'staging' });
  const before = await service.sql('select count(*)::int as count from workflow_run where environment = $1', [
    'staging',
  ]);
  await fetch(`${service.url}${workflowTrigger.path}`, { method: 'POST' });
  const after = await service.sql('select count(*)::int as count from workflow_run where environment = $1', [
    'staging',
  ]);
  expect(after[0]!.count).toBe(before[0]!.count + 1);
});

it('answers 404 for the value of an environment that the project does not have', async () => {
  const other = (await rest('POST', 'projects/', { name: 'Other' })).body.id;
  const foreign = (await rest('POST', 'project-environments/', { project: other, name: 'staging' })).body.id;
  for (const id of [99_999, foreign]) {
    const answer = await rest('PUT', `project-variables/${variable}/values/${id}/`, { value: 'x' });
    expect(answer.status).toBe(404);
  }
});

it('seals and masks the values of secrets', async () => {
  const token = await rest('POST', 'project-variables/', {
    project,
    name: 'TOKEN',
    value: 'secret-0',
    is_secret: true,
  });
  const at = `project-variables/${token.body.id}/`;
  // Too short to be masked in texts.
  expect((await rest('PUT', `${at}values/${staging}/`, { value: 'short' })).status).toBe(400);
  const { body } = await rest('PUT', `${at}values/${staging}/`, { value: SECRET });
  expect(body.values).toMatchObject([{ environment: 'staging', environment_id: staging, value: '********' }]);
  const [row] = await service.sql('select json_agg(v)::text as content from project_variable_value v');
  expect(row!.content).not.toContain(SECRET);
  const { value } = await runIn('staging', await save(template('{{ env.TOKEN }}'), output()));
  expect(value).toBe('********');
  // A variable stays a secret as long as an environment has a value for it.
  expect((await rest('PATCH', at, { value: 'public', is_secret: false })).status).toBe(409);
  for (const without of [{ value: null }, {}]) {
    await rest('PUT', `${at}values/${staging}/`, { value: SECRET });
    expect((await rest('PUT', `${at}values/${staging}/`, without)).body.values).toEqual([]);
  }
  expect((await rest('PATCH', at, { value: 'public', is_secret: false })).status).toBe(200);
});

it('sets the environment of a trigger in parallel changes, which need one database connection each', async () => {
  const body = { name: 'T', schedule: { cron: '0 0 1 1 *' } };
  const { id } = (await rest('POST', `workflows/${workflow}/triggers/`, body)).body;
  const changes = Array.from({ length: 48 }, (_, n) =>
    rest('PATCH', `triggers/${id}/`, { name: `T${n}`, environment: 'staging' }),
  );
  for (const answer of await Promise.all(changes))
    expect(answer).toMatchObject({ status: 200, body: { environment: 'staging' } });
  expect((await rest('PATCH', `triggers/${id}/`, { environment: 'unknown' })).status).toBe(400);
});

it('limits environments and their names', async () => {
  const create = (name: string) => rest('POST', 'project-environments/', { project, name });
  for (const name of ['', 'Upper', '1a', 'a b', 'production', 'x'.repeat(33)])
    expect((await create(name)).status).toBe(400);
  expect((await create('staging')).status).toBe(409);
  for (let n = 1; n < 10; n++) expect((await create(`env-${n}`)).status).toBe(201);
  expect((await create('one-more')).status).toBe(409);
  const { body } = await rest('GET', `projects/${project}/environments/`);
  expect(body.map(({ name }: { name: string }) => name)).toContain('staging');
  const log = await service.graphql(`{ auditLog(projectId: ${project}) { items { action } } }`);
  expect(log.data.auditLog.items[0].action).toBe('project-environment.create');
});

it('refuses new runs of a deleted environment', async () => {
  expect((await rest('DELETE', `project-environments/${staging}/`)).status).toBe(204);
  const { body } = await rest('POST', `workflows/${workflow}/run/`, {}, { 'X-Environment': 'staging' });
  expect(body).toMatchObject({ status: 400, data: { error: { code: 'unknown_environment' } } });
  const variables = await rest('GET', `projects/${project}/project-variables/?size=100`);
  for (const { values } of variables.body.items) expect(values).toEqual([]);
});
