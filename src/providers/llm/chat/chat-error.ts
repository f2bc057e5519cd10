import type { ChatError } from './chat-format.js';

/** A request that a provider's own format has no words for; the message names the parameter. */
export class UnsupportedChatError extends Error {
  constructor(
    readonly param: string,
    message: string,
  ) {
    super(message);
    this.name = 'UnsupportedChatError';
  }
}

/** Types of errors by HTTP status, as clients of the chat format know them. */
const types: Record<number, string> = {
  401: 'authentication_error',
  402: 'insufficient_quota',
  403: 'permission_error',
  404: 'not_found_error',
  429: 'rate_limit_error',
};

export function chatErrorType(status: number): string {
  return types[status] ?? (status >= 500 ? 'server_error' : 'invalid_request_error');
}

/** An upstream's error in the shape of the chat format. */
export function translatedError(status: number, message: unknown, code: unknown): { error: ChatError } {
  return {
    error: {
      message: typeof message === 'string' && message !== '' ? message : `The model provider answered ${status}.`,
      type: chatErrorType(status),
      param: null,
      code: typeof code === 'string' ? code : null,
    },
  };
}
