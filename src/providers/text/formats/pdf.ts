import { getDocumentProxy } from 'unpdf';
import type { TextPage } from '../../../engine/text/page.js';
import { TextLimit } from '../../../engine/text/text-limit.js';
import { UnreadableError } from '../../../engine/text/unreadable.js';

const MAX_PAGES = 20_000;

/** Returns the text of a PDF by page. `onProgress` is called with the completed fraction, 0 to 1. Throws an UnreadableError. */
export async function pdfPages(bytes: Buffer, onProgress: (done: number) => void): Promise<TextPage[]> {
  const document = await getDocumentProxy(new Uint8Array(bytes), { verbosity: 0 }).catch((error: { name?: string }) => {
    throw new UnreadableError(
      error.name === 'PasswordException'
        ? 'The file is protected by a password.'
        : 'The file is damaged: it cannot be read as a PDF.',
    );
  });
  if (document.numPages > MAX_PAGES) throw new UnreadableError('The document has more than 20,000 pages.');
  const limit = new TextLimit();
  const pages: TextPage[] = [];
  for (let number = 1; number <= document.numPages; number++) {
    const page = await document.getPage(number);
    const { items } = await page.getTextContent();
    const text = items.map(item => ('str' in item ? item.str + (item.hasEOL ? '\n' : '') : '')).join('');
    // Above the limit `addText` throws, so that no further page is read.
    pages.push({ page: number, text: limit.addText(text) });
    page.cleanup();
    onProgress(number / document.numPages);
  }
  return pages;
}
