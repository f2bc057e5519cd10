import { RestFault } from '../errors.js';
import { decodeText, isJson } from '../input/content-type.js';
import { isObject, parseJson } from '../json-text.js';
import type { BodyRequest } from './body-request.js';

/** Nothing sent is an object without members: what is required is then named as missing. */
export function readJsonBody(request: BodyRequest): Record<string, unknown> {
  return readJsonText(request).value;
}

/** The same beside the text that says it. */
export function readJsonText({ bytes, contentType, maxDepth }: BodyRequest): {
  text: string;
  value: Record<string, unknown>;
} {
  if (bytes.length === 0) return { text: '{}', value: {} };
  if (contentType.type !== null && !isJson(contentType.type)) {
    throw new RestFault('UNSUPPORTED_MEDIA_TYPE', 'Unsupported media type, send application/json.');
  }
  const text = decodeText(bytes, contentType.charset);
  const value = parseJson(text, maxDepth);
  if (isObject(value)) return { text, value };
  throw new RestFault('BAD_USER_INPUT', 'Invalid data. Expected an object.');
}
