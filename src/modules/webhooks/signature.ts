import { createHmac, randomBytes } from 'node:crypto';

const PREFIX = 'whsec_';

/** A new secret of 256 random bits, in the format of the Standard Webhooks specification. */
export function createWebhookSecret(): string {
  return `${PREFIX}${randomBytes(32).toString('base64')}`;
}

/** The signed content: the id of the delivery, the time of sending in Unix seconds, and the exact body. */
export interface SignedContent {
  id: string;
  timestamp: number;
  body: string;
}

/** The value of the header `webhook-signature`: one signature per valid secret, so that a receiver can verify with either. */
export function buildSignatureHeader(secrets: readonly string[], { id, timestamp, body }: SignedContent): string {
  return secrets
    .map(secret => Buffer.from(secret.slice(PREFIX.length), 'base64'))
    .map(key => `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`)
    .join(' ');
}
