import {
  parseSelectors,
  type SelectableElement,
  type Selector,
  SelectorError,
  type SelectorList,
  type SelectorState,
} from '../engine/html/selector.js';
import { type HtmlExtractor, type HtmlQuery, PortError } from '../engine/ports.js';
import { TimeSlices } from './time-slices.js';

type Library = typeof import('htmlparser2');
type Element = NonNullable<ReturnType<Library['DomUtils']['findOne']>>;
type Nodes = Element['children'];

/** Limits of a document and of the result. htmlparser2 takes time that grows with the square of the depth. */
const MAX_CHARACTERS = 4 * 1024 * 1024;
const MAX_ELEMENTS = 100_000;
const MAX_NESTING = 256;
const MAX_VALUES = 10_000;
const MAX_RESULT = 4 * 1024 * 1024;
/** Maximum number of comparisons of all elements with all selectors, and of one element with those of one query. */
const MAX_WORK = 20_000_000;
const MAX_WORK_AT_ONCE = 400_000;
/** Elements whose content is no text for readers. */
const UNREAD = new Set(['script', 'style', 'template']);
/** Elements that a browser shows on lines or in cells of their own. */
const SEPARATE = new Set(
  (
    'address article aside blockquote body br caption center dd details dialog dir div dl dt fieldset figcaption figure ' +
    'footer form h1 h2 h3 h4 h5 h6 head header hgroup hr html legend li main menu nav ol optgroup option p pre search ' +
    'section summary table tbody td tfoot th thead title tr ul'
  ).split(' '),
);
/** Characters that are parsed at once. */
const PART = 64 * 1024;

/** Extracts values from HTML by CSS selectors, in time that is linear in the document for each selector. */
export const htmlExtractor: HtmlExtractor = {
  async extract(html, queries, pause) {
    if (html.length > MAX_CHARACTERS) throw tooLarge(`has more than ${MAX_CHARACTERS} characters`);
    const lists = queries.map(({ selector, path }) => selectorsOf(selector, path));
    // Loaded at the first use, because few workflows read HTML.
    const extraction = new Extraction(await import('htmlparser2'), new TimeSlices(pause));
    const roots = await extraction.parse(html);
    const results: (string | null | (string | null)[])[] = [];
    for (const [index, query] of queries.entries()) {
      const values: (string | null)[] = [];
      const list = lists[index]!;
      for (const element of await extraction.select(roots, list, query.isList ? MAX_VALUES : 1))
        values.push(await extraction.valueOf(element, query));
      results.push(query.isList ? values : (values[0] ?? null));
    }
    return results;
  },
};

/** The elements of one parent, with the states of the parent and of the previous element. */
interface Level {
  elements: Element[];
  next: number;
  /** Number of elements in front of `next` by their name. */
  ofType: Map<string, number>;
  above: readonly SelectorState[] | null;
  previous: readonly SelectorState[] | null;
}

class Extraction {
  #work = 0;
  #left = MAX_RESULT;

  constructor(
    private readonly library: Library,
    private readonly slices: TimeSlices,
  ) {}

  async parse(html: string): Promise<Nodes> {
    const { DomHandler, Parser } = this.library;
    const handler = new DomHandler();
    let depth = 0;
    let count = 0;
    const reader = new Parser(
      {
        onparserinit: parser => handler.onparserinit(parser),
        onopentag(name, attributes) {
          if (++depth > MAX_NESTING) throw tooLarge(`has more than ${MAX_NESTING} nested elements`);
          if (++count > MAX_ELEMENTS) throw tooLarge(`has more than ${MAX_ELEMENTS} elements`);
          handler.onopentag(name, attributes);
        },
        onclosetag() {
          depth--;
          handler.onclosetag();
        },
        ontext: text => handler.ontext(text),
        onend: () => handler.onend(),
      },
      { decodeEntities: true, lowerCaseTags: true, lowerCaseAttributeNames: true },
    );
    for (let at = 0; at < html.length; at += PART) {
      reader.write(html.slice(at, at + PART));
      if (this.slices.isOver(PART)) await this.slices.pause();
    }
    reader.end();
    return handler.root.children;
  }

  /** Returns the first `limit` matching elements in document order. */
  async select(roots: Nodes, { selectors, costOf }: SelectorList, limit: number): Promise<Element[]> {
    const found: Element[] = [];
    const levels = [levelOf(roots, null)];
    for (let level = levels.at(-1); level && found.length < limit; level = levels.at(-1)) {
      const node = level.elements[level.next];
      if (!node) {
        levels.pop();
        continue;
      }
      if (this.#isOver(costOf(node.attribs))) await this.slices.pause();
      const states = statesOf(selectors, toSelectable(node, level), level);
      if (selectors.some((selector, at) => selector.matches(states[at]!))) found.push(node);
      level.next++;
      level.previous = states;
      levels.push(levelOf(node.children, states));
    }
    return found;
  }

  async valueOf(element: Element, query: HtmlQuery): Promise<string | null> {
    const isText = query.value === 'text';
    const found = isText ? await this.#textOf(element) : extractValue(element, query, this.library);
    if (this.#isOver(1 + (found?.length ?? 0) / 16)) await this.slices.pause();
    this.#left -= found?.length ?? 0;
    if (this.#left < 0) throw tooLarge(`yields more than ${MAX_RESULT} characters`);
    return found;
  }

  /** Returns the text without scripts and styles. Whitespace, line breaks and the limits of blocks become one space. */
  async #textOf(element: Element): Promise<string> {
    const text = new SpacedText();
    const open: (Nodes[number] | ' ')[] = element.children.toReversed();
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      if (this.#isOver(1)) await this.slices.pause();
      const data = next === ' ' ? next : 'data' in next && next.type === 'text' ? next.data : '';
      for (let at = 0; at < data.length; at += PART) {
        const part = data.slice(at, at + PART);
        text.add(part);
        if (this.#isOver(part.length / 16)) await this.slices.pause();
      }
      if (next !== ' ') for (const child of contentOf(next).toReversed()) open.push(child);
    }
    return text.toString();
  }

  /** Counts work, whose limits also bound the time between two pauses. Returns true if a pause is due. */
  #isOver(cost: number): boolean {
    this.#work += cost;
    if (this.#work > MAX_WORK || cost > MAX_WORK_AT_ONCE)
      throw tooLarge('takes too many comparisons; use fewer or shorter selectors, or a part of the document');
    return this.slices.isOver(cost);
  }
}

/** Joins texts with one space instead of each whitespace, and none at the ends. */
class SpacedText {
  #parts: string[] = [];
  #endsWithSpace = true;

  add(text: string): void {
    const collapsed = text.replace(/\s+/g, ' ');
    const part = this.#endsWithSpace && collapsed.startsWith(' ') ? collapsed.slice(1) : collapsed;
    if (part === '') return;
    this.#parts.push(part);
    this.#endsWithSpace = part.endsWith(' ');
  }

  toString(): string {
    return this.#parts.join('').trimEnd();
  }
}

/** Returns the inner nodes that have text, with spaces where the element ends a line. */
function contentOf(node: Nodes[number]): (Nodes[number] | ' ')[] {
  if (!('children' in node) || (isElement(node) && UNREAD.has(node.name))) return [];
  return isElement(node) && SEPARATE.has(node.name) ? [' ', ...node.children, ' '] : node.children;
}

function levelOf(nodes: Nodes, above: Level['above']): Level {
  return { elements: nodes.filter(isElement), next: 0, ofType: new Map(), above, previous: null };
}

function toSelectable(node: Element, { elements, next, above, ofType }: Level): SelectableElement {
  const positionOfType = (ofType.get(node.name) ?? 0) + 1;
  ofType.set(node.name, positionOfType);
  return {
    name: node.name,
    attribs: node.attribs,
    position: next + 1,
    positionOfType,
    count: elements.length,
    isEmpty: node.children.length === 0,
    isRoot: above === null,
  };
}

function statesOf(
  selectors: readonly Selector[],
  element: SelectableElement,
  { above, previous }: Level,
): SelectorState[] {
  return selectors.map((selector, at) => selector.enter(element, above?.[at] ?? null, previous?.[at] ?? null));
}

function isElement(node: Nodes[number]): node is Element {
  return 'attribs' in node;
}

function extractValue(element: Element, { value, attribute }: HtmlQuery, { DomUtils }: Library): string | null {
  if (value === 'html') return DomUtils.getInnerHTML(element);
  const name = attribute.toLowerCase();
  return Object.hasOwn(element.attribs, name) ? (element.attribs[name] ?? null) : null;
}

function selectorsOf(text: string, path: string): SelectorList {
  try {
    return parseSelectors(text);
  } catch (error) {
    if (!(error instanceof SelectorError)) throw error;
    throw new PortError('invalid_selector', `${path} ${JSON.stringify(text)} ${error.message}`, { isFinal: true });
  }
}

function tooLarge(reason: string): PortError {
  return new PortError('html_too_large', `the HTML ${reason}`, { isFinal: true });
}
