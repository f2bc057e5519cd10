import type { TextPage } from '../../../engine/text/page.js';
import { TextLimit } from '../../../engine/text/text-limit.js';
import { UnreadableError } from '../../../engine/text/unreadable.js';
import { hasDoctype, textOfXml, type XmlRules } from '../../../engine/text/xml-text.js';
import { Zip } from '../zip.js';

const word: XmlRules = {
  text: new Set(['w:t']),
  block: new Set(['w:p']),
  standsFor: new Map([
    ['w:tab', '\t'],
    ['w:br', '\n'],
    ['w:cr', '\n'],
    ['w:noBreakHyphen', '-'],
  ]),
  beginsPage: (element, attributes) =>
    element === 'w:lastRenderedPageBreak' || (element === 'w:br' && /w:type\s*=\s*["']page["']/.test(attributes)),
};

const slide: XmlRules = {
  text: new Set(['a:t']),
  block: new Set(['a:p']),
  standsFor: new Map([
    ['a:br', '\n'],
    ['a:tab', '\t'],
  ]),
  beginsPage: () => false,
};

const openDocument: XmlRules = {
  text: null,
  block: new Set(['text:p', 'text:h']),
  standsFor: new Map([
    ['text:tab', '\t'],
    ['text:s', ' '],
    ['text:line-break', '\n'],
  ]),
  beginsPage: element => element === 'text:soft-page-break',
};

/** Returns the text of a Word document by page, as the last program that saved it broke the pages, then its notes. */
export function docxPages(bytes: Buffer): TextPage[] {
  const zip = new Zip(bytes);
  const limit = new TextLimit();
  const body = textOfXml(xmlOf(zip, 'word/document.xml'), word, 1, limit);
  const notes = ['word/footnotes.xml', 'word/endnotes.xml']
    .filter(name => zip.names.includes(name))
    .flatMap(name => textOfXml(xmlOf(zip, name), word, null, limit));
  return [...body, ...notes];
}

/** Returns the text of each slide and then its notes, with the number of the slide as the page. */
export function pptxPages(bytes: Buffer): TextPage[] {
  const zip = new Zip(bytes);
  const numbers = zip.names
    .map(name => Number(/^ppt\/slides\/slide(\d+)\.xml$/.exec(name)?.[1] ?? 0))
    .filter(number => number > 0)
    .sort((a, b) => a - b);
  const limit = new TextLimit();
  return numbers.flatMap(number => {
    const notes = `ppt/notesSlides/notesSlide${number}.xml`;
    const parts = [`ppt/slides/slide${number}.xml`, ...(zip.names.includes(notes) ? [notes] : [])];
    return parts.flatMap(name =>
      textOfXml(xmlOf(zip, name), slide, null, limit).map(({ text }) => ({ page: number, text })),
    );
  });
}

/** Returns the text of an OpenDocument text by page. */
export function odtPages(bytes: Buffer): TextPage[] {
  return textOfXml(xmlOf(new Zip(bytes), 'content.xml'), openDocument, 1, new TextLimit());
}

/** Returns a part of a document. Throws an UnreadableError if it is missing or has a document type definition. */
export function xmlOf(zip: Zip, name: string): string {
  const bytes = zip.read(name);
  if (!bytes) throw new UnreadableError('The file is damaged: a part of the document is missing.');
  // The first byte of the byte order mark of UTF-16 in little-endian order, FF FE.
  const xml = new TextDecoder(bytes[0] === 0xff ? 'utf-16le' : 'utf-8').decode(bytes);
  if (hasDoctype(xml)) throw new UnreadableError('The file holds a document type definition, which is not read.');
  return xml;
}
