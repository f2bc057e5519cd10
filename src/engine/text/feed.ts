import { decodeEntities } from './xml-text.js';
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
  /** ISO 8601 in UTC. */
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
  ['updated', 'published_at'],
  ['dc:date', 'published_at'],
]);
const OTHER_TEXTS = new Set(['category', 'subtitle']);
/** Elements with a title and a link of their own. */
const OWN_TITLES = new Set(['image', 'textInput', 'source']);
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
      if (element === this.#element && !isSelfClosing) this.#depth++;
      return;
    }
    if (this.#skipped === '') this.#openInside(element, attributes, isSelfClosing);
  }

  #openInside(element: string, attributes: string, isSelfClosing: boolean): void {
    if (OWN_TITLES.has(element)) this.#skipped = isSelfClosing ? '' : element;
    else if (ITEMS.has(element)) this.#item = emptyItem();
    else if (element === 'link') this.#link(attributes, isSelfClosing);
    else if (element === 'category' && isSelfClosing) this.#category(attributeOf(attributes, 'term'));
    else if (!isSelfClosing && (TEXTS.has(element) || OTHER_TEXTS.has(element))) this.#begin(element);
  }

  close(element: string): void {
    if (element === this.#skipped) this.#skipped = '';
    else if (element === this.#element) {
      if (--this.#depth === 0) this.#end();
    } else if (ITEMS.has(element) && this.#item && this.#element === '') {
      this.feed?.items.push(this.#item);
      this.#item = undefined;
    }
  }

  text(text: string, isVerbatim: boolean): void {
    if (this.#element !== '') this.#parts.push(isVerbatim ? text : decodeEntities(text));
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
    else if (this.#item) set(this.#item, TEXTS.get(element), text);
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

  #category(name: string): void {
    const categories = this.#item?.categories;
    if (categories && name !== '' && categories.length < MAX_CATEGORIES) categories.push(name);
  }
}

function emptyItem(): FeedItem {
  return { id: '', title: '', link: '', summary: '', content: '', author: '', categories: [], published_at: null };
}

/** The first value counts, so that `published` precedes a later `updated`. */
function set(item: FeedItem, member: keyof FeedItem | undefined, text: string): void {
  if (member === 'published_at') {
    const time = Date.parse(text);
    if (item.published_at === null && Number.isFinite(time)) item.published_at = new Date(time).toISOString();
  } else if (member !== undefined && member !== 'categories') item[member] ||= text;
}

/** Returns an attribute of a tag; the empty text if it is absent. */
function attributeOf(attributes: string, name: string): string {
  const start = ` ${attributes}`.indexOf(` ${name}=`);
  if (start < 0) return '';
  const quote = attributes[start + name.length + 1];
  if (quote !== '"' && quote !== "'") return '';
  const from = start + name.length + 2;
  const end = attributes.indexOf(quote, from);
  return end < 0 ? '' : decodeEntities(attributes.slice(from, end)).trim();
}
