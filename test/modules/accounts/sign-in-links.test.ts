import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { cli } from '../../cli/entry.js';
import { testEnvironment } from '../../support/config.js';
import { startTestService, type TestService } from '../../support/service.js';
import { bearer, createLogin, type Login } from '../../support/sessions.js';

const EXCHANGE = 'mutation ($token: String!) { sessionCreateFromLink(token: $token) { session { access refresh } } }';

describe('Sign-in links', () => {
  let service: TestService;
  let user: Login;
  beforeAll(async () => {
    service = await startTestService();
    user = await createLogin(service, 'ada');
  });
  afterAll(() => service?.stop());

  const exchange = (token: string) => service.graphql(EXCHANGE, { token }, null);
  async function issue(): Promise<string> {
    const environment = { ...testEnvironment(service.database), PORT: '4321' };
    const { stdout } = await cli(['user', 'sign-in-link', '--email', user.email], environment);
    const [, token = ''] = /^http:\/\/127\.0\.0\.1:4321\/sign-in#token=([\w-]{43})$/.exec(stdout.trim()) ?? [];
    return token;
  }

  test('log their user in once', async () => {
    const token = await issue();
    expect(token).not.toBe('');
    const answers = await Promise.all([exchange(token), exchange(token)]);
    const sessions = answers.flatMap(({ data }) => data?.sessionCreateFromLink?.session ?? []);
    expect(sessions).toHaveLength(1);
    const { status } = await service.rest('GET', '/api/v1/projects/', bearer(sessions[0].access));
    expect(status).toBe(200);
    const refusal = answers.find(({ errors }) => errors)?.errors?.[0];
    expect(refusal).toMatchObject({ extensions: { code: 'UNAUTHENTICATED' } });
    const audit = await service.sql(
      `select action, via from audit_entry where action like 'sign-in-link.%' and object_id = $1 order by id`,
      [String(user.id)],
    );
    expect(audit).toEqual([
      { action: 'sign-in-link.create', via: 'operator' },
      { action: 'sign-in-link.use', via: 'jwt' },
    ]);
  });

  test('are stored as a hash', async () => {
    const token = await issue();
    const [row] = await service.sql(`select encode(hash, 'hex') as hash from sign_in_link`);
    expect(row?.hash).toMatch(/^[0-9a-f]{64}$/);
    expect(JSON.stringify(await service.sql('select * from sign_in_link'))).not.toContain(token);
    await service.sql('delete from sign_in_link');
  });

  test.each([
    ['expired', `update sign_in_link set expires_at = now() - interval '1 second'`],
    [
      'of a disabled user',
      'update app_user set disabled_at = now() where id = (select user_id from sign_in_link limit 1)',
    ],
  ])('that are %s are refused', async (_why, change) => {
    const token = await issue();
    await service.sql(change);
    const { data, errors } = await exchange(token);
    expect([data.sessionCreateFromLink, errors?.[0]?.extensions.code]).toEqual([null, 'UNAUTHENTICATED']);
  });

  test('are not printed for unknown users', async () => {
    const environment = testEnvironment(service.database);
    const { code, stderr } = await cli(['user', 'sign-in-link', '--email', 'nobody@example.com'], environment);
    expect([code, stderr]).toEqual([1, expect.stringContaining('No user has this email.')]);
  });
});
