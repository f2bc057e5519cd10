import { convert } from 'html-to-text';
import { UnreadableError } from '../../../engine/text/unreadable.js';

const LIMITS = { maxInputLength: 64 * 1024 * 1024, maxDepth: 500 };
const HEADINGS = ['h1', 'h2', 'h3', 'h4', 'h5', 'h6'];

/** Returns the visible text, without scripts, link targets and images. */
export function htmlText(html: string): string {
  return convert(html, { wordwrap: false, limits: LIMITS, selectors: READABLE });
}

const READABLE = [
  { selector: 'a', options: { ignoreHref: true } },
  { selector: 'img', format: 'skip' },
  ...HEADINGS.map(selector => ({ selector, options: { uppercase: false } })),
  { selector: 'table', format: 'dataTable', options: { uppercaseHeaderCells: false } },
];

/** Selectors of the main content, the most specific first, with a pattern that detects each without parsing. */
const MAIN_CONTENT: [selector: string, pattern: RegExp][] = [
  ['article', /<article\b/i],
  ['main', /<main\b/i],
  ['[role=main]', /\brole=["']?main\b/i],
  ['#content', /\bid=["']?content\b/i],
  ['body', /^/],
];
/** Elements around the main content, which all pages of a site share. */
const BOILERPLATE = [
  ...['nav', 'header', 'footer', 'aside', 'form', 'button', 'select', 'dialog', 'template', 'svg', 'iframe'],
  ...['[role=navigation]', '[role=banner]', '[role=contentinfo]', '[role=complementary]', '[role=search]'],
  ...['[hidden]', '[aria-hidden=true]'],
];
/** Characters. A shorter text is probably a teaser. */
const MIN_LENGTH = 400;

/** Returns the title and the main content of a page. Throws an UnreadableError if elements nest too deeply. */
export function mainText(html: string): string {
  if (isTooDeep(html)) throw new UnreadableError('The elements of the page are nested too deeply.');
  const title = /<title[^<>]*>([^<]{1,500})/i.exec(html)?.[1] ?? '';
  const selectors = [...READABLE, ...BOILERPLATE.map(selector => ({ selector, format: 'skip' }))];
  let longest = '';
  for (const [mainSelector, pattern] of MAIN_CONTENT) {
    if (!pattern.test(html)) continue;
    const baseElements = { selectors: [mainSelector], returnDomByDefault: mainSelector === 'body' };
    const text = convert(html, { wordwrap: false, limits: LIMITS, selectors, baseElements });
    if (text.length > longest.length) longest = text;
    if (longest.length >= MIN_LENGTH) break;
  }
  return `${htmlText(title)}\n\n${longest.trim() === '' ? htmlText(html) : longest}`;
}

const MAX_DEPTH = 5_000;
const TAG = /<(\/?)([a-z][a-z0-9-]*)(?:[^<>a-z0-9-][^<>]*)?>/gi;
/** Elements without an end tag, or with an optional one. */
const WITHOUT_END_TAG = new Set(
  `area base br col embed hr img input link meta source track wbr p li dt dd tr td th thead tbody tfoot option optgroup
  colgroup rp rt html head body`.split(/\s+/),
);

/** Protects the parser, whose time grows with the square of the depth. */
function isTooDeep(html: string): boolean {
  let depth = 0;
  for (const [, closing, name] of html.matchAll(TAG)) {
    if (WITHOUT_END_TAG.has(name!.toLowerCase())) continue;
    depth = Math.max(0, depth + (closing === '' ? 1 : -1));
    if (depth > MAX_DEPTH) return true;
  }
  return false;
}
