import { convert } from 'html-to-text';

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

/** Where pages say themselves that their matter is, the narrowest first. */
const MATTER = ['main article', 'article', 'main', '[role=main]', '#content', 'body'];
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
  const title = /<title[^>]*>([^<]{1,500})/i.exec(html)?.[1] ?? '';
  const selectors = [...READABLE, ...AROUND.map(selector => ({ selector, format: 'skip' }))];
  let longest = '';
  for (const matter of MATTER) {
    const baseElements = { selectors: [matter], returnDomByDefault: matter === 'body' };
    const text = convert(html, { wordwrap: false, limits: LIMITS, selectors, baseElements });
    if (text.length > longest.length) longest = text;
    if (longest.length >= ENOUGH) break;
  }
  return `${htmlText(title)}\n\n${longest.trim() === '' ? htmlText(html) : longest}`;
}
