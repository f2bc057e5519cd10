import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { eventually } from '../../support/eventually.js';
import { setRole } from '../../support/members.js';
import { startTestService, type TestService } from '../../support/service.js';
import { startWebhookReceiver, type WebhookReceiver } from '../../support/upstreams/webhook-receiver.js';
import { webhookRequestsBy } from './webhook-requests.js';

let receiver: WebhookReceiver;
let service: TestService;
beforeAll(async () => {
  receiver = await startWebhookReceiver();
  service = await startTestService({ webhookRetrySeconds: [0.01, 0.01] });
});
afterAll(async () => {
  await service.stop();
  await receiver.stop();
});

const { project, rotate, sendTest, redeliver, deliveries, received, settled } = webhookRequestsBy(
  () => service,
  () => receiver,
);

describe('the secret of webhooks', () => {
  it('also signs for 24 hours after it was replaced, and no longer', async () => {
    const { id, path } = await project();
    // The first delivery created a secret that no user has seen.
    await sendTest(id);
    await received(path);
    const first = (await rotate(id)).value;
    const second = (await rotate(id)).value;
    expect(second.secret).not.toBe(first.secret);
    expect(Date.parse(second.previousExpiresAt) - Date.now()).toBeGreaterThan(24 * 3_600_000 - 60_000);
    expect(Date.parse(second.previousExpiresAt) - Date.now()).toBeLessThan(24 * 3_600_000 + 60_000);

    await sendTest(id);
    const [, both] = await received(path, 2);
    expect(both!.headers['webhook-signature']!.split(' ')).toHaveLength(2);
    for (const { secret } of [first, second]) new Webhook(secret).verify(both!.text, both!.headers);

    await service.sql(`update webhook_secret set expires_at = now() where project_id = $1 and expires_at is not null`, [
      id,
    ]);
    await sendTest(id);
    const [, , one] = await received(path, 3);
    expect(() => new Webhook(first.secret).verify(one!.text, one!.headers)).toThrow();
    new Webhook(second.secret).verify(one!.text, one!.headers);
  });

  it('is created once when many deliveries need it at the same time', async () => {
    const { id, path } = await project();
    await Promise.all(Array.from({ length: 4 }, () => sendTest(id)));
    const calls = await received(path, 4);
    expect(calls.map(call => call.headers['webhook-signature']!.split(' ').length)).toEqual([1, 1, 1, 1]);
    expect(await service.sql('select id from webhook_secret where project_id = $1', [id])).toHaveLength(1);
    expect((await rotate(id)).value.previousExpiresAt).toEqual(expect.any(String));
  });

  it('never has more than two valid values, however many requests replace it at once, and is stored encrypted', async () => {
    const { id, path } = await project();
    const made = await Promise.all(Array.from({ length: 5 }, () => rotate(id)));
    expect(made.map(({ errors }) => errors)).toEqual(Array(5).fill(undefined));
    expect(made.filter(({ value }) => value.previousExpiresAt === null)).toHaveLength(1);
    await sendTest(id);
    const [call] = await received(path);
    const valid = made.filter(({ value }) => {
      try {
        return Boolean(new Webhook(value.secret).verify(call!.text, call!.headers));
      } catch {
        return false;
      }
    });
    expect(valid).toHaveLength(2);
    const rows = JSON.stringify(await service.sql('select * from webhook_secret where project_id = $1', [id]));
    for (const { value } of made) expect(rows).not.toContain(value.secret.slice('whsec_'.length));
  });
});

describe('permissions', () => {
  it('answers an outsider as for a project that does not exist', async () => {
    const { id } = await project();
    const delivery = (await sendTest(id)).value.id;
    const { key } = await service.createUser(`outsider-${id}`);
    const none = 2_000_000_000;
    const pairs = [
      [await rotate(id, key), await rotate(none, key)],
      [await sendTest(id, key), await sendTest(none, key)],
      [await redeliver(delivery, key), await redeliver(randomUUID(), key)],
      [await deliveries(id, '', key), await deliveries(none, '', key)],
    ];
    for (const [hidden, missing] of pairs) {
      expect(hidden!.code).toBe('NOT_FOUND');
      expect(hidden!.errors).toEqual(missing!.errors);
    }
  });

  it.each([
    ['viewer', 'FORBIDDEN'],
    ['editor', 'FORBIDDEN'],
    ['admin', undefined],
  ])('allows a member who is %s: %s', async (role, code) => {
    const { id } = await project();
    const delivery = (await sendTest(id)).value.id;
    const { email, key } = await service.createUser(`${role}-${id}`);
    await setRole(service, id, email, role);
    expect((await deliveries(id, '', key)).code).toBe(code);
    expect((await rotate(id, key)).code).toBe(code);
    expect((await sendTest(id, key)).code).toBe(code);
    expect((await redeliver(delivery, key)).code).toBe(code);
  });
});

describe('the log of deliveries', () => {
  it('lists the newest first, page by page, in all states or in one', async () => {
    const { id } = await project();
    const made: string[] = [];
    for (let count = 0; count < 3; count++) made.push((await sendTest(id)).value.id);
    const ids = async (args: string) => (await deliveries(id, args)).page.items.map((item: { id: string }) => item.id);
    expect(await ids('')).toEqual(made.toReversed());
    expect(await ids(', state: null')).toEqual(made.toReversed());
    expect(await ids(', page: 2, size: 2')).toEqual([made[0]]);
    expect(await ids(', page: 9')).toEqual([]);
    expect((await deliveries(id, ', size: 0')).page).toMatchObject({ total: 3, items: [] });
    expect((await deliveries(id, ', size: 101')).errors).toMatchObject([
      { extensions: { code: 'BAD_USER_INPUT', fields: { size: [expect.any(String)] } } },
    ]);
    await eventually(
      () => ids(', state: DELIVERED'),
      delivered => delivered.length === 3,
    );
    expect(await ids(', state: PENDING')).toEqual([]);
  });

  it('refuses a test delivery without a URL, and sends one although the webhook is off', async () => {
    const nowhere = await project({ webhook_url: null });
    expect((await sendTest(nowhere.id)).errors).toMatchObject([
      {
        extensions: {
          code: 'BAD_USER_INPUT',
          fields: { projectId: ['The project has no webhook URL. Set webhookUrl first.'] },
        },
      },
    ]);
    const off = await project({ is_webhook_enabled: false });
    // A worker may already deliver it while the mutation reads its answer.
    const { value } = await sendTest(off.id);
    expect(value).toMatchObject({ state: expect.stringMatching(/^(PENDING|DELIVERED)$/), type: 'TEST' });
    const [call] = await received(off.path);
    expect(call!.body).toMatchObject({ type: 'webhook.test', data: { project_id: off.id } });
  });

  it('is deleted with its project', async () => {
    const { id } = await project();
    await sendTest(id);
    await settled(id, 'DELIVERED');
    expect((await service.rest('DELETE', `/api/v1/projects/${id}/`)).status).toBe(204);
    expect(await service.sql('select id from webhook_delivery where project_id = $1', [id])).toEqual([]);
  });
});
