import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startTestService, type TestService } from '../support/service.js';
import { bearer, createLogin, type Login, logIn } from '../support/sessions.js';

const ROUTE = '/console/session';
const OWN = { 'X-Scenarium-Console': '1' };

describe('The session of the console', () => {
  let service: TestService;
  let user: Login;
  beforeAll(async () => {
    service = await startTestService();
    user = await createLogin(service, 'ada');
  });
  afterAll(() => service?.stop());

  const send = (method: string, body: unknown, headers: Record<string, string>) =>
    service.rest(method, ROUTE, { key: null, body, headers });
  /** Adopts a new session. Returns its cookie as a browser sends it. */
  async function open(headers: Record<string, string> = {}) {
    const { refresh } = await logIn(service, user.email);
    const answer = await send('POST', { refresh }, { ...OWN, ...headers });
    const [cookie = ''] = answer.headers.getSetCookie();
    return { refresh, answer, cookie, Cookie: cookie.split(';')[0] ?? '' };
  }
  const projectListStatus = async (access: string) =>
    (await service.rest('GET', '/api/v1/projects/', bearer(access))).status;

  test('is a cookie that scripts and other sites cannot use', async () => {
    const { answer, cookie } = await open();
    expect(answer.status).toBe(200);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(await projectListStatus(answer.body.access)).toBe(200);
    const port = new URL(service.url).port;
    expect(cookie).toMatch(
      new RegExp(`^scenarium-${port}=[\\w-]+; Max-Age=2592000; Path=/; Expires=[^;]+; HttpOnly; SameSite=Strict$`),
    );
    const overHttps = await open({ 'X-Forwarded-Proto': 'https' });
    expect(overHttps.cookie).toMatch(/^__Host-scenarium=[\w-]+; .*HttpOnly; Secure; SameSite=Strict$/);
  });

  test('survives any number of reloads, also at the same time', async () => {
    const { Cookie } = await open();
    const answers = await Promise.all([1, 2, 3].map(() => send('POST', {}, { ...OWN, Cookie })));
    for (const { body } of answers) expect(await projectListStatus(body.access)).toBe(200);
  });

  test('uses up the refresh token that it was opened with', async () => {
    const { refresh, Cookie } = await open();
    expect((await send('POST', { refresh }, OWN)).body).toEqual({ access: null });
    // The second use of a refresh token ends the session, also in the cookie.
    const { body, headers } = await send('POST', {}, { ...OWN, Cookie });
    expect(body).toEqual({ access: null });
    expect(headers.getSetCookie()[0]).toContain('Expires=Thu, 01 Jan 1970');
  });

  test.each(['POST', 'DELETE'])('%s needs the header of the console', async method => {
    const { Cookie } = await open();
    const answer = await send(method, method === 'POST' ? {} : undefined, { Cookie });
    expect(answer.status).toBe(403);
    expect((await send('POST', {}, { ...OWN, Cookie })).body.access).toEqual(expect.any(String));
  });

  test('is not read by the API', async () => {
    const { Cookie } = await open();
    expect((await service.rest('GET', '/api/v1/projects/', { key: null, headers: { ...OWN, Cookie } })).status).toBe(
      401,
    );
  });

  test('ends with the logout', async () => {
    const { Cookie, answer } = await open();
    await send('DELETE', undefined, { ...OWN, Cookie });
    expect((await send('POST', {}, { ...OWN, Cookie })).body).toEqual({ access: null });
    expect(await projectListStatus(answer.body.access)).toBe(401);
  });

  test.each([[{ refresh: 7 }], [{ refresh: 'x'.repeat(1_000) }], [{}]])(
    '%j without a cookie is not a session',
    async body => {
      const answer = await send('POST', body, OWN);
      expect([answer.status, answer.body]).toEqual([200, { access: null }]);
    },
  );

  test('refuses other methods', async () => {
    const answer = await send('PUT', {}, OWN);
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'POST, DELETE']);
  });
});
