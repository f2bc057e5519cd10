import { describe, expect, it } from '@jest/globals';
import { TextLimit } from '../../src/engine/text/text-limit.js';
import { countCellTexts } from '../../src/providers/text/formats/xlsx-length.js';
import { Zip } from '../../src/providers/text/zip.js';
import { xlsx } from '../support/sample-documents.js';

describe('the text of a spreadsheet', () => {
  it('is measured before it is built, with numbers as they are displayed', () => {
    // 4 + 3 + 7 characters.
    const zip = new Zip(xlsx([['word', 2.5, 1234567]]));
    expect(() => countCellTexts(zip, new TextLimit(14))).not.toThrow();
    expect(() => countCellTexts(zip, new TextLimit(13))).toThrow('more than 13 characters of text');
    expect(() => countCellTexts(new Zip(xlsx([[1, 2, 3, 4, 5]])), new TextLimit(4))).toThrow('more than 4');
  });
});
