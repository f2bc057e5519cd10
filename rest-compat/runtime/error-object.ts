import type { ServerResponse } from 'node:http';
import { type RestError, restErrors } from './errors.js';

/** Paths whose errors have the format of OpenAI-compatible APIs. */
const chatPath = /^\/v1(\/|$)/;

/** Whether errors of this response have the format of OpenAI-compatible APIs. */
export function usesChatFormat(res: ServerResponse): boolean {
  // Express removes the mount path of a router from `url`.
  const { originalUrl, url } = res.req as ServerResponse['req'] & { originalUrl?: string };
  return chatPath.test(originalUrl ?? url ?? '');
}

const types: Record<number, string> = {
  401: 'authentication_error',
  402: 'insufficient_quota',
  403: 'permission_error',
  404: 'not_found_error',
  429: 'rate_limit_error',
};

const codes: Record<string, string> = {
  [restErrors.UNAUTHENTICATED.code]: 'invalid_api_key',
  [restErrors.RATE_LIMITED.code]: 'rate_limit_exceeded',
  [restErrors.BAD_USER_INPUT.code]: 'invalid_value',
};

/** The error body `{"error": {"message", "type", "param", "code"}}`. The keys of `fields` must be REST names. */
export function errorObject({ status, code, detail, fields }: RestError): object {
  const [first] = Object.entries(fields ?? {});
  const param = first && first[0] !== 'non_field_errors' ? first[0] : null;
  const texts = Object.entries(fields ?? {}).map(([name, messages]) =>
    name === 'non_field_errors' ? messages.join(' ') : `${name}: ${messages.join(' ')}`,
  );
  return {
    error: {
      message: texts.length > 0 ? texts.join(' ') : detail,
      type: types[status] ?? (status >= 500 ? 'server_error' : 'invalid_request_error'),
      param,
      code: codes[code] ?? code,
    },
  };
}
