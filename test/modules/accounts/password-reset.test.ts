import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { cli } from '../../cli/entry.js';
import { testEnvironment } from '../../support/config.js';
import { startTestService, type TestService } from '../../support/service.js';
import { bearer, createLogin, type Login, logIn, PASSWORD } from '../../support/sessions.js';

const NEW = 'a quite new password';
const CREATE = `mutation ($userId: Int!) {
  passwordResetLinkCreate(userId: $userId) { link { path expiresAt } errors { code message } }
}`;
const RESET = `mutation ($token: String!, $newPassword: String!, $revokeKeys: Boolean! = false) {
  passwordReset(token: $token, newPassword: $newPassword, revokeKeys: $revokeKeys) {
    session { access }
    errors { code path }
  }
}`;

describe('Links for a new password', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService();
  });
  afterAll(() => service?.stop());

  const reset = (token: string, more: object = {}) =>
    service.graphql(RESET, { token, newPassword: NEW, ...more }, null);
  const codeOf = ({ errors }: Awaited<ReturnType<typeof reset>>) => errors?.[0]?.extensions.code;
  const opens = async (options: object) => (await service.rest('GET', '/api/v1/projects/', options)).status;
  const tokenIn = (path: string) => /^\/reset-password#token=([\w-]{43})$/.exec(path)?.[1] ?? '';
  async function issue({ id: userId }: Login): Promise<string> {
    const { data } = await service.graphql(CREATE, { userId });
    return tokenIn(data.passwordResetLinkCreate.link.path);
  }

  test('set the password once, end all sessions and log in', async () => {
    const user = await createLogin(service, 'ada');
    const { key } = (await service.rest('POST', '/api/v1/api-keys/', { ...bearer(user.access), body: { name: 'k' } }))
      .body;
    const token = await issue(user);
    const short = await reset(token, { newPassword: 'short' });
    expect(short.data.passwordReset.errors).toEqual([{ code: 'BAD_USER_INPUT', path: ['newPassword'] }]);
    const answers = await Promise.all([reset(token), reset(token)]);
    expect(answers.map(codeOf).sort()).toEqual(['UNAUTHENTICATED', undefined]);
    const [session] = answers.flatMap(({ data }) => data?.passwordReset?.session ?? []);
    expect(await opens(bearer(session.access))).toBe(200);
    expect([await opens(bearer(user.access)), await opens({ key })]).toEqual([401, 200]);
    await expect(logIn(service, user.email)).rejects.toThrow('401');
    await logIn(service, user.email, NEW);
    const audit = await service.sql(
      `select action, via from audit_entry where action like '%password-reset%' and object_id = $1 order by id`,
      [String(user.id)],
    );
    expect(audit).toEqual([
      { action: 'password-reset-link.create', via: 'key' },
      { action: 'user.password-reset', via: 'jwt' },
    ]);
  });

  test('are created over REST and from the command line, and delete the keys when the input says so', async () => {
    const user = await createLogin(service, 'grace');
    const { key } = (await service.rest('POST', '/api/v1/api-keys/', { ...bearer(user.access), body: { name: 'k' } }))
      .body;
    const { status, body } = await service.rest('POST', `/api/v1/users/${user.id}/password-reset-link/`);
    expect([status, Date.parse(body.expires_at) - Date.now() > 23 * 3_600_000]).toEqual([201, true]);
    const environment = { ...testEnvironment(service.database), PORT: '4321' };
    const { stdout } = await cli(['user', 'password-reset-link', '--email', user.email], environment);
    const use = (token: string) =>
      service.rest('POST', '/api/v1/password/reset/', {
        key: null,
        body: { token, new_password: NEW, revoke_keys: true },
      });
    // A new link replaces the earlier one.
    expect((await use(tokenIn(body.path))).status).toBe(401);
    const { body: session } = await use(tokenIn(stdout.trim().replace('http://127.0.0.1:4321', '')));
    expect([await opens(bearer(session.access)), await opens({ key })]).toEqual([200, 401]);
  });

  test('let users log in again who were locked out after wrong passwords', async () => {
    const user = await createLogin(service, 'forgetful');
    for (let attempt = 0; attempt < 10; attempt++)
      await expect(logIn(service, user.email, `not ${PASSWORD}`)).rejects.toThrow('401');
    await expect(logIn(service, user.email)).rejects.toThrow('429');
    await reset(await issue(user));
    await logIn(service, user.email, NEW);
  });

  test.each([
    ['expired', `update sign_in_link set expires_at = now() - interval '1 second'`],
    ['of a disabled user', 'update app_user set disabled_at = now() where email like $$%disabled%$$'],
    ['outlived by a change of the password', ''],
  ])('that are %s are refused', async (why, change) => {
    const user = await createLogin(service, `${why.split(' ').at(-1)}-disabled`);
    const token = await issue(user);
    if (change) await service.sql(change);
    else {
      const body = { current_password: PASSWORD, new_password: NEW };
      await service.rest('POST', '/api/v1/password/', { ...bearer(user.access), body });
    }
    expect(codeOf(await reset(token))).toBe('UNAUTHENTICATED');
  });

  test('open no session without a new password, and sign-in links set none', async () => {
    const user = await createLogin(service, 'mixed');
    const token = await issue(user);
    const EXCHANGE = 'mutation ($token: String!) { sessionCreateFromLink(token: $token) { session { access } } }';
    expect((await service.graphql(EXCHANGE, { token }, null)).errors?.[0]?.extensions.code).toBe('UNAUTHENTICATED');
    const { stdout } = await cli(['user', 'sign-in-link', '--email', user.email], testEnvironment(service.database));
    expect(codeOf(await reset(stdout.trim().split('token=')[1] ?? ''))).toBe('UNAUTHENTICATED');
  });

  test('are not issued for disabled users, nor by others than administrators', async () => {
    const user = await createLogin(service, 'off');
    const { data } = await service.graphql(CREATE, { userId: 999_999 });
    expect(data.passwordResetLinkCreate).toBeNull();
    const other = await service.createUser('other');
    const refused = await service.graphql(CREATE, { userId: user.id }, other.key);
    expect(refused.errors?.[0]?.extensions.code).toBe('FORBIDDEN');
    await service.sql('update app_user set disabled_at = now() where id = $1', [user.id]);
    const { passwordResetLinkCreate: payload } = (await service.graphql(CREATE, { userId: user.id })).data;
    expect(payload).toEqual({ link: null, errors: [expect.objectContaining({ code: 'CONFLICT' })] });
  });
});
