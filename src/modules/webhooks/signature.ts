import { createHmac, randomBytes } from 'node:crypto';

const PREFIX = 'whsec_';

/** 256 random bits in the form of the Standard Webhooks scheme. */
export function newWebhookSecret(): string {
  return `${PREFIX}${randomBytes(32).toString('base64')}`;
}

/** What is signed: the delivery's id, when it is sent (Unix seconds) and the body as it is sent. */
export interface SignedContent {
  id: string;
  timestamp: number;
  body: string;
}

/** The header `webhook-signature`: one signature for each secret, so that a receiver may hold either. */
export function signatures(secrets: readonly string[], { id, timestamp, body }: SignedContent): string {
  return secrets
    .map(secret => Buffer.from(secret.slice(PREFIX.length), 'base64'))
    .map(key => `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`)
    .join(' ');
}
