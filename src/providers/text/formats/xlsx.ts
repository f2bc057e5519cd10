import { zipSync } from 'fflate';
import readXlsx from 'read-excel-file/universal';
import type { TextPage } from '../../../engine/text/page.js';
import { Zip } from '../zip.js';
import { xmlOf } from './office.js';

/** Every sheet as a page: a line for each row, its cells apart by tabs. */
export async function xlsxPages(bytes: Buffer): Promise<TextPage[]> {
  const sheets = await readXlsx(new Blob([checked(bytes)]));
  return sheets.map(({ sheet, data }, index) => {
    const rows = data.map(row => row.map(cellText).join('\t').trimEnd()).filter(row => row.trim() !== '');
    return { page: index + 1, text: [sheet, ...rows].join('\n') };
  });
}

/** Packed anew of what was checked, so that the reader finds nothing in it that the check did not see. */
function checked(bytes: Buffer): Uint8Array<ArrayBuffer> {
  const zip = new Zip(bytes);
  const encoder = new TextEncoder();
  const names = zip.names.filter(name => /\.(xml|rels)$/.test(name));
  return zipSync(Object.fromEntries(names.map(name => [name, encoder.encode(xmlOf(zip, name))])), { level: 0 });
}

function cellText(cell: unknown): string {
  if (cell === null || cell === undefined) return '';
  if (cell instanceof Date) return cell.toISOString().replace(/T00:00:00\.000Z$/, '');
  return String(cell);
}
