import type { TextPage } from './page.js';
import type { TextLimit } from './text-limit.js';
import { xmlTokens } from './xml-tokens.js';

/** What the elements of a document format mean, by their qualified names. */
export interface XmlReading {
  /** Whose content is text; null: all of what stands within a block. */
  text: ReadonlySet<string> | null;
  /** Paragraphs: a line of its own. */
  block: ReadonlySet<string>;
  /** What stands for a text, such as a tab. */
  standsFor: ReadonlyMap<string, string>;
  /** Whether a page begins here; `attributes` as they are written. */
  beginsPage(element: string, attributes: string): boolean;
}

/**
 * The text of an XML document, page by page from `firstPage`. Reads tags and text as they come: nothing nests in memory.
 * Throws an UnreadableError where the text passes `limit`; several parts of a document share one limit.
 */
export function textOfXml(xml: string, reading: XmlReading, firstPage: number | null, limit: TextLimit): TextPage[] {
  const pages: { page: number | null; parts: string[] }[] = [{ page: firstPage, parts: [] }];
  let inText = 0;
  let inBlock = 0;
  for (const token of xmlTokens(xml)) {
    const { parts } = pages.at(-1)!;
    if (token.kind === 'text') {
      const isRead = reading.text === null ? inBlock > 0 : inText > 0;
      if (isRead) parts.push(limit.take(token.isVerbatim ? token.text : decodeEntities(token.text)));
      continue;
    }
    const { element, attributes } = token;
    if (!token.isClosing) {
      if (reading.beginsPage(element, attributes) && parts.length > 0 && firstPage !== null)
        pages.push({ page: (pages.at(-1)!.page ?? 0) + 1, parts: [] });
      const stand = reading.standsFor.get(element);
      if (stand !== undefined) pages.at(-1)!.parts.push(limit.take(stand));
      if (!token.isSelfClosing) {
        if (reading.text?.has(element)) inText++;
        if (reading.block.has(element)) inBlock++;
      }
      continue;
    }
    if (reading.text?.has(element)) inText = Math.max(0, inText - 1);
    if (reading.block.has(element)) {
      inBlock = Math.max(0, inBlock - 1);
      parts.push(limit.take('\n\n'));
    }
  }
  return pages.map(({ page, parts }) => ({ page, text: parts.join('') }));
}

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** The five of XML and those by number; there are no others without a document type definition. */
export function decodeEntities(text: string): string {
  return text.replace(/&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|(\w+));/gi, (whole, hex, decimal, name) => {
    if (name !== undefined) return entities[name] ?? whole;
    const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : '';
  });
}

/** A document type definition can make a small text endless, or have another file read in its place. */
export function hasDoctype(xml: string): boolean {
  return /<!(DOCTYPE|ENTITY)/i.test(xml);
}
