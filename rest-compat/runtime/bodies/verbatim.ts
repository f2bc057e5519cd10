import { decodeText } from '../content-type.js';
import { verbatimVariable } from '../inputs.js';
import type { ReadBody } from './body-request.js';
import { readJsonBody } from './json.js';

/** A JSON object as it was written, in UTF-8: its scalar reads it again, and nothing of it is lost on the way. */
export const readVerbatim: ReadBody = request => {
  readJsonBody(request);
  const text = request.bytes.length === 0 ? '{}' : decodeText(request.bytes, request.contentType.charset);
  return { [verbatimVariable]: Buffer.from(text) };
};
