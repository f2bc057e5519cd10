import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { WebSocket } from 'ws';
import { ADMIN_EMAIL } from '../../support/config.js';
import { joinProject } from '../../support/members.js';
import { createWorkflow, pureGraph } from '../../support/run-graphs.js';
import { startTestService, type TestService } from '../../support/service.js';
import { bearer, createLogin, type Login, logIn, PASSWORD } from '../../support/sessions.js';

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ role: 'api', credentialsRecheckMs: 50 });
});
afterAll(() => service?.stop());

const admin = (query: string, variables: Record<string, unknown>) => service.graphql(query, variables);
const setDisabled = (id: number, isDisabled: boolean) =>
  admin(
    'mutation ($id: Int!, $d: Boolean) { userUpdate(id: $id, input: { isDisabled: $d }) { user { isDisabled } } }',
    {
      id,
      d: isDisabled,
    },
  );
const remove = (id: number, key = service.key) =>
  service.graphql('mutation ($id: Int!) { userDelete(id: $id) { user { email } } }', { id }, key);
const keyOf = async (login: Login) =>
  (await service.rest('POST', '/api/v1/api-keys/', { ...bearer(login.access), body: { name: 'k' } })).body
    .key as string;
const opens = async (options: object) => (await service.rest('GET', '/api/v1/projects/', options)).status;
const change = (options: object, body: Record<string, unknown>) =>
  service.rest('POST', '/api/v1/password/', { ...options, body });

/** Resolves with the close code of an idle socket. */
function openSocket(access: string): { opened: Promise<void>; closed: Promise<number> } {
  const socket = new WebSocket(`${service.url.replace('http', 'ws')}/graphql`, 'graphql-transport-ws');
  const closed = new Promise<number>(resolve => socket.on('close', code => resolve(code)));
  const opened = new Promise<void>(resolve => socket.on('message', () => resolve()));
  socket.on('open', () =>
    socket.send(JSON.stringify({ type: 'connection_init', payload: { Authorization: `Bearer ${access}` } })),
  );
  return { opened, closed };
}

describe('changing one’s password', () => {
  const next = 'another password of mine';

  it('ends the other sessions and keeps this one, and the keys', async () => {
    const login = await createLogin(service, 'changer');
    const other = await logIn(service, login.email);
    const key = await keyOf(login);
    const body = { current_password: PASSWORD, new_password: next };
    expect(await change(bearer(login.access), body)).toMatchObject({ status: 200, body: { revoked_keys: 0 } });
    expect([await opens(bearer(login.access)), await opens(bearer(other.access)), await opens({ key })]).toEqual([
      200, 401, 200,
    ]);
    await expect(logIn(service, login.email)).rejects.toThrow('401');
    await logIn(service, login.email, next);
  });

  it('deletes the keys when the input asks for it', async () => {
    const login = await createLogin(service, 'revoker');
    const key = await keyOf(login);
    const body = { current_password: PASSWORD, new_password: next, revoke_keys: true };
    expect(await change({ key }, body)).toMatchObject({ status: 200, body: { revoked_keys: 1 } });
    expect([await opens({ key }), await opens(bearer(login.access))]).toEqual([401, 401]);
    const entries = await service.sql(
      `select action, detail from audit_entry where user_id = $1 and action = 'user.password-change'`,
      [login.id],
    );
    expect(entries).toEqual([{ action: 'user.password-change', detail: { revokedKeys: 1 } }]);
    expect(JSON.stringify(entries)).not.toContain(next);
  });

  it('needs the current password and a good new one, and is throttled', async () => {
    const login = await createLogin(service, 'guesser');
    const options = bearer(login.access);
    expect(await change(options, { current_password: PASSWORD, new_password: 'short' })).toMatchObject({
      status: 400,
      body: { new_password: [expect.any(String)] },
    });
    const wrong = { current_password: 'a bad guess', new_password: next };
    for (let n = 0; n < 10; n++)
      expect(await change(options, wrong)).toMatchObject({
        status: 400,
        body: { current_password: ['The current password is wrong.'] },
      });
    expect((await change(options, { current_password: PASSWORD, new_password: next })).status).toBe(429);
    expect(await opens(options)).toBe(200);
  });
});

describe('a disabled user', () => {
  it('is refused at once by key, session, login, refresh and socket, and is accepted again once enabled', async () => {
    const login = await createLogin(service, 'suspended');
    const key = await keyOf(login);
    const socket = openSocket(login.access);
    await socket.opened;
    expect((await setDisabled(login.id, true)).data.userUpdate.user).toEqual({ isDisabled: true });
    expect([await opens({ key }), await opens(bearer(login.access))]).toEqual([401, 401]);
    expect(await socket.closed).toBe(4403);
    await expect(logIn(service, login.email)).rejects.toThrow('401');
    const refreshed = await service.rest('POST', '/api/v1/token/refresh/', {
      key: null,
      body: { refresh: login.refresh },
    });
    expect(refreshed.status).toBe(401);
    expect((await setDisabled(login.id, false)).data.userUpdate.user).toEqual({ isDisabled: false });
    expect([await opens({ key }), await opens(bearer(login.access))]).toEqual([200, 401]);
    await logIn(service, login.email);
  });

  it('is never the last administrator', async () => {
    const [root] = await service.sql('select id from app_user where email = $1', [ADMIN_EMAIL]);
    for (const answer of [await setDisabled(root?.id, true), await remove(root?.id)])
      expect(answer.errors?.[0]?.extensions).toEqual({ code: 'CONFLICT' });
    const second = await createLogin(service, 'second-admin', { isAdmin: true });
    await setDisabled(second.id, true);
    // A disabled administrator does not count.
    expect((await setDisabled(root?.id, true)).errors?.[0]?.extensions.code).toBe('CONFLICT');
  });
});

describe('a deleted user', () => {
  it('must own nothing; runs, ledger and log stay, the personal data is deleted and the email is free', async () => {
    const login = await createLogin(service, 'leaver', { name: 'Lea Ver' });
    const key = await keyOf(login);
    const { id: project } = (await service.rest('POST', '/api/v1/projects/', { key, body: { name: 'Left' } })).body;
    const workflow = await createWorkflow(service, pureGraph());
    await service.sql('update workflow set project_id = $1 where id = $2', [project, workflow]);
    const run = (await service.rest('POST', `/api/v1/workflows/${workflow}/run/`, { key, body: { topic: 'cats' } }))
      .body;
    expect(run.status).toBe(201);

    const refused = await remove(login.id);
    expect(refused.errors?.[0]).toMatchObject({
      message: `The user owns projects (${project}): transfer the ownership or delete them first.`,
      extensions: { code: 'CONFLICT' },
    });
    const successor = await service.createUser('successor');
    const { user } = await joinProject(service, project, successor.email, 'admin');
    await admin(
      'mutation ($p: Int!, $u: Int!) { projectOwnershipTransfer(projectId: $p, userId: $u) { projectMember { id } } }',
      {
        p: project,
        u: user,
      },
    );
    expect((await remove(login.id, successor.key)).errors?.[0]?.extensions.code).toBe('FORBIDDEN');
    expect((await remove(login.id)).data.userDelete.user).toEqual({ email: login.email });

    expect([await opens({ key }), await opens(bearer(login.access))]).toEqual([401, 401]);
    await expect(logIn(service, login.email)).rejects.toThrow('401');
    const [row] = await service.sql('select * from app_user where id = $1', [login.id]);
    expect(JSON.stringify(row)).not.toMatch(/leaver@|Lea Ver/);
    const left = await service.sql(
      `select (select count(*)::int from workflow_run where user_id = $1) as runs,
              (select count(*)::int from project_member where user_id = $1) as members,
              (select count(*)::int from api_key where user_id = $1) as keys,
              (select count(*)::int from user_session where user_id = $1) as sessions,
              (select count(*)::int from audit_entry where action = 'user.delete' and object_id = $1::text) as deletions`,
      [login.id],
    );
    expect(left).toEqual([{ runs: 1, members: 0, keys: 0, sessions: 0, deletions: 1 }]);
    expect((await remove(login.id)).errors?.[0]?.extensions.code).toBe('NOT_FOUND');
    expect((await setDisabled(login.id, false)).errors?.[0]?.extensions.code).toBe('NOT_FOUND');
    const again = await createLogin(service, 'leaver');
    expect(again.id).not.toBe(login.id);
    expect(await opens(bearer(again.access))).toBe(200);
  });
});
