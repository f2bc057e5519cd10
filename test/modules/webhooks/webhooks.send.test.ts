import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { WebhookSender } from '../../../src/modules/webhooks/deliveries/webhook-sender.js';
import { createWebhookSecret } from '../../../src/modules/webhooks/signature.js';
import { createOutbound } from '../../../src/platform/outbound/outbound.js';
import { startWebhookReceiver, status, type WebhookReceiver } from '../../support/upstreams/webhook-receiver.js';

let receiver: WebhookReceiver;
const outbound = createOutbound({ allow: ['127.0.0.1'] });
const secret = createWebhookSecret();
/** Longer than any test takes. */
const NO_TIMEOUT_MS = 60_000;
beforeAll(async () => {
  receiver = await startWebhookReceiver();
});
afterAll(async () => {
  await receiver.stop();
  await outbound.close();
});

const send = (path: string, { signal = new AbortController().signal, timeoutMs = NO_TIMEOUT_MS } = {}) =>
  new WebhookSender(outbound, { live: async () => [secret] }, timeoutMs).send(
    {
      id: 'a',
      projectId: 1,
      url: `${receiver.origin}${path}`,
      isToProject: true,
      body: { type: 'webhook.test' },
      attempt: 1,
      token: 1,
      failures: 0,
      isDisabled: false,
    },
    signal,
  );

it('gives up on a receiver that does not answer in time', async () => {
  receiver.answer('/silent', () => {});
  const attempt = await send('/silent', { timeoutMs: 300 });
  expect(attempt).toMatchObject({
    status: null,
    error: 'The receiver did not respond within 0.3 s.',
    verdict: 'retry',
  });
  expect(attempt.durationMs).toBeGreaterThanOrEqual(290);
});

it('uses the status of a receiver whose body never ends, and does not wait for its end', async () => {
  receiver.answer('/endless', response => void response.writeHead(202).write('x'));
  const attempt = await send('/endless');
  expect(attempt).toMatchObject({ status: 202, error: null, verdict: 'delivered' });
  expect(attempt.durationMs).toBeLessThan(NO_TIMEOUT_MS);
});

it('retries when the connection breaks', async () => {
  receiver.answer('/broken', response => void response.destroy());
  expect(await send('/broken')).toMatchObject({ status: null, error: expect.any(String), verdict: 'retry' });
});

it.each([
  [200, 'delivered'],
  [299, 'delivered'],
  [300, 'retry'],
  [304, 'retry'],
  [400, 'retry'],
  [410, 'gone'],
  [500, 'retry'],
])('classifies %i: %s', async (code, verdict) => {
  receiver.answer('/classified', status(code));
  expect(await send('/classified')).toMatchObject({ status: code, verdict });
});

it('throws when it is aborted', async () => {
  receiver.answer('/stopped', () => {});
  const stop = new AbortController();
  const sending = send('/stopped', { signal: stop.signal });
  stop.abort(new Error('the worker stops'));
  await expect(sending).rejects.toThrow('the worker stops');
});
