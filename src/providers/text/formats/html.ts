import { convert } from 'html-to-text';
import { UnreadableError } from '../../../engine/text/unreadable.js';

const LIMITS = { maxInputLength: 64 * 1024 * 1024, maxDepth: 500 };
const HEADINGS = ['h1', 'h2', 'h3', 'h4', 'h5', 'h6'];

/** What a reader sees: no scripts, no addresses of links, no pictures. */
export function htmlText(html: string): string {
  return convert(html, { wordwrap: false, limits: LIMITS, selectors: READABLE });
}

const READABLE = [
  { selector: 'a', options: { ignoreHref: true } },
  { selector: 'img', format: 'skip' },
  ...HEADINGS.map(selector => ({ selector, options: { uppercase: false } })),
  { selector: 'table', format: 'dataTable', options: { uppercaseHeaderCells: false } },
];

/** Where pages say themselves that their matter is, the narrowest first, and what tells that a page has it. */
const MATTER: [selector: string, sign: RegExp][] = [
  ['article', /<article\b/i],
  ['main', /<main\b/i],
  ['[role=main]', /\brole=["']?main\b/i],
  ['#content', /\bid=["']?content\b/i],
  ['body', /^/],
];
/** What stands around it on every page of a site. */
const AROUND = [
  ...['nav', 'header', 'footer', 'aside', 'form', 'button', 'select', 'dialog', 'template', 'svg', 'iframe'],
  ...['[role=navigation]', '[role=banner]', '[role=contentinfo]', '[role=complementary]', '[role=search]'],
  ...['[hidden]', '[aria-hidden=true]'],
];
/** Less text than this is a teaser and not what the page is about. */
const ENOUGH = 400;

/** The title and the text that a page is about, without what is around it. */
export function mainText(html: string): string {
  if (isTooDeep(html)) throw new UnreadableError('The elements of the page lie too deep in each other.');
  const title = /<title[^<>]*>([^<]{1,500})/i.exec(html)?.[1] ?? '';
  const selectors = [...READABLE, ...AROUND.map(selector => ({ selector, format: 'skip' }))];
  let longest = '';
  for (const [matter, sign] of MATTER) {
    if (!sign.test(html)) continue;
    const baseElements = { selectors: [matter], returnDomByDefault: matter === 'body' };
    const text = convert(html, { wordwrap: false, limits: LIMITS, selectors, baseElements });
    if (text.length > longest.length) longest = text;
    if (longest.length >= ENOUGH) break;
  }
  return `${htmlText(title)}\n\n${longest.trim() === '' ? htmlText(html) : longest}`;
}

const DEEPEST = 5_000;
const TAG = /<(\/?)([a-z][a-z0-9-]*)(?:[^<>a-z0-9-][^<>]*)?>/gi;
/** They have no end, or need none. */
const ENDLESS = new Set(
  `area base br col embed hr img input link meta source track wbr p li dt dd tr td th thead tbody tfoot option optgroup
  colgroup rp rt html head body`.split(/\s+/),
);

/** The parser takes the square of the depth: what no page of people's has is not begun. */
function isTooDeep(html: string): boolean {
  let depth = 0;
  for (const [, closing, name] of html.matchAll(TAG)) {
    if (ENDLESS.has(name!.toLowerCase())) continue;
    depth = Math.max(0, depth + (closing === '' ? 1 : -1));
    if (depth > DEEPEST) return true;
  }
  return false;
}
