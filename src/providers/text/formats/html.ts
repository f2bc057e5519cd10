import { convert } from 'html-to-text';

/** What a reader sees: no scripts, no addresses of links, no pictures. */
export function htmlText(html: string): string {
  return convert(html, {
    wordwrap: false,
    limits: { maxInputLength: 64 * 1024 * 1024, maxDepth: 500 },
    selectors: [
      { selector: 'a', options: { ignoreHref: true } },
      { selector: 'img', format: 'skip' },
      ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map(selector => ({ selector, options: { uppercase: false } })),
      { selector: 'table', format: 'dataTable', options: { uppercaseHeaderCells: false } },
    ],
  });
}
