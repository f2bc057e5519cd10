import type { TextLimit } from '../../../engine/text/text-limit.js';
import { decodeEntities } from '../../../engine/text/xml-text.js';
import { xmlTokens } from '../../../engine/text/xml-tokens.js';
import type { Zip } from '../zip.js';
import { xmlOf } from './office.js';

const STRINGS = 'xl/sharedStrings.xml';

/**
 * Counts the characters of all cells without building the texts. In a small file, a few shared texts can fill a million cells each. A
 * date counts as its stored number. Parts outside their usual folders are not counted: this check only refuses early, and the texts
 * that are read count again. Throws an UnreadableError above the limit.
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
  let isText = false;
  let isGuide = false;
  for (const token of xmlTokens(xml)) {
    if (token.kind === 'tag') {
      const name = localName(token.element);
      const isOpening = !token.isClosing && !token.isSelfClosing;
      if (name === 't') isText = isOpening;
      if (name === 'rPh') isGuide = isOpening;
      if (name === 'si' && !token.isClosing) lengths.push(0);
    } else if (isText && !isGuide && lengths.length > 0)
      lengths[lengths.length - 1]! += decodeEntities(token.text).length;
  }
  return lengths;
}

/** Length of each cell value: the index of a shared text, a number, or an inline text (ECMA-376 part 1, 18.3.1.4). */
function* cellLengths(xml: string, shared: readonly number[]): Generator<number> {
  for (const { element, isShared, text } of cellValues(xml)) {
    if (element === 't') yield text.length;
    else yield isShared ? (shared[Number(text)] ?? 0) : lengthOfValue(text);
  }
}

interface CellValue {
  element: string;
  /** Whether the cell has a shared text. */
  isShared: boolean;
  text: string;
}

/** The content of each element `v` or `t`. Comments divide a text into several tokens. */
function* cellValues(xml: string): Generator<CellValue> {
  let element = '';
  let isShared = false;
  let text = '';
  for (const token of xmlTokens(xml)) {
    if (token.kind === 'text') {
      text += decodeEntities(token.text);
      continue;
    }
    const name = localName(token.element);
    if (name === 'c' && !token.isClosing) isShared = /\bt\s*=\s*["']s["']/.test(decodeEntities(token.attributes));
    if (name !== 'v' && name !== 't') continue;
    if (element !== '') yield { element, isShared, text };
    element = token.isClosing || token.isSelfClosing ? '' : name;
    text = '';
  }
}

/** The name of an element without its prefix. The parser of spreadsheets ignores prefixes, too. */
function localName(element: string): string {
  return element.slice(element.indexOf(':') + 1);
}

/** A number counts with its displayed length, which does not depend on the stored digits. */
function lengthOfValue(text: string): number {
  const number = Number(text);
  return text !== '' && Number.isFinite(number) ? String(number).length : text.length;
}
