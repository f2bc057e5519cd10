import { decodeText } from '../content-type.js';
import { verbatimVariable } from '../inputs.js';
import type { ReadBody } from './body-request.js';
import { readJsonBody } from './json.js';

/** A JSON object as it was written beside what it says: nothing of it is lost on the way, and nobody reads it twice. */
export const readVerbatim: ReadBody = request => {
  const value = readJsonBody(request);
  const text = request.bytes.length === 0 ? '{}' : decodeText(request.bytes, request.contentType.charset);
  return { [verbatimVariable]: request.written(text, value) };
};
