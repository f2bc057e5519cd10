import { decodeText, isJson } from '../content-type.js';
import { RestFault } from '../errors.js';
import { isObject, parseJson } from '../json-text.js';
import type { BodyRequest } from './body-request.js';

/** Nothing sent is an object without members: what is required is then named as missing. */
export function readJsonBody({ bytes, contentType, maxDepth }: BodyRequest): Record<string, unknown> {
  if (bytes.length === 0) return {};
  if (contentType.type !== null && !isJson(contentType.type)) {
    throw new RestFault('UNSUPPORTED_MEDIA_TYPE', 'Unsupported media type, send application/json.');
  }
  const body = parseJson(decodeText(bytes, contentType.charset), maxDepth);
  if (isObject(body)) return body;
  throw new RestFault('BAD_USER_INPUT', 'Invalid data. Expected an object.');
}
