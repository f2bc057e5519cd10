import type { Readable } from 'node:stream';
import {
  type DomainError,
  InvalidInputError,
  RateLimitedError,
  UnavailableError,
} from '../../platform/errors/errors.js';
import { chatErrorType } from '../../providers/llm/chat/chat-error.js';
import type { ChatError } from '../../providers/llm/chat/chat-format.js';

/** What a client of the chat format gets, byte for byte. */
export interface ChatAnswer {
  status: number;
  headers: Record<string, string>;
  body: Buffer | Readable;
}

/** A call that came to nothing on our side of the provider, in the words of the chat format. */
export class ChatRefusal extends Error {
  constructor(
    readonly status: number,
    readonly told: ChatError,
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    super(told.message);
    this.name = 'ChatRefusal';
  }

  toAnswer(): ChatAnswer {
    const body = Buffer.from(JSON.stringify({ error: this.told }));
    return { status: this.status, headers: { ...this.headers, 'content-type': 'application/json' }, body };
  }
}

/** The request is at fault. */
export function badRequest(param: string, message: string, code: string): ChatRefusal {
  return new ChatRefusal(400, { message, type: chatErrorType(400), param, code });
}

export const NO_SUCH_MODEL = 'The model does not exist, or no provider that is configured serves it.';

/** No answer within the limit. The official client would ask three times, and pay for each. */
export function timedOut(seconds: number): ChatRefusal {
  const message = `The model provider did not answer within ${seconds} seconds.`;
  return new ChatRefusal(
    500,
    { message, type: 'timeout', param: null, code: 'timeout' },
    { 'x-should-retry': 'false' },
  );
}

export function chatFailure(code: string, message: string): ChatRefusal {
  return new ChatRefusal(500, { message, type: chatErrorType(500), param: null, code });
}

/** The same to a client of GraphQL. `error` is what a provider said, or we. */
export function domainErrorOf(status: number, error: Partial<ChatError>): DomainError {
  const message =
    typeof error.message === 'string' && error.message !== ''
      ? error.message
      : `The model provider answered ${status}.`;
  if (status === 429) return new RateLimitedError(1, message);
  if (status < 500) return new InvalidInputError({ [error.param || 'request']: [message] });
  return new UnavailableError(message, 1);
}
