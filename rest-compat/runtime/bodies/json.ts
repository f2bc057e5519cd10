import { RestFault } from '../errors.js';
import { decodeText, isJson } from '../input/content-type.js';
import { isObject, parseJson } from '../json-text.js';
import type { BodyRequest } from './body-request.js';

/** Reads a JSON object. An empty body is an empty object, so that missing required members are reported. */
export function readJsonBody(request: BodyRequest): Record<string, unknown> {
  return readJsonText(request).value;
}

/** Reads a JSON object and returns its text and its value. @throws RestFault for another media type or invalid JSON. */
export function readJsonText({ bytes, contentType, maxDepth }: BodyRequest): {
  text: string;
  value: Record<string, unknown>;
} {
  if (bytes.length === 0) return { text: '{}', value: {} };
  if (contentType.type !== null && !isJson(contentType.type)) {
    throw new RestFault('UNSUPPORTED_MEDIA_TYPE', 'Unsupported media type. Send application/json.');
  }
  const text = decodeText(bytes, contentType.charset);
  const value = parseJson(text, maxDepth);
  if (isObject(value)) return { text, value };
  throw new RestFault('BAD_USER_INPUT', 'Invalid data. Expected an object.');
}
