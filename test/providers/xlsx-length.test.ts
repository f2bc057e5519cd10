import { describe, expect, it } from '@jest/globals';
import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate';
import { TextLimit } from '../../src/engine/text/text-limit.js';
import { xlsxPages } from '../../src/providers/text/formats/xlsx.js';
import { countCellTexts } from '../../src/providers/text/formats/xlsx-length.js';
import { Zip } from '../../src/providers/text/zip.js';
import { xlsx } from '../support/sample-documents.js';

const SHEET = 'xl/worksheets/sheet1.xml';

/** Returns a spreadsheet with changed parts, by name. */
function changed(content: Buffer, change: (name: string, xml: string) => [name: string, xml: string]): Buffer {
  const parts = Object.entries(unzipSync(content)).map(([name, bytes]) => {
    const [newName, xml] = change(name, strFromU8(bytes));
    return [newName, strToU8(xml)] as const;
  });
  return Buffer.from(zipSync(Object.fromEntries(parts)));
}

describe('the text of a spreadsheet', () => {
  it('is measured before it is built, with numbers as they are displayed', () => {
    // 4 + 3 + 7 characters.
    const zip = new Zip(xlsx([['word', 2.5, 1234567]]));
    expect(() => countCellTexts(zip, new TextLimit(14))).not.toThrow();
    expect(() => countCellTexts(zip, new TextLimit(13))).toThrow('more than 13 characters of text');
    expect(() => countCellTexts(new Zip(xlsx([[1, 2, 3, 4, 5]])), new TextLimit(4))).toThrow('more than 4');
  });

  it.each<[string, (xml: string) => string]>([
    ['with an entity in the index', xml => xml.replace('<v>1</v>', '<v>&#49;</v>')],
    ['with a comment in the index', xml => xml.replace('<v>1</v>', '<v>0<!-- -->1</v>')],
    ['with an element before the index', xml => xml.replace('<v>1</v>', '<v><x/>1</v>')],
    ['with an entity in the type of the cell', xml => xml.replace('t="s"', 't="&#115;"')],
    ['with a prefix of all elements', xml => xml.replaceAll(/<(\/?)(?=[a-z])/gi, '<$1x:')],
  ])('is measured %s', (_title, change) => {
    const content = xlsx([[{ shared: 1 }]], ['ab', 'a long text']);
    const zip = new Zip(changed(content, (name, xml) => [name, name === SHEET ? change(xml) : xml]));
    expect(() => countCellTexts(zip, new TextLimit(11))).not.toThrow();
    expect(() => countCellTexts(zip, new TextLimit(10))).toThrow('more than 10 characters of text');
  });

  it('is limited, too, if the sheet is in another folder', async () => {
    // 30 rows of 26 columns: 23.4 million characters.
    const rows = Array.from({ length: 30 }, () => Array.from({ length: 26 }, () => ({ shared: 0 })));
    const content = xlsx(rows, ['x'.repeat(30_000)]);
    const moved = changed(content, (name, xml) => [
      name.replace('worksheets', 'elsewhere'),
      xml.replaceAll('worksheets/sheet1', 'elsewhere/sheet1'),
    ]);
    expect(() => countCellTexts(new Zip(moved), new TextLimit(0))).not.toThrow();
    await expect(xlsxPages(moved)).rejects.toThrow('more than 20,000,000 characters of text');
  });
});
