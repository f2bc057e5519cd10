import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { SignJWT } from 'jose';
import { ADMIN_EMAIL, testEnvironment } from '../support/config.js';
import { createWorkflow, pureGraph } from '../support/run-graphs.js';
import { startTestService, type TestService } from '../support/service.js';
import { bearer, createLogin, logIn, PASSWORD } from '../support/sessions.js';
import { restAsDeclared } from './declared-answers.js';

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ role: 'api' });
});
afterAll(() => service?.stop());

const logInAs = (body: unknown) => restAsDeclared(service, 'POST', '/api/v1/token/', { key: null, body });
const refresh = (token: unknown) =>
  restAsDeclared(service, 'POST', '/api/v1/token/refresh/', { key: null, body: { refresh: token } });
const projectsWith = (access: string) => restAsDeclared(service, 'GET', '/api/v1/projects/', bearer(access));

describe('logging in', () => {
  it('answers with a pair of tokens, the access token for 15 minutes', async () => {
    const { status, body } = await logInAs({ email: ` ${ADMIN_EMAIL.toUpperCase()} `, password: adminPassword() });
    expect(status).toBe(200);
    expect(body).toEqual({ access: expect.any(String), refresh: expect.any(String) });
    const claims = claimsOf(body.access);
    expect(claims.exp - claims.iat).toBe(900);
    expect((await projectsWith(body.access)).status).toBe(200);
  });

  it('answers the same for a wrong password and an unknown email', async () => {
    await createLogin(service, 'wrong');
    const wrong = await logInAs({ email: 'wrong@example.com', password: 'not the password' });
    const unknown = await logInAs({ email: 'nobody@example.com', password: 'not the password' });
    expect(wrong.status).toBe(401);
    expect(wrong.body).toEqual(unknown.body);
    expect(unknown.status).toBe(401);
    expect(wrong.headers.get('www-authenticate')).toBe('X-Api-Key');
  });

  it('is refused to users who have no password', async () => {
    const { email } = await service.createUser('keyonly');
    for (const password of ['null', 'undefined', '         .'])
      expect((await logInAs({ email, password })).status).toBe(401);
  });

  it.each([
    [{}, { email: ['This field is required.'], password: ['This field is required.'] }],
    [
      { email: null, password: null },
      { email: [expect.any(String)], password: [expect.any(String)] },
    ],
    [
      { email: 7, password: ['x'] },
      { email: [expect.any(String)], password: [expect.any(String)] },
    ],
    [{ email: 'a@example.com', password: 'x\u0000' }, { password: [expect.any(String)] }],
    [{ email: '', password: 'x' }, { email: [expect.any(String)] }],
    [{ email: 'a@example.com', password: 'x'.repeat(5_000) }, { password: [expect.any(String)] }],
  ])('refuses %j as bad input', async (body, fields) => {
    expect(await logInAs(body)).toMatchObject({ status: 400, body: fields });
  });

  it('is throttled after ten wrong passwords, for the right one and for unknown emails too', async () => {
    await createLogin(service, 'braked');
    for (const email of ['braked@example.com', 'ghost@example.com']) {
      // At once, because simultaneous guesses have to be counted as well.
      const guesses = await Promise.all(Array.from({ length: 14 }, () => logInAs({ email, password: 'a bad guess' })));
      expect(guesses.map(({ status }) => status).sort()).toEqual([...Array(10).fill(401), ...Array(4).fill(429)]);
      const right = await logInAs({ email: email.toUpperCase(), password: PASSWORD });
      expect(right).toMatchObject({ status: 429, body: { code: 'rate_limited' } });
      expect(Number(right.headers.get('retry-after'))).toBeGreaterThan(600);
    }
    await service.sql(`update login_brake set window_ends_at = now() - interval '1 second'`);
    expect((await logInAs({ email: 'braked@example.com', password: PASSWORD })).status).toBe(200);
    expect(await service.sql('select * from login_brake')).toEqual([]);
  });

  it('forgets the attempts before a right password', async () => {
    await createLogin(service, 'typist');
    for (let round = 0; round < 3; round++) {
      for (let index = 0; index < 5; index++)
        await logInAs({ email: 'typist@example.com', password: 'a typing mistake' });
      await logIn(service, 'typist@example.com');
    }
  });
});

describe('refreshing', () => {
  it('continues from token to token, and keeps earlier access tokens', async () => {
    const first = await createLogin(service, 'rota');
    const second = await refresh(first.refresh);
    expect(second).toMatchObject({ status: 200, body: { access: expect.any(String), refresh: expect.any(String) } });
    expect(second.body.refresh).not.toBe(first.refresh);
    const third = await refresh(second.body.refresh);
    for (const access of [first.access, second.body.access, third.body.access])
      expect((await projectsWith(access)).status).toBe(200);
  });

  it('ends the session and all its tokens when a spent token is used again', async () => {
    const login = await createLogin(service, 'reuse');
    const other = await logIn(service, login.email);
    const { body } = await refresh(login.refresh);
    expect(await refresh(login.refresh)).toMatchObject({ status: 401, body: { code: 'not_authenticated' } });
    expect((await refresh(body.refresh)).status).toBe(401);
    for (const access of [login.access, body.access]) expect((await projectsWith(access)).status).toBe(401);
    // Another session of the same user is another family.
    expect((await refresh(other.refresh)).status).toBe(200);
    const reuse = await service.sql(`select via from audit_entry where action = 'session.reuse' and user_id = $1`, [
      login.id,
    ]);
    expect(reuse).toEqual([{ via: 'jwt' }]);
  });

  it('accepts one of several simultaneous requests with the same token, and treats the others as reuse', async () => {
    const login = await createLogin(service, 'race');
    const answers = await Promise.all(Array.from({ length: 6 }, () => refresh(login.refresh)));
    const won = answers.filter(({ status }) => status === 200);
    expect(won).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(5);
    expect((await refresh(won[0]?.body.refresh)).status).toBe(401);
  });

  it('refuses expired and invalid tokens with the same message', async () => {
    const { refresh: token, id } = await createLogin(service, 'late');
    await service.sql(
      `update refresh_token set expires_at = now() - interval '1 second'
        where session_id in (select id from user_session where user_id = $1)`,
      [id],
    );
    const expired = await refresh(token);
    expect(expired.status).toBe(401);
    for (const nonsense of ['', 'x', 'a\ud7ff', 'x'.repeat(10_000), forgedAccessToken()])
      expect(await refresh(nonsense)).toMatchObject({ status: 401, body: expired.body });
    expect(await refresh(undefined)).toMatchObject({ status: 400, body: { refresh: ['This field is required.'] } });
    expect(await refresh(null)).toMatchObject({ status: 400, body: { refresh: [expect.any(String)] } });
  });

  it('works while a stale access token is sent as well', async () => {
    const { refresh: token } = await createLogin(service, 'stale');
    const options = { ...bearer('eyJhbGciOiJIUzI1NiJ9.e30.stale'), body: { refresh: token } };
    expect((await service.rest('POST', '/api/v1/token/refresh/', options)).status).toBe(200);
  });

  it('stores no token in clear', async () => {
    const { refresh: token } = await createLogin(service, 'hashed');
    const rows = await service.sql(`select encode(hash, 'escape') as hash from refresh_token`);
    expect(rows.length).toBeGreaterThan(0);
    expect(JSON.stringify(rows)).not.toContain(token);
  });
});

describe('a session', () => {
  it('ends by sessionEnd, and by a new password', async () => {
    const login = await createLogin(service, 'ending');
    const end = (token: string) =>
      service.graphql(
        'mutation ($refresh: String!) { sessionEnd(refresh: $refresh) { isEnded } }',
        { refresh: token },
        null,
      );
    expect((await end(login.refresh)).data).toEqual({ sessionEnd: { isEnded: true } });
    expect((await end('nonsense')).data).toEqual({ sessionEnd: { isEnded: true } });
    expect((await projectsWith(login.access)).status).toBe(401);
    expect((await refresh(login.refresh)).status).toBe(401);

    const again = await logIn(service, login.email);
    await service.graphql(
      'mutation ($id: Int!) { userUpdate(id: $id, input: { password: "another password" }) { user { id } } }',
      {
        id: login.id,
      },
    );
    expect((await projectsWith(again.access)).status).toBe(401);
    expect((await refresh(again.refresh)).status).toBe(401);
    await logIn(service, login.email, 'another password');
  });

  it('runs workflows with the wrapped body, where a key sends it flat; with both, the key decides', async () => {
    const workflow = await createWorkflow(service, pureGraph());
    const { access } = await logIn(service, ADMIN_EMAIL, adminPassword());
    const run = async (options: object) =>
      (await restAsDeclared(service, 'POST', `/api/v1/workflows/${workflow}/run/`, options)).body;
    const input = { topic: 'cats' };
    expect(await run({ ...bearer(access), body: { input_data: input } })).toMatchObject({ status: 201 });
    expect(await run({ ...bearer(access), body: input })).toMatchObject({ status: 400 });
    const both = { ...bearer(access), key: service.key };
    expect(await run({ ...both, body: input })).toMatchObject({ status: 201 });
    const wrongKey = await service.rest('GET', '/api/v1/projects/', { ...bearer(access), key: 'sk-wrong' });
    expect(wrongKey.status).toBe(401);
  });

  it('grants access to GraphQL', async () => {
    const { access } = await createLogin(service, 'graph');
    const me = await service.rest('POST', '/graphql', {
      ...bearer(access),
      body: { query: '{ me { email isAdmin } }' },
    });
    expect(me.body.data).toEqual({ me: { email: 'graph@example.com', isAdmin: false } });
    const wrong = await service.rest('POST', '/graphql', {
      ...bearer('nonsense'),
      body: { query: '{ me { email } }' },
    });
    expect([wrong.status, wrong.body.errors[0].extensions.code]).toEqual([401, 'UNAUTHENTICATED']);
  });

  it('is opened by GraphQL as by REST', async () => {
    await createLogin(service, 'twin');
    const create =
      'mutation ($password: String!) { sessionCreate(email: "TWIN@example.com", password: $password) { session { access refresh } } }';
    const made = (await service.graphql(create, { password: PASSWORD }, null)).data.sessionCreate.session;
    const renew = 'mutation ($refresh: String!) { sessionRefresh(refresh: $refresh) { session { access } } }';
    const renewed = (await service.graphql(renew, { refresh: made.refresh }, null)).data.sessionRefresh.session;
    expect((await projectsWith(renewed.access)).status).toBe(200);
    const reused = await service.graphql(renew, { refresh: made.refresh }, null);
    expect(reused.errors?.[0]?.extensions).toEqual({ code: 'UNAUTHENTICATED' });
    const wrong = await service.graphql(create, { password: 'wrong' }, null);
    expect(wrong.errors?.[0]?.extensions).toEqual({ code: 'UNAUTHENTICATED' });
  });
});

describe('a forged access token', () => {
  const secret = new TextEncoder().encode(testEnvironment('x').JWT_SECRET);
  const now = Math.floor(Date.now() / 1000);
  const sign = (claims: Record<string, unknown>, key = secret, alg = 'HS256') =>
    new SignJWT(claims).setProtectedHeader({ alg }).sign(key);

  it('is refused', async () => {
    const { access } = await createLogin(service, 'forged');
    const good = claimsOf(access);
    expect((await projectsWith(await sign(good))).status).toBe(200);
    const [header, payload, signature] = access.split('.') as [string, string, string];
    const none = Buffer.from('{"alg":"none"}').toString('base64url');
    const forged = [
      await sign(good, new TextEncoder().encode('another secret of more than 32 characters')),
      await sign(good, secret, 'HS512'),
      await sign({ ...good, exp: now - 1 }),
      await sign({ ...good, exp: undefined }),
      await sign({ ...good, iss: 'somebody' }),
      await sign({ ...good, aud: 'somebody' }),
      await sign({ ...good, sub: '1' }),
      await sign({ ...good, sub: 'x' }),
      await sign({ ...good, sid: '00000000-0000-7000-8000-000000000000' }),
      await sign({ ...good, sid: 'no uuid' }),
      await sign({ ...good, sub: String(2 ** 40) }),
      `${none}.${payload}.`,
      `${none}.${payload}.${signature}`,
      `${header}.${Buffer.from(JSON.stringify({ ...good, sub: '1' })).toString('base64url')}.${signature}`,
      `${header}.${payload}`,
      '..',
      'x'.repeat(8_000),
    ];
    const statuses = [];
    for (const token of forged) statuses.push((await projectsWith(token)).status);
    expect(statuses).toEqual(forged.map(() => 401));
  });
});

function claimsOf(token: string): Record<string, any> {
  return JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
}

function adminPassword(): string {
  return testEnvironment('x').ADMIN_PASSWORD as string;
}

/** A text in the form of an access token. The tests use it as a refresh token. */
function forgedAccessToken(): string {
  return 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl';
}
