import type { ServerResponse } from 'node:http';
import { type RestError, restErrors } from './errors.js';

/** The path whose errors have the format of Anthropic's Messages API. */
export const MESSAGES_PATH = '/v1/messages';

/** Paths whose errors have the format of the Messages API, also with a query. */
const messagesPath = /^\/v1\/messages(?:[/?]|$)/;

/** Paths whose errors have the format of OpenAI-compatible APIs. */
const chatPath = /^\/v1(?:[/?]|$)/;

/** The error format of a response: of this service, of OpenAI-compatible APIs, or of Anthropic's Messages API. */
export function errorFormat(res: ServerResponse): 'service' | 'openai' | 'anthropic' {
  // Express removes the mount path of a router from `url`.
  const { originalUrl, url } = res.req as ServerResponse['req'] & { originalUrl?: string };
  const path = originalUrl ?? url ?? '';
  if (messagesPath.test(path)) return 'anthropic';
  return chatPath.test(path) ? 'openai' : 'service';
}

/** `type` of an error in the OpenAI format by HTTP status. */
const openaiTypes: Record<number, string> = {
  401: 'authentication_error',
  402: 'insufficient_quota',
  403: 'permission_error',
  404: 'not_found_error',
  429: 'rate_limit_error',
};

/** `code` in the OpenAI format by code of this service; other codes are the same. */
const openaiCodes: Record<string, string> = {
  [restErrors.UNAUTHENTICATED.code]: 'invalid_api_key',
  [restErrors.RATE_LIMITED.code]: 'rate_limit_exceeded',
  [restErrors.BAD_USER_INPUT.code]: 'invalid_value',
};

/** The error body `{"error": {"message", "type", "param", "code"}}`. The keys of `fields` must be REST names. */
export function errorObject({ status, code, detail, fields }: RestError): object {
  const [first] = Object.entries(fields ?? {});
  const param = first && first[0] !== 'non_field_errors' ? first[0] : null;
  return {
    error: {
      message: messageOf(detail, fields),
      type: openaiTypes[status] ?? (status >= 500 ? 'server_error' : 'invalid_request_error'),
      param,
      code: openaiCodes[code] ?? code,
    },
  };
}

/** The error body `{"type": "error", "error": {"type", "message"}}`. The keys of `fields` must be REST names. */
export function messagesErrorObject({ status, detail, fields }: RestError): object {
  const type = messagesTypes[status] ?? (status >= 500 ? 'api_error' : 'invalid_request_error');
  return { type: 'error', error: { type, message: messageOf(detail, fields) } };
}

const messagesTypes: Record<number, string> = {
  ...openaiTypes,
  402: 'billing_error',
  413: 'request_too_large',
  503: 'overloaded_error',
};

function messageOf(detail: string, fields: RestError['fields']): string {
  const texts = Object.entries(fields ?? {}).map(([name, messages]) =>
    name === 'non_field_errors' ? messages.join(' ') : `${name}: ${messages.join(' ')}`,
  );
  return texts.length > 0 ? texts.join(' ') : detail;
}
