import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Config } from '../../../src/platform/config/config.js';
import { startTestService, type TestService } from '../../support/service.js';
import { bearer, createLogin } from '../../support/sessions.js';
import {
  type AuthorizationServer,
  CLIENT,
  startAuthorizationServer,
} from '../../support/upstreams/authorization-server.js';

const PUBLIC_URL = 'https://scenarium.example';
const OWN = { 'X-Scenarium-Console': '1' };

describe('Sign-in at an OpenID Connect issuer', () => {
  let issuer: AuthorizationServer;
  let service: TestService;
  beforeAll(async () => {
    issuer = await startAuthorizationServer(undefined, [`${PUBLIC_URL}/console/oidc/callback`]);
    service = await start({});
  });
  afterAll(async () => {
    await service?.stop();
    await issuer?.stop();
  });

  const start = (oidc: Partial<NonNullable<Config['oidc']>>) => {
    const client = { issuer: issuer.origin, clientId: CLIENT.id, clientSecret: CLIENT.secret };
    const settings = { ...client, name: 'Example', domains: ['example.com'], createsUsers: false };
    return startTestService({ publicUrl: PUBLIC_URL, oidc: { ...settings, ...oidc }, outboundAllow: [] });
  };
  async function visit(path: string, { at = service, cookie = '', method = 'GET', ...headers }: Visit = {}) {
    const options = { method, redirect: 'manual', headers: { cookie, ...headers } } as const;
    const answer = await fetch(`${at.url}/console/oidc/${path}`, options);
    return {
      status: answer.status,
      location: answer.headers.get('location') ?? '',
      cookies: answer.headers.getSetCookie(),
    };
  }
  interface Visit {
    at?: TestService;
    cookie?: string;
    method?: string;
    'X-Forwarded-Proto'?: string;
  }
  const pairOf = (cookie = '') => cookie.split(';')[0] ?? '';
  async function begin(at = service, next = '/') {
    const { location, cookies } = await visit(`start?next=${encodeURIComponent(next)}`, { at });
    return { url: location, cookie: pairOf(cookies[0]) };
  }
  const finish = (parameters: Record<string, string>, cookie: string, at = service) =>
    visit(`callback?${new URLSearchParams(parameters)}`, { at, cookie });
  async function signIn(login: string, { at = service, next = '/' } = {}) {
    const { url, cookie } = await begin(at, next);
    return finish(await issuer.authorize(url, login), cookie, at);
  }

  test('opens the session of an existing user, like a password', async () => {
    const user = await createLogin(service, 'ada');
    const { status, location, cookies } = await signIn('ada', { next: '/account?tab=keys#top' });
    expect([status, location]).toEqual([303, '/account?tab=keys#top']);
    const [cleared, session = ''] = cookies;
    expect(cleared).toMatch(/^scenarium-oidc-\d+=; Path=\/; Expires=Thu, 01 Jan 1970/);
    expect(session).toMatch(/^scenarium-\d+=[\w-]+; Max-Age=2592000; .*HttpOnly; SameSite=Strict$/);
    const { body } = await service.rest('POST', '/console/session', {
      ...{ key: null, body: {}, headers: { ...OWN, Cookie: pairOf(session) } },
    });
    const me = await service.rest('GET', '/api/v1/sessions/', bearer(body.access));
    expect(me.body).toEqual(expect.arrayContaining([expect.objectContaining({ is_current: true })]));
    const audit = await service.sql(
      `select user_id, object_id, via from audit_entry where action = 'oidc.sign-in' and user_id = $1`,
      [user.id],
    );
    expect(audit).toEqual([{ user_id: user.id, object_id: String(user.id), via: 'jwt' }]);
  });

  test('keeps its checks in a cookie for ten minutes that scripts cannot read', async () => {
    const { status, location, cookies } = await visit('start');
    const parameters = Object.fromEntries(new URL(location).searchParams);
    expect([status, parameters]).toEqual([
      303,
      {
        ...{ client_id: CLIENT.id, response_type: 'code', scope: 'openid email profile' },
        ...{ redirect_uri: `${PUBLIC_URL}/console/oidc/callback`, code_challenge_method: 'S256' },
        ...{ state: expect.any(String), nonce: expect.any(String), code_challenge: expect.any(String) },
      },
    ]);
    expect(cookies[0]).toMatch(/^scenarium-oidc-\d+=[\w-]+; Max-Age=600; .*HttpOnly; SameSite=Lax$/);
    expect(cookies[0]).not.toContain(parameters.state);
    const overHttps = await visit('start', { 'X-Forwarded-Proto': 'https' });
    expect(overHttps.cookies[0]).toMatch(/^__Host-scenarium-oidc=[\w-]+; .*Path=\/; .*HttpOnly; Secure; SameSite=Lax$/);
  });

  test.each(['https://evil.example', '//evil.example', '/\\evil.example', '/\t/evil.example', '/a b', 'account'])(
    'never leads to another site: %j',
    async next => {
      await service.graphql('mutation { userCreate(input: { email: "next@example.com" }) { user { id } } }');
      expect((await signIn('next', { next })).location).toBe('/');
    },
  );

  test.each([
    ['unverified', 'an email that is not verified'],
    ['foreign_domain', 'an email of another domain'],
    ['unknown_user', 'an email without an account'],
    ['disabled', 'a disabled user'],
  ])('refuses with the problem %s: %s', async problem => {
    for (const name of ['unverified', 'disabled']) {
      const { data } = await service.graphql(
        'mutation ($email: String!) { userCreate(input: { email: $email }) { user { id } } }',
        { email: `${name}@example.com` },
      );
      const id = data.userCreate.user?.id;
      if (name === 'disabled') await service.sql('update app_user set disabled_at = now() where id = $1', [id]);
    }
    const { status, location, cookies } = await signIn(problem);
    expect([status, location, cookies.length]).toEqual([303, `/sign-in?problem=${problem}`, 1]);
  });

  test('refuses answers without the cookie of their start, and uses a code once', async () => {
    const { url, cookie } = await begin();
    const answer = await issuer.authorize(url, 'ada');
    const other = await begin();
    expect((await finish(answer, '')).location).toBe('/sign-in?problem=expired');
    expect((await finish(answer, cookie.replace('=', '=A'))).location).toBe('/sign-in?problem=expired');
    expect((await finish(answer, other.cookie)).location).toBe('/sign-in?problem=refused');
    expect((await finish({ ...answer, iss: 'https://evil.example' }, cookie)).location).toBe(
      '/sign-in?problem=refused',
    );
    expect((await visit(`callback?${new URLSearchParams(answer)}`, { cookie, method: 'HEAD' })).status).toBe(405);
    expect((await finish(answer, cookie)).location).toBe('/');
    expect((await finish(answer, cookie)).location).toBe('/sign-in?problem=refused');
  });

  test('reports that the user or the issuer denied it', async () => {
    const { url, cookie } = await begin();
    const state = new URL(url).searchParams.get('state') ?? '';
    const answer = { error: 'access_denied', error_description: 'no', state, iss: issuer.origin };
    expect((await finish(answer, cookie)).location).toBe('/sign-in?problem=denied');
  });

  test('creates unknown users where that is configured', async () => {
    const open = await start({ createsUsers: true });
    const answers = await Promise.all([1, 2].map(() => signIn('Grace', { at: open })));
    expect(answers.map(({ location }) => location)).toEqual(['/', '/']);
    expect((await signIn('foreign_domain', { at: open })).location).toBe('/sign-in?problem=foreign_domain');
    const users = await open.sql(
      `select email, name, is_admin, is_api_allowed, password_hash from app_user where email ilike 'grace%'`,
    );
    expect(users).toEqual([
      { email: 'grace@example.com', name: 'Grace', is_admin: false, is_api_allowed: false, password_hash: null },
    ]);
    await open.stop();
  });

  test('is limited for one address, and says when the issuer is not reached', async () => {
    const lost = await startTestService({
      ...{ publicUrl: PUBLIC_URL, loginLimitPerMinute: 1 },
      oidc: {
        ...{ issuer: 'http://127.0.0.1:1', clientId: 'x', clientSecret: 'y' },
        ...{ name: 'Lost', domains: [], createsUsers: false },
      },
    });
    expect((await visit('start', { at: lost })).location).toBe('/sign-in?problem=unavailable');
    expect((await visit('start', { at: lost })).location).toBe('/sign-in?problem=limited');
    expect((await lost.rest('GET', '/api/v1/sign-in-options/', { key: null })).body.oidc).toEqual({
      ...{ name: 'Lost', start_url: `${PUBLIC_URL}/console/oidc/start` },
    });
    await lost.stop();
  });
});
