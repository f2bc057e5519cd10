import { RestFault } from '../errors.js';
import { decodeText, isBinary, isJson, isMultipart } from '../input/content-type.js';
import { runPartsVariable } from '../input/inputs.js';
import { isObject, parseJson, parseJsonObject, storageFault } from '../json-text.js';
import type { BodyRequest, ReadBody } from './body-request.js';
import { readFieldParts } from './multipart.js';

/**
 * Reads the input of a run: the whole body with an API key, the member `input_data` with a session. A value that is not an
 * object is passed on, because the service reports it in the envelope (HTTP 200, inner status 400). The parts of a multipart form are
 * the fields, for every kind of credentials.
 */
export const readRunInput: ReadBody = request => {
  const { type } = request.contentType;
  if (isMultipart(type)) return readFieldParts(request).then(parts => ({ [runPartsVariable]: parts }));
  if (request.bytes.length === 0) return {};
  if (isBinary(type)) {
    throw new RestFault('UNSUPPORTED_MEDIA_TYPE', 'Unsupported media type. Send application/json or text/plain.');
  }
  const text = decodeText(request.bytes, request.contentType.charset);
  if (text === '' || (isJson(type) && text.trim() === '')) return {};
  const values = request.caller === 'jwt' ? readWrapped(text, request) : readFlat(text, request);
  const fault = storageFault(values);
  if (fault !== null) throw new RestFault('BAD_USER_INPUT', fault);
  return values;
};

function readFlat(text: string, { contentType, maxDepth }: BodyRequest): Record<string, unknown> {
  if (isJson(contentType.type)) return { input: parseJson(text, maxDepth) };
  const input = parseJsonObject(text, maxDepth);
  return input === null ? { input_text: text } : { input };
}

function readWrapped(text: string, { contentType, maxDepth }: BodyRequest): Record<string, unknown> {
  const body = isJson(contentType.type) ? parseJson(text, maxDepth) : parseJsonObject(text, maxDepth);
  return { input: isObject(body) && Object.hasOwn(body, 'input_data') ? body.input_data : null };
}
