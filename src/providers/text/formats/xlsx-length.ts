import type { TextLimit } from '../../../engine/text/text-limit.js';
import { decodeEntities } from '../../../engine/text/xml-text.js';
import { xmlTokens } from '../../../engine/text/xml-tokens.js';
import type { Zip } from '../zip.js';
import { xmlOf } from './office.js';

const STRINGS = 'xl/sharedStrings.xml';

/**
 * Counts the texts of all cells without building them. A few shared texts can stand in a million cells each, so that a
 * small file holds an endless text. A date counts as the number that it is stored as. Throws an UnreadableError past the limit.
 */
export function countCellTexts(zip: Zip, limit: TextLimit): void {
  const shared = zip.names.includes(STRINGS) ? sharedLengths(xmlOf(zip, STRINGS)) : [];
  for (const name of zip.names)
    if (/^xl\/worksheets\/[^/]+\.xml$/.test(name))
      for (const length of cellLengths(xmlOf(zip, name), shared)) limit.count(length);
}

/** Length of each shared text (`si`), of all its runs without their phonetic guides (ECMA-376 part 1, 18.4). */
function sharedLengths(xml: string): number[] {
  const lengths: number[] = [];
  let element = '';
  let isGuide = false;
  for (const token of xmlTokens(xml)) {
    if (token.kind === 'tag') {
      element = token.isClosing || token.isSelfClosing ? '' : token.element;
      if (token.element === 'rPh') isGuide = !token.isClosing && !token.isSelfClosing;
      if (token.element === 'si' && !token.isClosing) lengths.push(0);
    } else if (element === 't' && !isGuide && lengths.length > 0)
      lengths[lengths.length - 1]! += decodeEntities(token.text).length;
  }
  return lengths;
}

/** Length of the value of each cell: a shared text by its number, a number, or a text of its own (18.3.1.4). */
function* cellLengths(xml: string, shared: readonly number[]): Generator<number> {
  let element = '';
  let isShared = false;
  for (const token of xmlTokens(xml)) {
    if (token.kind === 'tag') {
      element = token.isClosing || token.isSelfClosing ? '' : token.element;
      if (element === 'c') isShared = /\bt\s*=\s*["']s["']/.test(token.attributes);
    } else if (element === 'v') yield isShared ? (shared[Number(token.text)] ?? 0) : lengthOfValue(token.text);
    else if (element === 't') yield decodeEntities(token.text).length;
  }
}

/** Of a number as it is shown, which does not depend on how many digits it is stored with. */
function lengthOfValue(text: string): number {
  const number = Number(text);
  return Number.isFinite(number) ? String(number).length : decodeEntities(text).length;
}
