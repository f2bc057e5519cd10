import { createHmac } from 'node:crypto';
import { equalInConstantTime, sha256 } from '../../../platform/crypto/crypto.js';
import { WebhookVerification } from '../workflow-trigger.type.js';

/** The parts of a call that a signature covers. Header names are in lower case. */
export interface SignedCall {
  headers: Readonly<Record<string, string | undefined>>;
  body: Buffer;
}

export interface VerificationSettings {
  verification: WebhookVerification;
  headerName: string | null;
  toleranceSeconds: number;
}

/** A genuine call has a `deliveryId` that is the same when the sender repeats the call; null: unknown. Other calls have the reason of the rejection. */
export type Verdict = { isGenuine: true; deliveryId: string | null } | { isGenuine: false; reason: string };

/**
 * Checks the sender of a call. All comparisons take constant time. A signature with a time is rejected when it is older or newer than
 * `toleranceSeconds`.
 * @param now seconds since 1970
 */
export function verifyCall(call: SignedCall, settings: VerificationSettings, secret: string, now: number): Verdict {
  const { verification, headerName, toleranceSeconds } = settings;
  const { headers } = call;
  switch (verification) {
    case WebhookVerification.NONE:
      return acceptCall(headers['idempotency-key']);
    case WebhookVerification.HEADER:
      return compare(
        headers[headerName!.toLowerCase()],
        secret,
        `the header ${headerName}`,
        headers['idempotency-key'],
      );
    case WebhookVerification.BASIC: {
      const expected = `Basic ${Buffer.from(secret).toString('base64')}`;
      return compare(headers.authorization, expected, 'the header Authorization', headers['idempotency-key']);
    }
    case WebhookVerification.GITHUB: {
      const expected = `sha256=${hmac(secret, call.body).toString('hex')}`;
      return compare(headers['x-hub-signature-256'], expected, 'X-Hub-Signature-256', headers['x-github-delivery']);
    }
    case WebhookVerification.STRIPE:
      return verifyStripe(call, secret, { now, toleranceSeconds });
    case WebhookVerification.SLACK:
      return verifySlack(call, secret, { now, toleranceSeconds });
    case WebhookVerification.STANDARD_WEBHOOKS:
      return verifyStandard(call, secret, { now, toleranceSeconds });
  }
}

/**
 * Returns the lower-case name of the header that proves the sender; null: no header does. Its value permits sending the call
 * again.
 */
export function proofHeader({ verification, headerName }: VerificationSettings): string | null {
  switch (verification) {
    case WebhookVerification.NONE:
      return null;
    case WebhookVerification.HEADER:
      return headerName!.toLowerCase();
    case WebhookVerification.BASIC:
      return 'authorization';
    case WebhookVerification.GITHUB:
      return 'x-hub-signature-256';
    case WebhookVerification.STRIPE:
      return 'stripe-signature';
    case WebhookVerification.SLACK:
      return 'x-slack-signature';
    case WebhookVerification.STANDARD_WEBHOOKS:
      return 'webhook-signature';
  }
}

/** The time of the call and the maximum age of its signature, both in seconds. */
interface TimeWindow {
  now: number;
  toleranceSeconds: number;
}

/**
 * Signature of Stripe: `t=<seconds>,v1=<hex>` over `<seconds>.<body>`; several `v1` are permitted. There is no id of the
 * delivery in the headers, so time and signature identify it.
 */
function verifyStripe({ headers, body }: SignedCall, secret: string, window: TimeWindow): Verdict {
  const parts = (headers['stripe-signature'] ?? '').split(',').map(part => part.split('=', 2) as [string, string?]);
  const time = parts.find(([name]) => name.trim() === 't')?.[1];
  const late = rejectByTime(time, window, 'Stripe-Signature');
  if (late) return late;
  const sent = parts.flatMap(([name, value]) => (name.trim() === 'v1' && value !== undefined ? [value] : []));
  const expected = hmac(secret, Buffer.concat([Buffer.from(`${time}.`), body])).toString('hex');
  const match = sent.find(each => isEqual(each, expected));
  return match === undefined ? rejectCall('Stripe-Signature') : acceptCall(`${time}.${match}`);
}

/** Signature of Slack: `v0=<hex>` over `v0:<seconds>:<body>`. It also identifies the delivery. */
function verifySlack({ headers, body }: SignedCall, secret: string, window: TimeWindow): Verdict {
  const time = headers['x-slack-request-timestamp'];
  const late = rejectByTime(time, window, 'X-Slack-Request-Timestamp');
  if (late) return late;
  const expected = `v0=${hmac(secret, Buffer.concat([Buffer.from(`v0:${time}:`), body])).toString('hex')}`;
  return compare(headers['x-slack-signature'], expected, 'X-Slack-Signature', headers['x-slack-signature']);
}

/** Signature of Standard Webhooks: a list of `v1,<base64>` over `<id>.<seconds>.<body>`; the secret may begin with `whsec_`. */
function verifyStandard({ headers, body }: SignedCall, secret: string, window: TimeWindow): Verdict {
  const id = headers['webhook-id'];
  const time = headers['webhook-timestamp'];
  if (!id) return { isGenuine: false, reason: 'The header webhook-id is missing.' };
  const late = rejectByTime(time, window, 'webhook-timestamp');
  if (late) return late;
  const key = secret.startsWith('whsec_') ? Buffer.from(secret.slice('whsec_'.length), 'base64') : Buffer.from(secret);
  const expected = `v1,${hmac(key, Buffer.concat([Buffer.from(`${id}.${time}.`), body])).toString('base64')}`;
  const sent = (headers['webhook-signature'] ?? '').split(' ');
  return sent.some(each => isEqual(each, expected)) ? acceptCall(id) : rejectCall('webhook-signature');
}

/** Returns the rejection of a signature that has no time or one outside of the window. */
function rejectByTime(
  time: string | undefined,
  { now, toleranceSeconds }: TimeWindow,
  header: string,
): Verdict | undefined {
  const seconds = Number(time);
  if (!time || !Number.isInteger(seconds)) return { isGenuine: false, reason: `${header} has no time.` };
  if (Math.abs(now - seconds) <= toleranceSeconds) return undefined;
  return { isGenuine: false, reason: `The signature is more than ${toleranceSeconds} seconds old or in the future.` };
}

function compare(sent: string | undefined, expected: string, place: string, deliveryId: string | undefined): Verdict {
  if (sent === undefined) return { isGenuine: false, reason: `${place} is missing.` };
  return isEqual(sent, expected) ? acceptCall(deliveryId) : rejectCall(place);
}

function acceptCall(deliveryId: string | undefined): Verdict {
  return { isGenuine: true, deliveryId: deliveryId === undefined || deliveryId === '' ? null : deliveryId };
}

function rejectCall(place: string): Verdict {
  return { isGenuine: false, reason: `${place} does not match.` };
}

/** Digests have equal lengths, so the comparison does not reveal the length of the expected text. */
function isEqual(sent: string, expected: string): boolean {
  return equalInConstantTime(sha256(sent), sha256(expected));
}

function hmac(key: string | Buffer, data: Buffer): Buffer {
  return createHmac('sha256', key).update(data).digest();
}
