import type { TextLimit } from '../../../engine/text/text-limit.js';
import { decodeEntities } from '../../../engine/text/xml-text.js';
import { xmlTokens } from '../../../engine/text/xml-tokens.js';
import type { Zip } from '../zip.js';
import { xmlOf } from './office.js';

const STRINGS = 'xl/sharedStrings.xml';

/**
 * Counts the characters of all cells without building the texts. In a small file, a few shared texts can fill a million cells each. A
 * date counts as its stored number. Throws an UnreadableError above the limit.
 */
export function countCellTexts(zip: Zip, limit: TextLimit): void {
  const shared = zip.names.includes(STRINGS) ? sharedLengths(xmlOf(zip, STRINGS)) : [];
  for (const name of zip.names)
    if (/^xl\/worksheets\/[^/]+\.xml$/.test(name))
      for (const length of cellLengths(xmlOf(zip, name), shared)) limit.count(length);
}

/** Length of each shared text (`si`): its runs without phonetic guides (ECMA-376 part 1, 18.4). */
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

/** Length of each cell value: the index of a shared text, a number, or an inline text (ECMA-376 part 1, 18.3.1.4). */
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

/** A number counts with its displayed length, which does not depend on the stored digits. */
function lengthOfValue(text: string): number {
  const number = Number(text);
  return Number.isFinite(number) ? String(number).length : decodeEntities(text).length;
}
