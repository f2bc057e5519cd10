import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { startTestService, type TestService } from '../support/service.js';

let service: TestService;
let project: number;

beforeAll(async () => {
  service = await startTestService({ role: 'api' });
  project = await createProject('Shop');
});
afterAll(() => service?.stop());

async function createProject(name: string): Promise<number> {
  return (await service.rest('POST', '/api/v1/projects/', { body: { name } })).body.id;
}

function create(body: object) {
  return service.rest('POST', '/api/v1/project-variables/', { body: { project, ...body } });
}

function change(id: number, body: object) {
  return service.rest('PATCH', `/api/v1/project-variables/${id}/`, { body });
}

it('lists variables by name, with secrets masked', async () => {
  const secret = await create({
    name: 'TOKEN',
    value: 'top-secret',
    is_secret: true,
    allowed_hosts: ['a.example.com'],
  });
  const plain = await create({ name: 'COLOR', value: '' });
  expect(secret).toMatchObject({ status: 201, body: { project, name: 'TOKEN', value: '********', is_secret: true } });
  expect(plain).toMatchObject({ status: 201, body: { value: '', is_secret: false, allowed_hosts: [] } });
  const { body } = await service.rest('GET', `/api/v1/projects/${project}/project-variables/`);
  expect(body).toEqual({ page: 1, size: 10, total: 2, items: [plain.body, secret.body] });
  expect(JSON.stringify(await service.sql('select * from project_variable'))).not.toContain('top-secret');
  const log = await service.graphql(`{ auditLog(projectId: ${project}) { items { action detail } } }`);
  expect(log.data.auditLog.items.map((one: { action: string }) => one.action)).toContain('project-variable.create');
  expect(JSON.stringify(log)).not.toContain('top-secret');
});

it('refuses invalid names, values and hosts', async () => {
  const faultsOf = async (body: object) => {
    const answer = await create(body);
    return [answer.status, Object.keys(answer.body)];
  };
  for (const name of ['', '1A', 'A B', 'a-b', 'é', 'A'.repeat(65)])
    expect(await faultsOf({ name, value: 'x' })).toEqual([400, ['name']]);
  expect(await faultsOf({ name: 'LONG', value: 'é'.repeat(8193) })).toEqual([400, ['value']]);
  expect(await faultsOf({ name: 'NUL', value: '\u0000' })).toEqual([400, ['value']]);
  expect(await faultsOf({ name: 'SHORT', value: '12345 ', is_secret: true })).toEqual([400, ['value']]);
  expect(await faultsOf({ name: 'HOSTS', value: 'plain', allowed_hosts: ['example.com'] })).toEqual([
    400,
    ['allowed_hosts'],
  ]);
  expect(
    await faultsOf({ name: 'HOSTS', value: 'secret', is_secret: true, allowed_hosts: ['https://example.com'] }),
  ).toEqual([400, ['allowed_hosts']]);
});

it.each<[value: unknown]>([['true'], [1], [null]])('refuses %j for is_secret and stores nothing', async given => {
  const name = 'UNCLEAR';
  const refused = await create({ name, value: 'maybe-secret', is_secret: given });
  expect([refused.status, Object.keys(refused.body)]).toEqual([400, ['is_secret']]);
  const { id } = (await create({ name: 'CLEAR', value: 'kept-secret', is_secret: true })).body;
  const changed = await change(id, { value: 'maybe-secret', is_secret: given });
  expect([changed.status, Object.keys(changed.body)]).toEqual([400, ['is_secret']]);
  const answer = await service.graphql(
    'mutation ($input: ProjectVariableCreateInput!) { projectVariableCreate(input: $input) { projectVariable { id } } }',
    { input: { projectId: project, name, value: 'maybe-secret', isSecret: given } },
  );
  const error = answer.errors?.[0]?.extensions;
  expect(error?.code).toBe('BAD_USER_INPUT');
  // The type Boolean of the schema refuses the others.
  if (given === null) expect(error?.fields).toEqual({ isSecret: ['This field may not be null.'] });
  expect(await service.sql('select name from project_variable where name = $1', [name])).toEqual([]);
  expect(await service.sql('select sealed is not null as sealed from project_variable where id = $1', [id])).toEqual([
    { sealed: true },
  ]);
  await service.rest('DELETE', `/api/v1/project-variables/${id}/`);
});

it('refuses a name that the project uses already', async () => {
  const first = await create({ name: 'ONCE', value: '1' });
  const second = await create({ name: 'TWICE', value: '2' });
  expect((await create({ name: 'ONCE', value: '3' })).status).toBe(409);
  expect((await change(second.body.id, { name: 'ONCE' })).status).toBe(409);
  expect((await change(first.body.id, { name: 'ONCE', value: '4' })).body).toMatchObject({ name: 'ONCE', value: '4' });
});

it('keeps a secret secret when it changes', async () => {
  const { id } = (
    await create({
      name: 'KEPT',
      value: 'first-secret',
      is_secret: true,
      allowed_hosts: ['a.example.com', 'b.example.com'],
    })
  ).body;
  const sealed = async () => (await service.sql('select sealed from project_variable where id = $1', [id]))[0]?.sealed;
  const before = await sealed();
  expect((await change(id, { value: '********', allowed_hosts: ['a.example.com'] })).status).toBe(200);
  expect(await sealed()).toBe(before);
  const refusals = [
    { is_secret: false, allowed_hosts: [] },
    { allowed_hosts: ['c.example.com'] },
    { allowed_hosts: [] },
  ];
  for (const body of refusals) {
    const answer = await change(id, body);
    expect([answer.status, Object.keys(answer.body)]).toEqual([400, ['value']]);
  }
  expect((await change(id, { value: 'second-secret', allowed_hosts: [] })).status).toBe(200);
  expect(await sealed()).not.toBe(before);
  const made = await change(id, { is_secret: false, value: 'public' });
  expect(made.body).toMatchObject({ value: 'public', is_secret: false });
  expect(await sealed()).toBeNull();
});

it('refuses more than 200 variables, also when requests are concurrent', async () => {
  const full = await createProject('Full');
  await service.sql(
    `insert into project_variable (project_id, name, value) select $1, 'V' || n, '' from generate_series(1, 198) n`,
    [full],
  );
  const answers = await Promise.all(
    ['A', 'B', 'C', 'D'].map(name =>
      service.rest('POST', '/api/v1/project-variables/', { body: { project: full, name, value: '' } }),
    ),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 409, 409]);
});

it('deletes a variable once', async () => {
  const { id } = (await create({ name: 'GONE', value: '' })).body;
  const statuses = [];
  for (let n = 0; n < 2; n++) statuses.push((await service.rest('DELETE', `/api/v1/project-variables/${id}/`)).status);
  expect(statuses).toEqual([204, 404]);
});
