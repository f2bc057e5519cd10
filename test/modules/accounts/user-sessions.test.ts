import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { startTestService, type TestService } from '../../support/service.js';
import { bearer, createLogin, logIn } from '../../support/sessions.js';

const NO_SESSION = '00000000-0000-4000-8000-000000000000';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service?.stop());

const list = async (access: string) => (await service.rest('GET', '/api/v1/sessions/', bearer(access))).body;
const revoke = (access: string, id: string) => service.rest('DELETE', `/api/v1/sessions/${id}/`, bearer(access));

it('lists where a user is signed in; an ended session is refused at once', async () => {
  const ada = await createLogin(service, 'ada');
  const body = { email: ada.email, password: 'a password of twenty characters' };
  const headers = { 'User-Agent': 'Test browser/1.0' };
  const other = (await service.rest('POST', '/api/v1/token/', { key: null, headers, body })).body;
  const sessions = await list(ada.access);
  expect(sessions).toHaveLength(2);
  const TIME = expect.stringMatching(/Z$/);
  const [newest, current] = sessions;
  expect(newest).toEqual({
    ...{ id: expect.any(String), created_at: TIME, last_used_at: TIME, expires_at: TIME },
    ...{ address: '127.0.0.1', user_agent: 'Test browser/1.0', is_current: false },
  });
  expect(current).toMatchObject({ is_current: true });

  expect((await revoke(ada.access, newest.id)).status).toBe(204);
  expect((await service.rest('GET', '/api/v1/sessions/', bearer(other.access))).status).toBe(401);
  const refresh = { key: null, body: { refresh: other.refresh } };
  expect((await service.rest('POST', '/api/v1/token/refresh/', refresh)).status).toBe(401);
  expect(await list(ada.access)).toHaveLength(1);
  const [entry] = await service.sql(`select detail from audit_entry where action = 'session.revoke'`);
  expect(entry).toEqual({ detail: { sessions: 1 } });
});

it('does not count an expired session as ended by a request', async () => {
  const kim = await createLogin(service, 'kim');
  const body = { email: kim.email, password: 'a password of twenty characters' };
  await service.rest('POST', '/api/v1/token/', { key: null, body });
  const [expired] = await list(kim.access);
  await service.sql(`update user_session set expires_at = now() - interval '1 hour' where id = $1`, [expired.id]);
  const query = 'mutation ($ids: [UUID!]!) { sessionRevoke(ids: $ids) { revokedSessions errors { code } } }';
  const request = { ...bearer(kim.access), body: { query, variables: { ids: [expired.id] } } };
  const { data } = (await service.rest('POST', '/graphql', request)).body;
  expect(data.sessionRevoke).toEqual({ revokedSessions: 0, errors: [] });
});

it('does not end a session of another user, nor any with it', async () => {
  const [eve, bob] = [await createLogin(service, 'eve'), await createLogin(service, 'bob')];
  await logIn(service, eve.email);
  const [own] = await list(eve.access);
  const [foreign] = await list(bob.access);
  for (const id of [foreign.id, NO_SESSION]) {
    const query = 'mutation ($ids: [UUID!]!) { sessionRevoke(ids: $ids) { revokedSessions errors { code } } }';
    const body = { query, variables: { ids: [own.id, id] } };
    const { data, errors } = (await service.rest('POST', '/graphql', { ...bearer(eve.access), body })).body;
    expect([data?.sessionRevoke, errors?.[0]?.extensions.code]).toEqual([null, 'NOT_FOUND']);
  }
  expect(await list(eve.access)).toHaveLength(2);
  expect(await list(bob.access)).toHaveLength(1);
});
