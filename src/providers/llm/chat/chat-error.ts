import { isObject } from '../../../engine/json-value.js';
import type { ChatError } from './chat-format.js';

/** A request that a provider's own format cannot express. The message names the parameter. */
export class UnsupportedChatError extends Error {
  constructor(
    readonly param: string,
    message: string,
  ) {
    super(message);
    this.name = 'UnsupportedChatError';
  }
}

/** Error types of the chat format by HTTP status. */
const types: Record<number, string> = {
  401: 'authentication_error',
  402: 'insufficient_quota',
  403: 'permission_error',
  404: 'not_found_error',
  429: 'rate_limit_error',
};

/** Returns the error type of the chat format for an HTTP status. */
export function chatErrorType(status: number): string {
  return types[status] ?? (status >= 500 ? 'server_error' : 'invalid_request_error');
}

/** Reads the error of a response in the chat format. Missing members get defaults. */
export function chatErrorOf(status: number, body: unknown): ChatError {
  const { message, code, param } = isObject(body) && isObject(body.error) ? body.error : {};
  const { error } = translatedError(status, message, code);
  return { ...error, param: typeof param === 'string' ? param : null };
}

/** Converts an upstream error to the chat format. */
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
