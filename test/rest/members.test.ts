import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { joinProject } from '../support/members.js';
import { type RestOptions, startTestService, type TestService } from '../support/service.js';
import { whileDeleting } from '../support/transactions/held-transaction.js';
import { bytesOf } from './bytes-of.js';
import { restAsDeclared } from './declared-answers.js';

type Person = { email: string; key: string };

let service: TestService;
let [owner, admin, editor, viewer, outsider] = [] as unknown as Person[] as [Person, Person, Person, Person, Person];
let project: number;
const members = new Map<string, { id: number; user: number }>();

beforeAll(async () => {
  service = await startTestService({ role: 'api' });
  [owner, admin, editor, viewer, outsider] = (await Promise.all(
    ['owner', 'admin', 'editor', 'viewer', 'outsider'].map(name => service.createUser(`${name}-1`)),
  )) as [Person, Person, Person, Person, Person];
});
afterAll(() => service?.stop());

const call = (who: Person, method: string, path: string, options: RestOptions = {}) =>
  restAsDeclared(service, method, `/api/v1/projects/${project}/members/${path}`, { key: who.key, ...options });
const add = (who: Person, email: string, role: unknown) => call(who, 'POST', '', { body: { email, role } });
const change = (who: Person, member: string, role: string) =>
  call(who, 'PATCH', `${members.get(member)?.id}/`, { body: { role } });
const remove = (who: Person, member: string) => call(who, 'DELETE', `${members.get(member)?.id}/`);
const rolesNow = async () => {
  const { items } = (await call(owner, 'GET', '?size=100', { key: service.key })).body;
  return Object.fromEntries(
    items.map((item: { email: string; role: string }) => [item.email.split('-')[0], item.role]),
  );
};
const transfer = (key: string, userId: number) =>
  service.graphql(
    'mutation ($p: Int!, $u: Int!) { projectOwnershipTransfer(projectId: $p, userId: $u) { projectMember { email role } } }',
    { p: project, u: userId },
    key,
  );

beforeEach(async () => {
  project = (await service.rest('POST', '/api/v1/projects/', { key: owner.key, body: { name: 'Team' } })).body.id;
  for (const [who, role] of [
    [admin, 'admin'],
    [editor, 'editor'],
    [viewer, 'viewer'],
  ] as const)
    await joinProject(service, project, who.email, role);
  members.clear();
  const { items } = (await call(owner, 'GET', '')).body;
  for (const { id, user, email } of items) members.set(email.split('-')[0], { id, user });
});

describe('adding', () => {
  const administrator = () => ({ email: '', key: service.key });

  it('by an administrator of the service answers 201 with the member', async () => {
    const { status, body } = await add(administrator(), 'Outsider-1@Example.com ', 'editor');
    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.any(Number),
      user: expect.any(Number),
      email: outsider.email,
      role: 'editor',
      is_pending: false,
    });
    expect((await service.rest('GET', `/api/v1/projects/${project}/`, { key: outsider.key })).body.can_edit).toBe(true);
  });

  it('by an admin of the project answers 202 with an invitation, and adds no member', async () => {
    const before = await rolesNow();
    const { status, body } = await add(admin, 'Outsider-1@Example.com ', 'editor');
    expect(status).toBe(202);
    expect(body).toEqual({
      id: expect.any(Number),
      user: null,
      email: outsider.email,
      role: 'editor',
      is_pending: true,
    });
    expect(await rolesNow()).toEqual(before);
    expect((await service.rest('GET', `/api/v1/projects/${project}/`, { key: outsider.key })).status).toBe(404);
  });

  it('by an administrator of the service is refused for an email without a user', async () => {
    expect(await add(administrator(), 'nobody@example.com', 'viewer')).toMatchObject({
      status: 400,
      body: { email: ['No user has this email.'] },
    });
  });

  it.each([
    [{ email: 'viewer-1@example.com', role: 'admin' }, { email: ['This user is already a member of the project.'] }],
    [{ email: 'outsider-1@example.com', role: 'owner' }, { role: [expect.stringContaining('viewer, editor, admin')] }],
    [{ email: 'outsider-1@example.com', role: 'king' }, { role: [expect.any(String)] }],
    [{ email: 'outsider-1@example.com', role: null }, { role: ['This field may not be null.'] }],
    [{ role: 'viewer' }, { email: ['This field is required.'] }],
    [{ email: '', role: 'viewer' }, { email: ['This field may not be blank.'] }],
    [{ email: 'x\u0000', role: 'viewer' }, { email: [expect.any(String)] }],
    [{}, { email: ['This field is required.'], role: ['This field is required.'] }],
  ])('refuses %j', async (body, fields) => {
    const before = await rolesNow();
    for (const who of [owner, administrator()])
      expect(await call(who, 'POST', '', { body })).toMatchObject({ status: 400, body: fields });
    expect(await rolesNow()).toEqual(before);
  });

  it('happens once for simultaneous requests', async () => {
    const answers = await Promise.all([1, 2, 3, 4].map(() => add(administrator(), outsider.email, 'viewer')));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 400, 400, 400]);
  });
});

describe('the list', () => {
  it('shows every member to every member, page by page', async () => {
    const { body } = await call(viewer, 'GET', '?size=3');
    expect(body).toMatchObject({ page: 1, size: 3, total: 4 });
    expect(body.items.map((item: { role: string }) => item.role)).toEqual(['owner', 'admin', 'editor']);
    expect((await call(viewer, 'GET', '?size=3&page=2')).body.items).toHaveLength(1);
    expect((await call(viewer, 'GET', '?size=101')).status).toBe(400);
  });

  it('is a field of projects, read for all of a list by one query', async () => {
    const query = '{ projects { items { id members { total items { email role userId name createdAt } } } } }';
    const { data } = await service.graphql(query, {}, viewer.key);
    const found = data.projects.items.find((item: { id: number }) => item.id === project);
    expect(found.members.items.map((member: { role: string }) => member.role)).toEqual([
      'OWNER',
      'ADMIN',
      'EDITOR',
      'VIEWER',
    ]);
    expect(found.members.items[0]).toMatchObject({ email: owner.email, name: 'owner-1' });
  });
});

describe('roles', () => {
  it('are changed by admins, except the owner’s', async () => {
    expect(await change(admin, 'viewer', 'admin')).toMatchObject({ status: 200, body: { role: 'admin' } });
    expect((await change(admin, 'viewer', 'viewer')).status).toBe(200);
    expect((await change(admin, 'owner', 'viewer')).status).toBe(403);
    expect((await change(owner, 'owner', 'viewer')).status).toBe(409);
    expect((await change({ ...owner, key: service.key }, 'owner', 'viewer')).status).toBe(409);
    expect((await change(owner, 'viewer', 'owner')).status).toBe(400);
    expect(await rolesNow()).toEqual({ owner: 'owner', admin: 'admin', editor: 'editor', viewer: 'viewer' });
  });

  it('are never changed to owner by GraphQL either', async () => {
    const refused = await service.graphql(
      `mutation { projectMemberUpdate(id: ${members.get('admin')?.id}, role: OWNER) { projectMember { id } } }`,
      {},
      owner.key,
    );
    expect(refused.errors?.[0]?.extensions).toMatchObject({
      code: 'BAD_USER_INPUT',
      fields: { role: [expect.any(String)] },
    });
  });

  it('cannot be changed by editors and viewers', async () => {
    for (const who of [editor, viewer]) {
      expect((await add(who, outsider.email, 'viewer')).status).toBe(403);
      expect((await change(who, 'viewer', 'editor')).status).toBe(403);
      expect((await remove(who, who === editor ? 'viewer' : 'editor')).status).toBe(403);
    }
  });
});

describe('removing', () => {
  it('hides the project from the user', async () => {
    expect(await remove(admin, 'editor')).toMatchObject({ status: 204, body: null });
    expect((await service.rest('GET', `/api/v1/projects/${project}/`, { key: editor.key })).status).toBe(404);
    expect((await remove(admin, 'editor')).status).toBe(404);
  });

  it('of oneself means leaving, which every member except the owner may do', async () => {
    expect((await remove(viewer, 'viewer')).status).toBe(204);
    expect((await remove(editor, 'editor')).status).toBe(204);
    expect((await remove(owner, 'owner')).status).toBe(409);
    expect((await remove(admin, 'owner')).status).toBe(403);
    expect(await rolesNow()).toEqual({ owner: 'owner', admin: 'admin' });
  });
});

describe('while the project is being deleted', () => {
  it.each([
    ['changing a member', () => change(owner, 'editor', 'viewer')],
    ['removing one', () => remove(owner, 'editor')],
    ['adding one', () => add(owner, outsider.email, 'viewer')],
  ])('%s waits, and finds nothing then', async (_title, act) => {
    const answer = await whileDeleting(service, { table: 'project', id: project }, act);
    expect(answer.status).toBe(404);
  });
});

describe('an outsider', () => {
  it('gets for members the same answer as for a project that does not exist', async () => {
    const id = members.get('viewer')?.id;
    for (const [method, rest, body] of [
      ['GET', '', undefined],
      ['POST', '', { email: outsider.email, role: 'admin' }],
      ['PATCH', `${id}/`, { role: 'admin' }],
      ['DELETE', `${id}/`, undefined],
    ] as const) {
      const ask = (where: number) =>
        bytesOf(service, method, `/api/v1/projects/${where}/members/${rest}`, { key: outsider.key, body });
      const theirs = await ask(project);
      expect(theirs.status).toBe(404);
      expect(theirs).toEqual(await ask(2_000_000_000));
    }
    expect((await transfer(outsider.key, members.get('admin')?.user ?? 0)).errors?.[0]?.extensions.code).toBe(
      'NOT_FOUND',
    );
  });

  it('is not found under another project’s path, not even by the owner of both', async () => {
    const other = (await service.rest('POST', '/api/v1/projects/', { key: owner.key, body: { name: 'Other' } })).body
      .id;
    const path = `/api/v1/projects/${other}/members/${members.get('viewer')?.id}/`;
    expect((await service.rest('PATCH', path, { key: owner.key, body: { role: 'admin' } })).status).toBe(404);
    expect((await service.rest('DELETE', path, { key: owner.key })).status).toBe(404);
    expect((await rolesNow()).viewer).toBe('viewer');
  });
});

describe('ownership', () => {
  const user = (name: string) => members.get(name)?.user ?? 0;

  it('goes to a member, and the previous owner becomes an admin', async () => {
    const { data } = await transfer(owner.key, user('viewer'));
    expect(data.projectOwnershipTransfer.projectMember).toEqual({ email: viewer.email, role: 'OWNER' });
    expect(await rolesNow()).toMatchObject({ owner: 'admin', viewer: 'owner' });
    expect((await transfer(owner.key, user('owner'))).errors?.[0]?.extensions.code).toBe('FORBIDDEN');
    expect((await transfer(viewer.key, user('viewer'))).data.projectOwnershipTransfer.projectMember).toMatchObject({
      role: 'OWNER',
    });
    expect((await transfer(service.key, user('owner'))).data.projectOwnershipTransfer.projectMember).toMatchObject({
      role: 'OWNER',
    });
    expect(await rolesNow()).toMatchObject({ owner: 'owner', viewer: 'admin' });
  });

  it('goes only to members, and only from the owner', async () => {
    for (const userId of [1, -1, 2_000_000_000])
      expect((await transfer(owner.key, userId)).errors?.[0]?.extensions).toMatchObject({
        code: 'BAD_USER_INPUT',
        fields: { userId: [expect.any(String)] },
      });
    for (const who of [admin, editor, viewer])
      expect((await transfer(who.key, user('admin'))).errors?.[0]?.extensions.code).toBe('FORBIDDEN');
  });

  it('has one holder after simultaneous transfers, of which one succeeded', async () => {
    const answers = await Promise.all(['admin', 'editor', 'viewer'].map(name => transfer(owner.key, user(name))));
    expect(answers.filter(({ errors }) => !errors)).toHaveLength(1);
    expect(answers.flatMap(({ errors }) => errors ?? []).map(({ extensions }) => extensions.code)).toEqual([
      'FORBIDDEN',
      'FORBIDDEN',
    ]);
    expect(Object.values(await rolesNow()).filter(role => role === 'owner')).toHaveLength(1);
  });

  it('stays with a member while the new owner is removed at the same time', async () => {
    for (let round = 0; round < 5; round++) {
      await Promise.all([transfer(owner.key, user('editor')), remove(admin, 'editor')]);
      const roles = await rolesNow();
      expect(Object.values(roles).filter(role => role === 'owner')).toHaveLength(1);
      if (roles.editor !== 'owner') break;
      await transfer(service.key, user('owner'));
    }
  });

  it('belongs to one user, by a constraint of the database', async () => {
    await expect(
      service.sql(`update project_member set role = 'owner' where id = $1`, [members.get('admin')?.id]),
    ).rejects.toThrow('project_member_one_owner');
  });
});
