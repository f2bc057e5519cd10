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
  const reader = new XmlTextReader(reading, firstPage, limit);
  for (const token of xmlTokens(xml)) {
    if (token.kind === 'text') reader.text(token.text, token.isVerbatim);
    else if (token.isClosing) reader.close(token.element);
    else reader.open(token.element, token.attributes, token.isSelfClosing);
  }
  return reader.pages.map(({ page, parts }) => ({ page, text: parts.join('') }));
}

class XmlTextReader {
  readonly pages: { page: number | null; parts: string[] }[];
  #inText = 0;
  #inBlock = 0;

  constructor(
    private readonly reading: XmlReading,
    private readonly firstPage: number | null,
    private readonly limit: TextLimit,
  ) {
    this.pages = [{ page: firstPage, parts: [] }];
  }

  get #page() {
    return this.pages.at(-1)!;
  }

  text(text: string, isVerbatim: boolean): void {
    const isRead = this.reading.text === null ? this.#inBlock > 0 : this.#inText > 0;
    if (isRead) this.#page.parts.push(this.limit.take(isVerbatim ? text : decodeEntities(text)));
  }

  open(element: string, attributes: string, isSelfClosing: boolean): void {
    const { reading } = this;
    const { page, parts } = this.#page;
    if (this.firstPage !== null && parts.length > 0 && reading.beginsPage(element, attributes))
      this.pages.push({ page: (page ?? 0) + 1, parts: [] });
    const stand = reading.standsFor.get(element);
    if (stand !== undefined) this.#page.parts.push(this.limit.take(stand));
    if (isSelfClosing) return;
    if (reading.text?.has(element)) this.#inText++;
    if (reading.block.has(element)) this.#inBlock++;
  }

  close(element: string): void {
    const { reading } = this;
    if (reading.text?.has(element)) this.#inText = Math.max(0, this.#inText - 1);
    if (!reading.block.has(element)) return;
    this.#inBlock = Math.max(0, this.#inBlock - 1);
    this.#page.parts.push(this.limit.take('\n\n'));
  }
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
