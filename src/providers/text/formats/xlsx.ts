import { zipSync } from 'fflate';
import readXlsx from 'read-excel-file/universal';
import type { TextPage } from '../../../engine/text/page.js';
import { TextLimit } from '../../../engine/text/text-limit.js';
import { Zip } from '../zip.js';
import { xmlOf } from './office.js';
import { countCellTexts } from './xlsx-length.js';

/** Returns each sheet as a page, with one line per row and cells separated by tabs. */
export async function xlsxPages(bytes: Buffer): Promise<TextPage[]> {
  const sheets = await readXlsx(new Blob([repack(bytes)]));
  const limit = new TextLimit();
  return sheets.map(({ sheet, data }, index) => {
    const lines = [limit.addText(sheet)];
    for (const row of data) {
      const cells = row.map(cellText);
      const used = cells.slice(0, cells.findLastIndex(text => text.trim() !== '') + 1);
      if (used.length === 0) continue;
      // Counted before they are joined: a few shared texts can fill all cells of a row.
      for (const text of used) limit.count(text.length + 1);
      lines.push(used.join('\t').trimEnd());
    }
    return { page: index + 1, text: lines.join('\n') };
  });
}

/** Creates a new archive from the checked parts, so that the parser reads exactly the content that was checked. */
function repack(bytes: Buffer): Uint8Array<ArrayBuffer> {
  const zip = new Zip(bytes);
  const encoder = new TextEncoder();
  const names = zip.names.filter(name => /\.(xml|rels)$/.test(name));
  // The parser builds all sheets before it returns, so the length is checked first.
  countCellTexts(zip, new TextLimit());
  return zipSync(Object.fromEntries(names.map(name => [name, encoder.encode(xmlOf(zip, name))])), { level: 0 });
}

function cellText(cell: unknown): string {
  if (cell === null || cell === undefined) return '';
  if (cell instanceof Date) return cell.toISOString().replace(/T00:00:00\.000Z$/, '');
  return String(cell);
}
