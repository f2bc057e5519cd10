import type { TextPage } from './page.js';
import type { TextLimit } from './text-limit.js';
import { xmlTokens } from './xml-tokens.js';

/** Meaning of the elements of a document format, by qualified name. */
export interface XmlRules {
  /** Elements whose content is text; null: all content of a block. */
  text: ReadonlySet<string> | null;
  /** Elements that form a paragraph. */
  block: ReadonlySet<string>;
  /** Elements whose whole content is skipped, such as deleted text. */
  ignored: ReadonlySet<string>;
  /** Elements that represent a text, such as a tab. A function gets the unparsed attributes. */
  standsFor: ReadonlyMap<string, string | ((attributes: string) => string)>;
  /**
   * Returns how the element begins a page; null if it does not. `explicit`: the author broke the page. `rendered`: the last
   * program that saved the document began a page here, also at each explicit break. `attributes` is unparsed.
   */
  pageBreakOf(element: string, attributes: string): 'explicit' | 'rendered' | null;
}

/**
 * Extracts the text of an XML document, by page from `firstPage`; null: as one page without a number. It is a streaming
 * reader without a tree. Several parts of a document share one `limit`. Throws an UnreadableError above the limit.
 */
export function textOfXml(xml: string, rules: XmlRules, firstPage: number | null, limit: TextLimit): TextPage[] {
  const reader = new XmlTextReader(rules, firstPage, limit);
  for (const token of xmlTokens(xml)) {
    if (token.kind === 'text') reader.text(token.text, token.isVerbatim);
    else if (token.isClosing) reader.close(token.element);
    else reader.open(token.element, token.attributes, token.isSelfClosing);
  }
  return reader.pages.map(({ page, parts }) => ({ page, text: parts.join('') }));
}

class XmlTextReader {
  readonly pages: { page: number | null; parts: string[] }[];
  /** Whether the page has more than spaces. */
  #hasText = false;
  /** Number of open elements whose content is text, and of open blocks. */
  #textDepth = 0;
  #blockDepth = 0;
  /** Number of open ignored elements. Above 0, tags do not change the other numbers. */
  #ignoredDepth = 0;

  constructor(
    private readonly rules: XmlRules,
    private readonly firstPage: number | null,
    private readonly limit: TextLimit,
  ) {
    this.pages = [{ page: firstPage, parts: [] }];
  }

  get #page() {
    return this.pages.at(-1)!;
  }

  text(text: string, isVerbatim: boolean): void {
    if (this.#ignoredDepth > 0) return;
    const isRead = this.rules.text === null ? this.#blockDepth > 0 : this.#textDepth > 0;
    if (!isRead) return;
    this.#hasText ||= text.trim() !== '';
    this.#page.parts.push(this.limit.addText(isVerbatim ? text : decodeEntities(text)));
  }

  open(element: string, attributes: string, isSelfClosing: boolean): void {
    const { rules } = this;
    if (!isSelfClosing && rules.ignored.has(element)) this.#ignoredDepth++;
    if (this.#ignoredDepth > 0) return;
    if (this.firstPage !== null) this.#breakPage(rules.pageBreakOf(element, attributes));
    const text = rules.standsFor.get(element);
    if (text !== undefined)
      this.#page.parts.push(this.limit.addText(typeof text === 'string' ? text : text(attributes)));
    if (isSelfClosing) return;
    if (rules.text?.has(element)) this.#textDepth++;
    if (rules.block.has(element)) this.#blockDepth++;
  }

  /** A rendered break after an explicit one, without text in between, is the same break. */
  #breakPage(kind: ReturnType<XmlRules['pageBreakOf']>): void {
    const { page, parts } = this.#page;
    const isBreak = kind === 'explicit' ? parts.length > 0 : kind === 'rendered' && this.#hasText;
    if (!isBreak) return;
    this.pages.push({ page: (page ?? 0) + 1, parts: [] });
    this.#hasText = false;
  }

  close(element: string): void {
    const { rules } = this;
    if (this.#ignoredDepth > 0) {
      if (rules.ignored.has(element)) this.#ignoredDepth--;
      return;
    }
    if (rules.text?.has(element)) this.#textDepth = Math.max(0, this.#textDepth - 1);
    if (!rules.block.has(element)) return;
    this.#blockDepth = Math.max(0, this.#blockDepth - 1);
    this.#page.parts.push(this.limit.addText('\n\n'));
  }
}

const ENTITIES = new Map(Object.entries({ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }));

/** Decodes the five entities of XML and numeric references. Without a document type definition there are no others. */
export function decodeEntities(text: string): string {
  return text.replace(/&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|(\w+));/gi, (whole, hex, decimal, name) => {
    if (name !== undefined) return ENTITIES.get(name) ?? whole;
    const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : '';
  });
}

/** Returns the value of an attribute of a tag, trimmed and with decoded entities; the empty text if it is absent. */
export function attributeOf(attributes: string, name: string): string {
  let at = 0;
  for (;;) {
    const equals = attributes.indexOf('=', at);
    if (equals < 0) return '';
    let from = equals + 1;
    while (isSpace(attributes[from])) from++;
    const quote = attributes[from];
    const end = quote === '"' || quote === "'" ? attributes.indexOf(quote, from + 1) : from;
    if (end < 0) return '';
    const before = ` ${attributes.slice(at, equals).trimEnd()}`;
    if (before.endsWith(name) && isSpace(before.at(-name.length - 1)))
      return decodeEntities(attributes.slice(from + 1, end)).trim();
    at = end === from ? from : end + 1;
  }
}

function isSpace(character: string | undefined): boolean {
  return character !== undefined && character.trim() === '';
}

/** Returns true for a document type definition. It can expand without limit or include other files. */
export function hasDoctype(xml: string): boolean {
  return /<!(DOCTYPE|ENTITY)/i.test(xml);
}
