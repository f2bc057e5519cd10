import { decodeText } from '../../engine/text/decode.js';
import type { TextPage } from '../../engine/text/page.js';
import { TextLimit } from '../../engine/text/text-limit.js';
import { UnreadableError } from '../../engine/text/unreadable.js';

type Reader = (bytes: Buffer, onProgress: (done: number) => void) => Promise<TextPage[]>;

const OFFICE = 'application/vnd.openxmlformats-officedocument';

/** The readers by media type. Each loads its library on first use. */
const readers: Record<string, Reader> = {
  'application/pdf': async (bytes, onProgress) => (await import('./formats/pdf.js')).pdfPages(bytes, onProgress),
  [`${OFFICE}.wordprocessingml.document`]: async bytes => (await import('./formats/office.js')).docxPages(bytes),
  [`${OFFICE}.presentationml.presentation`]: async bytes => (await import('./formats/pptx.js')).pptxPages(bytes),
  'application/vnd.oasis.opendocument.text': async bytes => (await import('./formats/office.js')).odtPages(bytes),
  [`${OFFICE}.spreadsheetml.sheet`]: async bytes => (await import('./formats/xlsx.js')).xlsxPages(bytes),
  'text/html': async bytes => onePage((await import('./formats/html.js')).htmlText(textOf(bytes))),
  'text/plain': async bytes => onePage(textOf(bytes)),
  'text/markdown': async bytes => onePage(textOf(bytes)),
  'text/csv': async bytes => onePage(textOf(bytes)),
  'application/json': async bytes => onePage(textOf(bytes)),
  'image/png': async bytes => onePage(await (await import('./formats/image.js')).imageText(bytes)),
  'image/jpeg': async bytes => onePage(await (await import('./formats/image.js')).imageText(bytes)),
};

/** Returns the text of a document of this media type. `onProgress` is called with the completed fraction, 0 to 1. */
export async function readPages(
  bytes: Buffer,
  contentType: string,
  onProgress: (done: number) => void = () => {},
): Promise<TextPage[]> {
  const read = Object.hasOwn(readers, contentType) ? readers[contentType] : undefined;
  if (!read) {
    const message = `Files of the type ${contentType} cannot be read; pdf, docx, xlsx, pptx, odt, html, md, txt, csv, json, png and jpg can.`;
    throw new UnreadableError(message);
  }
  return read(bytes, onProgress);
}

function textOf(bytes: Buffer): string {
  const text = decodeText(bytes);
  if (text === null) throw new UnreadableError('The file is not text: it begins like text but contains binary data.');
  return text;
}

function onePage(text: string): TextPage[] {
  return [{ page: null, text: new TextLimit().addText(text) }];
}
