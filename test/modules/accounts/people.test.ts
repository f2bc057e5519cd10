import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { toAuditDetails } from '../../../src/modules/projects/audit/audit-details.js';
import { ADMIN_EMAIL } from '../../support/config.js';
import { joinProject } from '../../support/members.js';
import { createWorkflow, pureGraph } from '../../support/run-graphs.js';
import { startTestService, type TestService } from '../../support/service.js';
import { bearer, createLogin, logIn } from '../../support/sessions.js';

const USER = '{ id email name isAdmin isApiAllowed hasPassword createdAt }';

let service: TestService;
let ann: { email: string; key: string };
beforeAll(async () => {
  service = await startTestService({ role: 'api' });
  ann = await service.createUser('ann');
});
afterAll(() => service?.stop());

const ask = (query: string, variables?: Record<string, unknown>, key: string | null = service.key) =>
  service.graphql(query, variables, key);
const create = (input: Record<string, unknown>, key = service.key) =>
  ask(`mutation ($input: UserCreateInput!) { userCreate(input: $input) { user ${USER} } }`, { input }, key);
const update = (id: number, input: Record<string, unknown>, key = service.key) =>
  ask(
    `mutation ($id: Int!, $input: UserUpdateInput!) { userUpdate(id: $id, input: $input) { user ${USER} } }`,
    { id, input },
    key,
  );
const refusal = ({ errors }: Awaited<ReturnType<typeof ask>>) => errors?.map(error => error.extensions);

describe('a user', () => {
  it('is created by an administrator, without rights unless the input gives them', async () => {
    const { data } = await create({ email: ' Cleo@Example.com', password: 'correct horse', name: 'Cleo' });
    expect(data.userCreate.user).toEqual({
      id: expect.any(Number),
      email: 'cleo@example.com',
      name: 'Cleo',
      isAdmin: false,
      isApiAllowed: false,
      hasPassword: true,
      createdAt: expect.stringMatching(/Z$/),
    });
    await logIn(service, 'cleo@example.com', 'correct horse');
    const bare = (
      await create({ email: 'bare@example.com', password: null, name: null, isAdmin: null, isApiAllowed: null })
    ).data;
    expect(bare.userCreate.user).toMatchObject({ name: '', isAdmin: false, isApiAllowed: false, hasPassword: false });
  });

  it.each([
    [{ email: 'no address' }, ['email']],
    [{ email: '' }, ['email']],
    [{ email: `${'x'.repeat(250)}@example.com` }, ['email']],
    [{ email: 'a@example.com', password: 'short' }, ['password']],
    [{ email: 'a@example.com', password: 'x'.repeat(1_025) }, ['password']],
    [{ email: 'a@example.com', name: 'x'.repeat(256) }, ['name']],
    [{ email: 'no address', password: 'short' }, ['email', 'password']],
  ])('is not created from %j', async (input, fields) => {
    const [extensions] = refusal(await create(input)) ?? [];
    expect(extensions).toMatchObject({ code: 'BAD_USER_INPUT' });
    expect(Object.keys(extensions?.fields)).toEqual(fields);
    expect(JSON.stringify(extensions)).not.toContain('short');
  });

  it('has an email that is unique regardless of case, also when several are created at once', async () => {
    const answers = await Promise.all(
      ['one@Example.com', 'ONE@example.com', 'one@example.com'].map(email => create({ email })),
    );
    expect(answers.filter(({ errors }) => !errors)).toHaveLength(1);
    expect(answers.flatMap(answer => refusal(answer) ?? [])).toEqual([{ code: 'CONFLICT' }, { code: 'CONFLICT' }]);
    const { id } = (await create({ email: 'two@example.com' })).data.userCreate.user;
    expect(refusal(await update(id, { email: 'One@example.com' }))).toEqual([{ code: 'CONFLICT' }]);
    expect((await update(id, { email: 'TWO@example.com' })).data.userUpdate.user.email).toBe('two@example.com');
  });

  it('distinguishes null from omission in an update', async () => {
    const { id } = (
      await create({ email: 'nil@example.com', password: 'correct horse', name: 'Nil', isApiAllowed: true })
    ).data.userCreate.user;
    const full = { email: 'nil@example.com', name: 'Nil', isAdmin: false, isApiAllowed: true };
    expect((await update(id, {})).data.userUpdate.user).toMatchObject(full);
    expect((await update(id, { name: null })).data.userUpdate.user).toMatchObject({ ...full, name: '' });
    for (const member of ['email', 'isAdmin', 'isApiAllowed'])
      expect(refusal(await update(id, { [member]: null }))).toMatchObject([
        { code: 'BAD_USER_INPUT', fields: { [member]: ['This field may not be null.'] } },
      ]);
    await logIn(service, 'nil@example.com', 'correct horse');
    await update(id, { password: null });
    await expect(logIn(service, 'nil@example.com', 'correct horse')).rejects.toThrow('401');
    expect(refusal(await update(2_000_000_000, { name: 'x' }))).toEqual([{ code: 'NOT_FOUND' }]);
  });

  it('is visible to administrators and to the user', async () => {
    const [row] = await service.sql('select id from app_user where email = $1', [ann.email]);
    expect((await ask('{ me { id email } }', {}, ann.key)).data.me).toEqual({ id: row?.id, email: ann.email });
    expect((await ask(`{ user(id: ${row?.id}) { email } }`)).data.user).toEqual({ email: ann.email });
    const { total, items } = (await ask('{ users(size: 100) { total items { email } } }')).data.users;
    expect(items).toHaveLength(total);
    expect(items.at(-1)).toEqual({ email: ADMIN_EMAIL });
    for (const query of ['{ users { total } }', `{ user(id: ${row?.id}) { id } }`, '{ user(id: 2000000000) { id } }'])
      expect(refusal(await ask(query, {}, ann.key))).toEqual([{ code: 'FORBIDDEN' }]);
    expect(refusal(await create({ email: 'x@example.com' }, ann.key))).toEqual([{ code: 'FORBIDDEN' }]);
    expect(refusal(await update(row?.id, { isAdmin: true }, ann.key))).toEqual([{ code: 'FORBIDDEN' }]);
    expect(refusal(await ask('{ me { id } }', {}, null))).toEqual([{ code: 'UNAUTHENTICATED' }]);
  });

  it('remains an administrator when it is the last, also when several administrators dismiss each other at the same time', async () => {
    const second = await createLogin(service, 'second', { isAdmin: true });
    const [first] = await service.sql('select id from app_user where email = $1', [ADMIN_EMAIL]);
    const answers = await Promise.all([update(first?.id, { isAdmin: false }), update(second.id, { isAdmin: false })]);
    expect(answers.filter(({ errors }) => !errors)).toHaveLength(1);
    const left = await service.sql('select id from app_user where is_admin');
    expect(left).toHaveLength(1);
    await service.sql('update app_user set is_admin = true where id = $1', [first?.id]);
  });
});

it('the details of an action are listed with their paths', () => {
  const detail = {
    name: null,
    from: { fee: '0.5', hosts: [] },
    to: { fee: '1', hosts: ['a.example', 'b.example'] },
    isOn: true,
  };
  const values = toAuditDetails(detail).map(({ path, kind, text, number, isTrue }) => [
    path,
    kind,
    text ?? number ?? isTrue,
  ]);
  expect(values).toEqual([
    ['name', 'null', null],
    ['from.fee', 'text', '0.5'],
    ['from.hosts', 'empty', null],
    ['to.fee', 'text', '1'],
    ['to.hosts.0', 'text', 'a.example'],
    ['to.hosts.1', 'text', 'b.example'],
    ['isOn', 'boolean', true],
  ]);
  expect(toAuditDetails({})).toEqual([]);
  expect(toAuditDetails({ many: Array.from({ length: 300 }, (_, at) => at) })).toHaveLength(200);
});

describe('the audit log', () => {
  const LOG = `query ($p: Int, $size: Int = 100) { auditLog(projectId: $p, size: $size) {
    total items { id createdAt action userId userEmail via address objectType objectId projectId detail
      details { path kind text number isTrue } } } }`;

  it('records who changed a project, how, with what and from where', async () => {
    const boss = await createLogin(service, 'boss');
    const rest = (method: string, path: string, body?: unknown) =>
      service.rest(method, path, { ...bearer(boss.access), body });
    const { id } = (await rest('POST', '/api/v1/projects/', { name: 'Logged' })).body;
    const offer = (await rest('POST', `/api/v1/projects/${id}/members/`, { email: ann.email, role: 'viewer' })).body;
    const accept = `/api/v1/invitations/${offer.id}/accept/`;
    const added = (await service.rest('POST', accept, { key: ann.key })).body;
    await rest('PATCH', `/api/v1/projects/${id}/members/${added.id}/`, { role: 'admin' });
    const workflow = await createWorkflow(service, pureGraph());
    await service.sql('update workflow set project_id = $1 where id = $2', [id, workflow]);
    await rest('DELETE', `/api/v1/workflows/${workflow}/`);
    await ask(
      'mutation ($p: Int!, $u: Int!) { projectOwnershipTransfer(projectId: $p, userId: $u) { projectMember { id } } }',
      {
        p: id,
        u: added.user,
      },
    );

    const { items, total } = (await ask(LOG, { p: id }, ann.key)).data.auditLog;
    expect(items.map(({ action, via }: { action: string; via: string }) => [action, via])).toEqual([
      ['project.transfer', 'API_KEY'],
      ['workflow.delete', 'SESSION'],
      ['member.update', 'SESSION'],
      ['invitation.accept', 'API_KEY'],
      ['invitation.create', 'SESSION'],
    ]);
    expect(total).toBe(5);
    expect(items[2]).toEqual({
      id: expect.any(String),
      createdAt: expect.stringMatching(/Z$/),
      action: 'member.update',
      userId: boss.id,
      userEmail: boss.email,
      via: 'SESSION',
      address: '127.0.0.1',
      objectType: 'member',
      objectId: String(added.id),
      projectId: id,
      detail: { userId: added.user, from: 'viewer', to: 'admin' },
      details: [
        { path: 'userId', kind: 'NUMBER', text: null, number: added.user, isTrue: null },
        { path: 'from', kind: 'TEXT', text: 'viewer', number: null, isTrue: null },
        { path: 'to', kind: 'TEXT', text: 'admin', number: null, isTrue: null },
      ],
    });
    expect(items[0]).toMatchObject({ userEmail: ADMIN_EMAIL, detail: { from: boss.id, to: added.user } });
    expect((await ask(LOG, { p: id, size: 1 }, ann.key)).data.auditLog).toMatchObject({ total: 5, items: [items[0]] });
  });

  it('is visible to admins of the project; the whole log, with deleted objects, to administrators', async () => {
    const { data } = await ask('mutation { projectCreate(input: { name: "Short" }) { project { id } } }', {}, ann.key);
    const p = data.projectCreate.project.id;
    const ben = await service.createUser('ben');
    expect(refusal(await ask(LOG, { p }, ben.key))).toEqual([{ code: 'NOT_FOUND' }]);
    await joinProject(service, p, ben.email, 'editor');
    expect(refusal(await ask(LOG, { p }, ben.key))).toEqual([{ code: 'FORBIDDEN' }]);
    for (const variables of [{}, { p: null }])
      expect(refusal(await ask(LOG, variables, ann.key))).toEqual([{ code: 'FORBIDDEN' }]);
    await service.rest('DELETE', `/api/v1/projects/${p}/`, { key: ann.key });
    expect(refusal(await ask(LOG, { p }, ann.key))).toEqual([{ code: 'NOT_FOUND' }]);
    const kept = (await ask(LOG, { p })).data.auditLog.items;
    expect(kept[0]).toMatchObject({ action: 'project.delete', userEmail: ann.email, detail: { name: 'Short' } });
    const whole = (await ask(LOG)).data.auditLog.items.map(({ action }: { action: string }) => action);
    expect(whole).toEqual(expect.arrayContaining(['user.create', 'user.update', 'api-key.create', 'project.delete']));
  });

  it('records that a password changed, and never the password', async () => {
    const { id } = await createLogin(service, 'secretive');
    await update(id, { password: 'canary-of-a-password', name: 'S' });
    const rows = await service.sql(`select detail from audit_entry where action = 'user.update' and object_id = $1`, [
      String(id),
    ]);
    expect(rows).toEqual([{ detail: { name: 'S', password: 'changed' } }]);
    const dump = await service.sql(
      'select row_to_json(u) as row from app_user u union all select row_to_json(a) from audit_entry a',
    );
    expect(JSON.stringify(dump)).not.toContain('canary');
  });

  it('has no entry of refused changes', async () => {
    const count = async () => (await service.sql('select count(*)::int as n from audit_entry'))[0]?.n;
    const before = await count();
    const [last] = await service.sql('select id from app_user where email = $1', [ADMIN_EMAIL]);
    await service.sql('update app_user set is_admin = (id = $1)', [last?.id]);
    expect(refusal(await update(last?.id, { isAdmin: false, name: 'Gone' }))).toEqual([{ code: 'CONFLICT' }]);
    await create({ email: ADMIN_EMAIL });
    expect(await count()).toBe(before);
    expect(await service.sql('select name from app_user where id = $1', [last?.id])).toEqual([
      { name: 'Administrator' },
    ]);
  });
});
