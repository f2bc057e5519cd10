import { type HtmlExtractor, type HtmlQuery, PortError } from '../engine/ports.js';
import {
  parseSelectors,
  type SelectableElement,
  type Selector,
  SelectorError,
  type SelectorState,
} from './html-selector.js';

type Library = typeof import('htmlparser2');
type Element = NonNullable<ReturnType<Library['DomUtils']['findOne']>>;
type Nodes = Element['children'];

/** Limits of a document and of the result. htmlparser2 takes time that grows with the square of the depth. */
const MAX_CHARACTERS = 4 * 1024 * 1024;
const MAX_ELEMENTS = 100_000;
const MAX_NESTING = 256;
const MAX_VALUES = 10_000;
const MAX_RESULT = 4 * 1024 * 1024;

/** Extracts values from HTML by CSS selectors, in time that is linear in the document for each selector. */
export const htmlExtractor: HtmlExtractor = {
  async extract(html, queries) {
    if (html.length > MAX_CHARACTERS) throw tooLarge(`has more than ${MAX_CHARACTERS} characters`);
    const selectors = queries.map(({ selector }) => selectorsOf(selector));
    // Loaded at the first use, because few workflows read HTML.
    const library = await import('htmlparser2');
    const roots = parse(html, library);
    let left = MAX_RESULT;
    const toValue = (element: Element, query: HtmlQuery): string | null => {
      const found = extractValue(element, query, library);
      left -= found?.length ?? 0;
      if (left < 0) throw tooLarge(`yields more than ${MAX_RESULT} characters`);
      return found;
    };
    return queries.map((query, index) => {
      const elements = select(roots, selectors[index] ?? [], query.isList ? MAX_VALUES : 1);
      const values = elements.map(element => toValue(element, query));
      return query.isList ? values : (values[0] ?? null);
    });
  },
};

function parse(html: string, { DomHandler, Parser }: Library): Nodes {
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
  reader.end(html);
  return handler.root.children;
}

/** Returns the first `limit` matching elements in document order. */
function select(roots: Nodes, selectors: readonly Selector[], limit: number): Element[] {
  const found: Element[] = [];
  const visit = (nodes: Nodes, parents: readonly SelectorState[] | null) => {
    const elements = nodes.filter(isElement);
    let previous: readonly SelectorState[] | null = null;
    for (const [index, node] of elements.entries()) {
      if (found.length >= limit) return;
      const element: SelectableElement = {
        name: node.name,
        attribs: node.attribs,
        isFirst: index === 0,
        isLast: index === elements.length - 1,
        isEmpty: node.children.length === 0,
        isRoot: parents === null,
      };
      const states = statesOf(selectors, element, parents, previous);
      if (selectors.some((selector, at) => selector.matches(states[at]!))) found.push(node);
      visit(node.children, states);
      previous = states;
    }
  };
  visit(roots, null);
  return found.slice(0, limit);
}

function statesOf(
  selectors: readonly Selector[],
  element: SelectableElement,
  parents: readonly SelectorState[] | null,
  previous: readonly SelectorState[] | null,
): SelectorState[] {
  return selectors.map((selector, at) => selector.enter(element, parents?.[at] ?? null, previous?.[at] ?? null));
}

function isElement(node: Nodes[number]): node is Element {
  return 'attribs' in node;
}

function extractValue(element: Element, { value, attribute }: HtmlQuery, { DomUtils }: Library): string | null {
  if (value === 'html') return DomUtils.getInnerHTML(element);
  if (value === 'text') return DomUtils.textContent(element).replace(/\s+/g, ' ').trim();
  const name = attribute.toLowerCase();
  return Object.hasOwn(element.attribs, name) ? (element.attribs[name] ?? null) : null;
}

function selectorsOf(text: string): Selector[] {
  try {
    return parseSelectors(text);
  } catch (error) {
    if (!(error instanceof SelectorError)) throw error;
    throw new PortError(
      'invalid_selector',
      'a selector is invalid; it consists of types, #id, .class, [attribute], the combinators space, > and +, commas, and :first-child, :last-child, :only-child, :empty, :root and :not()',
      { isFinal: true },
    );
  }
}

function tooLarge(reason: string): PortError {
  return new PortError('html_too_large', `the HTML ${reason}`, { isFinal: true });
}
