import { isPlainUtf8 } from '../input/content-type.js';
import { verbatimVariable } from '../input/inputs.js';
import type { ReadBody } from './body-request.js';
import { readJsonText } from './json.js';

/** Reads a JSON object and passes on its unchanged text with the parsed value, so that it is parsed only once. */
export const readVerbatim: ReadBody = request => {
  const { text, value } = readJsonText(request);
  const { bytes, contentType } = request;
  const utf8 = bytes.length > 0 && isPlainUtf8(bytes, contentType.charset) ? bytes : Buffer.from(text);
  return { [verbatimVariable]: request.parseBody(text, value, utf8) };
};
