import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { eventually } from '../../support/eventually.js';
import { startTestService, type TestService } from '../../support/service.js';
import { createLogin, logIn } from '../../support/sessions.js';
import { type MailServer, startMailServer } from '../../support/upstreams/mail-server.js';

const NEW_PASSWORD = 'a quite new password';
const OPTIONS = '{ signInOptions { isResetByEmailAvailable } }';
const REQUEST = `mutation ($email: String!) {
  passwordResetRequest(email: $email) { isAccepted errors { code path } }
}`;
const RESET = `mutation ($token: String!, $newPassword: String!) {
  passwordReset(token: $token, newPassword: $newPassword) { session { access } }
}`;

describe('Links for a new password by email', () => {
  let service: TestService;
  let mail: MailServer;
  beforeAll(async () => {
    mail = await startMailServer();
    service = await startTestService({
      mail: { server: mail.url, from: 'Scenarium <scenarium@example.com>' },
      publicUrl: 'https://scenarium.example',
      // The mail server of the operator needs no entry.
      outboundAllow: [],
    });
  });
  afterAll(async () => {
    await service?.stop();
    await mail?.stop();
  });
  beforeEach(() => {
    mail.received.length = 0;
  });

  const request = async (email: string) => (await service.graphql(REQUEST, { email }, null)).data?.passwordResetRequest;
  const countJobs = async () =>
    (await service.sql(`select id from pgboss.job where name = 'password-reset-email' and state < 'completed'`)).length;
  const linkFor = async (recipient: string) => {
    const email = await eventually(
      async () => mail.received.find(({ to }) => to.includes(recipient)),
      found => found !== undefined,
    );
    const text = email!.text.replaceAll('=\r\n', '').replaceAll('=3D', '=');
    return { ...email!, token: /https:\/\/scenarium\.example\/reset-password#token=([\w-]{43})/.exec(text)?.[1] ?? '' };
  };

  test('reach the user, work once and are in the audit log', async () => {
    expect((await service.graphql(OPTIONS, {}, null)).data.signInOptions).toEqual({ isResetByEmailAvailable: true });
    const user = await createLogin(service, 'ada');
    expect(await request(' ADA@example.com ')).toEqual({ isAccepted: true, errors: [] });
    const { from, to, text, token } = await linkFor(user.email);
    expect([from, to]).toEqual(['scenarium@example.com', ['ada@example.com']]);
    expect(text).toContain('Subject: Set a new password');
    const use = () => service.graphql(RESET, { token, newPassword: NEW_PASSWORD }, null);
    expect((await use()).data.passwordReset.session.access).toMatch(/^ey/);
    expect((await use()).errors?.[0]?.extensions.code).toBe('UNAUTHENTICATED');
    await logIn(service, user.email, NEW_PASSWORD);
    const audit = await service.sql(
      `select action, via, user_id, address, detail from audit_entry
        where action = 'password-reset-link.create' and object_id = $1`,
      [String(user.id)],
    );
    // The request had no credentials: the service itself created the link.
    expect(audit).toEqual([expect.objectContaining({ via: 'operator', user_id: null, detail: { byEmail: true } })]);
    expect(audit[0]?.address).toMatch(/^(127\.0\.0\.1|::1)$/);
  });

  test('are not sent to unknown or disabled users or users without a password, who get the same response', async () => {
    const disabled = await createLogin(service, 'off');
    await service.sql('update app_user set disabled_at = now() where id = $1', [disabled.id]);
    const external = await createLogin(service, 'external');
    await service.sql('update app_user set password_hash = null where id = $1', [external.id]);
    for (const email of ['nobody@example.com', disabled.email, external.email])
      expect(await request(email)).toEqual({ isAccepted: true, errors: [] });
    await eventually(countJobs, count => count === 0);
    const recipients = mail.received.flatMap(({ to }) => to);
    expect(recipients.filter(to => ['nobody@example.com', disabled.email, external.email].includes(to))).toEqual([]);
  });

  test('leave a link of an administrator valid', async () => {
    const user = await createLogin(service, 'grace');
    const { body } = await service.rest('POST', `/api/v1/users/${user.id}/password-reset-link/`);
    const options = { key: null, body: { email: user.email } };
    expect((await service.rest('POST', '/api/v1/password/reset-request/', options)).status).toBe(204);
    await linkFor(user.email);
    const token = body.path.split('token=')[1];
    const { data } = await service.graphql(RESET, { token, newPassword: NEW_PASSWORD }, null);
    expect(data.passwordReset.session).toBeTruthy();
  });

  test('are limited for one email, with or without an account', async () => {
    const user = await createLogin(service, 'eager');
    for (const email of [user.email, 'eager-nobody@example.com']) {
      for (let sent = 0; sent < 3; sent++) expect((await request(email)).errors).toEqual([]);
      const { errors } = await service.graphql(REQUEST, { email }, null);
      expect(errors?.[0]?.extensions).toMatchObject({ code: 'RATE_LIMITED', retryAfter: expect.any(Number) });
    }
    // The limit of the email does not apply to logging in.
    await logIn(service, user.email);
  });

  test('are retried after a temporary failure of the mail server', async () => {
    const user = await createLogin(service, 'patient');
    mail.refuseNextTo = user.email;
    await request(user.email);
    const isRetried = async () => {
      const jobs = await service.sql(`select state from pgboss.job where data ->> 'email' = $1`, [user.email]);
      return jobs.some(({ state }) => state === 'retry') || mail.received.some(({ to }) => to.includes(user.email));
    };
    await eventually(isRetried, Boolean);
    expect(mail.refuseNextTo).toBeNull();
  });

  test('need an email', async () => {
    for (const email of ['', 'nobody'])
      expect((await request(email)).errors).toEqual([{ code: 'BAD_USER_INPUT', path: ['email'] }]);
  });
});

describe('Without a mail server', () => {
  test('links are not offered by email, and requests from one address are limited', async () => {
    const service = await startTestService({ loginLimitPerMinute: 1 });
    expect((await service.rest('GET', '/api/v1/sign-in-options/', { key: null })).body).toEqual({
      is_reset_by_email_available: false,
      oidc: null,
    });
    for (const code of ['CONFLICT', 'RATE_LIMITED']) {
      const { data, errors } = await service.graphql(REQUEST, { email: 'ada@example.com' }, null);
      expect(errors?.[0]?.extensions.code ?? data.passwordResetRequest.errors[0].code).toBe(code);
    }
    await service.stop();
  });
});
