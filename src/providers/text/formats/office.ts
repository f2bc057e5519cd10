import type { TextPage } from '../../../engine/text/page.js';
import { TextLimit } from '../../../engine/text/text-limit.js';
import { UnreadableError } from '../../../engine/text/unreadable.js';
import { attributeOf, hasDoctype, textOfXml, type XmlRules } from '../../../engine/text/xml-text.js';
import { Zip } from '../zip.js';

const word: XmlRules = {
  text: new Set(['w:t']),
  block: new Set(['w:p']),
  // `mc:Fallback` repeats the content of `mc:Choice` for older programs, as of text boxes. `w:moveFrom` is moved text at
  // its former place. `w:pPr` defines tab stops with elements `w:tab`.
  ignored: new Set(['mc:Fallback', 'w:moveFrom', 'w:pPr']),
  standsFor: new Map([
    ['w:tab', '\t'],
    ['w:br', '\n'],
    ['w:cr', '\n'],
    ['w:noBreakHyphen', '-'],
  ]),
  pageBreakOf: (element, attributes) => {
    if (element === 'w:lastRenderedPageBreak') return 'rendered';
    return element === 'w:br' && /w:type\s*=\s*["']page["']/.test(attributes) ? 'explicit' : null;
  },
};

/** Maximum number of spaces that one element `text:s` represents. */
const MAX_SPACES = 1_000;

const openDocument: XmlRules = {
  // Everything in a paragraph is text.
  text: null,
  block: new Set(['text:p', 'text:h']),
  // Deleted text, and comments with their authors.
  ignored: new Set(['text:tracked-changes', 'office:annotation']),
  standsFor: new Map<string, string | ((attributes: string) => string)>([
    ['text:tab', '\t'],
    ['text:s', attributes => ' '.repeat(spacesOf(attributes))],
    ['text:line-break', '\n'],
  ]),
  pageBreakOf: element => (element === 'text:soft-page-break' ? 'rendered' : null),
};

/** The attribute `text:c` is the number of spaces, by default 1. */
function spacesOf(attributes: string): number {
  return Math.min(Math.max(1, Number(attributeOf(attributes, 'text:c')) || 1), MAX_SPACES);
}

/**
 * Returns the text of a Word document by page, as the last program that saved it broke the pages, then its notes without
 * page numbers.
 */
export function docxPages(bytes: Buffer): TextPage[] {
  const zip = new Zip(bytes);
  const limit = new TextLimit();
  const body = textOfXml(xmlOf(zip, 'word/document.xml'), word, 1, limit);
  const notes = ['word/footnotes.xml', 'word/endnotes.xml']
    .filter(name => zip.names.includes(name))
    .flatMap(name => textOfXml(xmlOf(zip, name), word, null, limit));
  return [...body, ...notes];
}

/** Returns the text of an OpenDocument text by page. */
export function odtPages(bytes: Buffer): TextPage[] {
  return textOfXml(xmlOf(new Zip(bytes), 'content.xml'), openDocument, 1, new TextLimit());
}

/** Returns a part of a document. Throws an UnreadableError if it is missing or has a document type definition. */
export function xmlOf(zip: Zip, name: string): string {
  const bytes = zip.read(name);
  if (!bytes) throw new UnreadableError('The file is damaged: a part of the document is missing.');
  // The first byte of the byte order mark of UTF-16: FF FE in little-endian order, FE FF in big-endian order.
  const encoding = { 255: 'utf-16le', 254: 'utf-16be' }[bytes[0] ?? 0] ?? 'utf-8';
  const xml = new TextDecoder(encoding).decode(bytes);
  if (hasDoctype(xml)) throw new UnreadableError('The file holds a document type definition, which is not read.');
  return xml;
}
