import type { IncomingMessage } from 'node:http';
import { RestFault } from './errors.js';
import type { Reply } from './replies/reply.js';

/** The identity of a request with a key: method, path, query and body. */
export type RequestText = Buffer;

/** The response text of the work for a key, and whether repetitions of the request return it. */
export interface IdempotentResponse {
  readonly text: string;
  readonly isKept: boolean;
}

export type IdempotencyOutcome =
  | { readonly kind: 'first' | 'again'; readonly text: string }
  | { readonly kind: 'under way' }
  | { readonly kind: 'another request' };

/** Stores the responses to requests with an idempotency key, separately for each caller. */
export interface Idempotency<C> {
  /** Executes `work` at most once per key of the caller. If `work` throws, the error is rethrown and the key is released. */
  once(
    context: C,
    key: string,
    request: RequestText,
    work: (context: C) => Promise<IdempotentResponse>,
  ): Promise<IdempotencyOutcome>;
}

const printable = /^[\x20-\x7e]{1,255}$/;

/** The idempotency key of a request; undefined without one. @throws RestFault for an invalid key. */
export function readIdempotencyKey({ headers }: IncomingMessage): string | undefined {
  const header = headers['idempotency-key'];
  if (header === undefined) return undefined;
  if (typeof header === 'string' && printable.test(header)) return header;
  throw new RestFault('BAD_USER_INPUT', undefined, {
    idempotency_key: ['The header Idempotency-Key must have 1-255 printable ASCII characters.'],
  });
}

export function requestText(method: string, path: string, query: string, body: Buffer): RequestText {
  return Buffer.concat([Buffer.from(`${JSON.stringify([method, path, query])}\n`), body]);
}

/**
 * Returns the reply of `work`, or the stored reply to an earlier request with the same key. Only successes are stored.
 * @throws RestFault CONFLICT while the first request is in progress, UNPROCESSABLE for a different request with this key.
 */
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
      throw new RestFault('CONFLICT', 'The first request with this Idempotency-Key is still in progress.');
    case 'another request':
      throw new RestFault('UNPROCESSABLE', 'This Idempotency-Key was used for a different request. Use a new key.');
    default:
      return { reply: JSON.parse(outcome.text) as Reply, isReplayed: outcome.kind === 'again' };
  }
}
