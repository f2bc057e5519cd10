import { parseIsoDate, parseRfcDate } from '../expressions/functions/date-patterns.js';
import { attributeOf, decodeEntities } from './xml-text.js';
import { xmlTokens } from './xml-tokens.js';

/** An entry of a feed. Absent values are the empty text; `published_at` null: absent or not a date. */
export interface FeedItem {
  id: string;
  title: string;
  link: string;
  summary: string;
  content: string;
  author: string;
  categories: string[];
  /** ISO 8601 in UTC. The time of the last change if the entry has no time of publication. */
  published_at: string | null;
}

/** A feed with its items in the order of the document. */
export interface Feed {
  title: string;
  link: string;
  description: string;
  items: FeedItem[];
}

const ROOTS = new Set(['rss', 'feed', 'rdf:RDF']);
const ITEMS = new Set(['item', 'entry']);
/** Elements whose inner elements are part of a text, such as XHTML in Atom. */
const TEXTS: ReadonlyMap<string, keyof FeedItem> = new Map<string, keyof FeedItem>([
  ['title', 'title'],
  ['guid', 'id'],
  ['id', 'id'],
  ['description', 'summary'],
  ['summary', 'summary'],
  ['content', 'content'],
  ['content:encoded', 'content'],
  ['author', 'author'],
  ['dc:creator', 'author'],
  ['pubDate', 'published_at'],
  ['published', 'published_at'],
  ['dc:date', 'published_at'],
]);
const OTHER_TEXTS = new Set(['subtitle', 'updated']);
/** Elements with a title and a link of their own. RSS 0.91 and 1.0 write `textinput`. */
const OWN_TITLES = new Set(['image', 'textInput', 'textinput', 'source']);
const MAX_CATEGORIES = 50;

/** Parses RSS 0.9-2.0 and Atom in one pass. Returns undefined for another document. */
export function parseFeed(xml: string, maxItems: number): Feed | undefined {
  const reader = new FeedReader(maxItems);
  for (const token of xmlTokens(xml)) {
    if (token.kind === 'text') reader.text(token.text, token.isVerbatim);
    else if (token.isClosing) reader.close(token.element);
    else reader.open(token.element, token.attributes, token.isSelfClosing);
    if (reader.isDone) break;
  }
  return reader.feed;
}

class FeedReader {
  feed: Feed | undefined;
  #item: FeedItem | undefined;
  /** The `updated` of the current item. Atom does not fix whether it precedes `published`. */
  #updatedAt: string | null = null;
  /** The element whose text is read, and the number of open elements of its name inside. */
  #element = '';
  #depth = 0;
  #parts: string[] = [];
  /** Inside of an element with its own title and link, such as the image of a channel. */
  #skipped = '';

  constructor(private readonly maxItems: number) {}

  get isDone(): boolean {
    return this.feed?.items.length === this.maxItems && this.#item === undefined;
  }

  open(element: string, attributes: string, isSelfClosing: boolean): void {
    if (!this.feed) {
      if (ROOTS.has(element)) this.feed = { title: '', link: '', description: '', items: [] };
      return;
    }
    if (this.#element !== '') {
      // An Atom author is a name with an address and an email; an RSS author is a text.
      if (this.#element === 'author' && element === 'name' && !isSelfClosing) this.#begin('name');
      else if (element === this.#element && !isSelfClosing) this.#depth++;
      return;
    }
    if (this.#skipped === '') this.#openInside(element, attributes, isSelfClosing);
  }

  #openInside(element: string, attributes: string, isSelfClosing: boolean): void {
    if (OWN_TITLES.has(element)) this.#skipped = isSelfClosing ? '' : element;
    else if (ITEMS.has(element)) this.#beginItem();
    else if (element === 'link') this.#link(attributes, isSelfClosing);
    else if (element === 'category') this.#beginCategory(attributeOf(attributes, 'term'), isSelfClosing);
    else if (!isSelfClosing && (TEXTS.has(element) || OTHER_TEXTS.has(element))) this.#begin(element);
  }

  close(element: string): void {
    if (element === this.#skipped) this.#skipped = '';
    else if (element === this.#element) {
      if (--this.#depth === 0) this.#end();
    } else if (ITEMS.has(element) && this.#item && this.#element === '') {
      this.#item.published_at ??= this.#updatedAt;
      this.feed?.items.push(this.#item);
      this.#item = undefined;
    }
  }

  text(text: string, isVerbatim: boolean): void {
    if (this.#element !== '') this.#parts.push(isVerbatim ? text : decodeEntities(text));
  }

  #beginItem(): void {
    this.#item = emptyItem();
    this.#updatedAt = null;
  }

  #begin(element: string): void {
    this.#element = element;
    this.#depth = 1;
    this.#parts = [];
  }

  #end(): void {
    const text = this.#parts.join('').trim();
    const element = this.#element;
    this.#element = '';
    if (element === 'link') this.#setLink(text);
    else if (element === 'category') this.#category(text);
    else if (this.#item && element === 'updated') this.#updatedAt ??= toIsoTime(text);
    else if (this.#item) set(this.#item, element === 'name' ? 'author' : TEXTS.get(element), text);
    else if (this.feed && element === 'title') this.feed.title ||= text;
    else if (this.feed && (element === 'description' || element === 'subtitle')) this.feed.description ||= text;
  }

  /** An Atom link has its address in `href`; a link without `rel` or with `alternate` leads to the entry. */
  #link(attributes: string, isSelfClosing: boolean): void {
    const href = attributeOf(attributes, 'href');
    const rel = attributeOf(attributes, 'rel');
    if (href !== '' && (rel === '' || rel === 'alternate')) this.#setLink(href);
    else if (href === '' && !isSelfClosing) this.#begin('link');
  }

  #setLink(link: string): void {
    const target = this.#item ?? this.feed;
    if (target) target.link ||= link;
  }

  /** An Atom category has its name in `term`, an RSS category in its text. */
  #beginCategory(term: string, isSelfClosing: boolean): void {
    if (term !== '') this.#category(term);
    else if (!isSelfClosing) this.#begin('category');
  }

  #category(name: string): void {
    const categories = this.#item?.categories;
    if (categories && name !== '' && categories.length < MAX_CATEGORIES) categories.push(name);
  }
}

function emptyItem(): FeedItem {
  return { id: '', title: '', link: '', summary: '', content: '', author: '', categories: [], published_at: null };
}

/** The first value of a member counts. */
function set(item: FeedItem, member: keyof FeedItem | undefined, text: string): void {
  if (member === 'published_at') item.published_at ??= toIsoTime(text);
  else if (member !== undefined && member !== 'categories') item[member] ||= text;
}

/** A date in RFC 822 or ISO 8601, without an offset in UTC. */
function toIsoTime(text: string): string | null {
  const time = parseIsoDate(text, 'UTC') ?? parseRfcDate(text);
  return time === undefined ? null : new Date(time).toISOString();
}
