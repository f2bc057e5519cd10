import type { IncomingMessage } from 'node:http';
import { RestFault } from './errors.js';
import type { Reply } from './replies/reply.js';

/** What a request with a key is told apart by: method, path, query and body. */
export type RequestText = Buffer;

/** What the work for a key answered, and whether that stands for every request that is sent again. */
export interface KeyedAnswer {
  readonly text: string;
  readonly isKept: boolean;
}

export type KeyedOutcome =
  | { readonly kind: 'first' | 'again'; readonly text: string }
  | { readonly kind: 'under way' }
  | { readonly kind: 'another request' };

/** Remembers the answers to requests that bear a key, for each caller apart. */
export interface Idempotency<C> {
  /** Does `work` once for the caller's key. What it throws is thrown on, and the key is free again. */
  once(
    context: C,
    key: string,
    request: RequestText,
    work: (context: C) => Promise<KeyedAnswer>,
  ): Promise<KeyedOutcome>;
}

const printable = /^[\x20-\x7e]{1,255}$/;

/** Undefined when the request bears none. */
export function readIdempotencyKey({ headers }: IncomingMessage): string | undefined {
  const sent = headers['idempotency-key'];
  if (sent === undefined) return undefined;
  if (typeof sent === 'string' && printable.test(sent)) return sent;
  throw new RestFault('BAD_USER_INPUT', undefined, {
    idempotency_key: ['Send 1-255 printable ASCII characters in the header Idempotency-Key.'],
  });
}

export function requestText(method: string, path: string, query: string, body: Buffer): RequestText {
  return Buffer.concat([Buffer.from(`${JSON.stringify([method, path, query])}\n`), body]);
}

/** The reply to a request with a key: that of `work`, or the one that was kept. Only successes are kept. */
export async function replyOnce<C>(
  idempotency: Idempotency<C>,
  { context, key, request }: { context: C; key: string; request: RequestText },
  work: (context: C) => Promise<Reply>,
): Promise<{ reply: Reply; isReplayed: boolean }> {
  const outcome = await idempotency.once(context, key, request, async reserved => {
    const reply = await work(reserved);
    return { text: JSON.stringify(reply), isKept: reply.status < 300 };
  });
  switch (outcome.kind) {
    case 'under way':
      throw new RestFault('CONFLICT', 'The first request with this Idempotency-Key is still under way.');
    case 'another request':
      throw new RestFault('UNPROCESSABLE', 'This Idempotency-Key was used for another request.');
    default:
      return { reply: JSON.parse(outcome.text) as Reply, isReplayed: outcome.kind === 'again' };
  }
}
