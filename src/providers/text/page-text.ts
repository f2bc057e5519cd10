import { decodeText } from '../../engine/text/decode.js';
import { UnreadableError } from '../../engine/text/unreadable.js';
import { readPages } from './read-pages.js';

const DOCUMENTS = new Set(['application/pdf']);
const HTML = /<(!doctype\s+html|html|head|body|div|p|article|main|section|h1|title|meta|script)\b/i;
/** Characters in which HTML and SVG are recognized. */
const SAMPLE = 8192;

/**
 * Extracts the text of a downloaded web resource: the main text of HTML, the complete text of plain text or a PDF. The
 * type is detected from the content. Throws an UnreadableError for images, other binary files and unknown encodings.
 */
export async function extractPageText(bytes: Buffer): Promise<string> {
  const { fileTypeFromBuffer } = await import('file-type');
  const detected = await fileTypeFromBuffer(bytes);
  if (detected && DOCUMENTS.has(detected.mime))
    return (await readPages(bytes, detected.mime)).map(({ text }) => text).join('\n\n');
  // XML may be XHTML or a feed, which is read as text; SVG is rejected below.
  if (detected && detected.ext !== 'xml') {
    const what = detected.mime.startsWith('image/') ? 'a picture' : 'a file';
    throw new UnreadableError(`The address leads to ${what} (${detected.mime}), not to a page of text.`);
  }
  const text = decodeText(bytes);
  if (text === null)
    throw new UnreadableError('The address leads to a file of an unknown kind, not to a page of text.');
  const sample = text.slice(0, SAMPLE);
  if (/<svg\b/i.test(sample) && !HTML.test(sample))
    throw new UnreadableError('The address leads to a picture (image/svg+xml), not to a page of text.');
  if (!HTML.test(sample)) return text;
  return (await import('./formats/html.js')).mainText(text);
}
