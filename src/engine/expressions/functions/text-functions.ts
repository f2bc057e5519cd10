import { type Evaluation, failure } from '../evaluation.js';
import { defineFunction } from './function-kind.js';
import { createMatcher } from './patterns.js';

/** Returns a part of a text without half of a surrogate pair, because an unpaired surrogate could not be stored. */
export function cut(text: string, from: number, to = text.length): string {
  const start = isInsidePair(text, from) ? from + 1 : from;
  const end = isInsidePair(text, to) ? to - 1 : to;
  return text.slice(start, Math.max(start, end));
}

function isInsidePair(text: string, at: number): boolean {
  if (at <= 0 || at >= text.length) return false;
  const before = text.charCodeAt(at - 1);
  return before >= 0xd800 && before <= 0xdbff;
}

/** Maximum number of matches that `match_all` returns. */
const MAX_MATCHES = 10_000;
const WORD = /[\p{L}\p{N}][\p{L}\p{N}\p{M}'’]*/gu;

function pad(evaluation: Evaluation, text: string, length: number, fill: string): string {
  if (fill === '') throw failure('the padding must not be empty');
  const size = Math.max(0, length - text.length);
  evaluation.chargeCreatedText(size);
  return cut(fill.repeat(Math.ceil(size / fill.length)), 0, size);
}

function replaceAll(evaluation: Evaluation, text: string, search: string, replacement: string): string {
  if (search === '') return text;
  const parts = text.split(search);
  evaluation.chargeCreatedText(text.length + (parts.length - 1) * replacement.length);
  return parts.join(replacement);
}

function splitText(evaluation: Evaluation, text: string, separator = ',', limit = Number.MAX_SAFE_INTEGER): string[] {
  evaluation.charge(text.length >> 5);
  const parts = separator === '' ? [...text] : text.split(separator);
  evaluation.charge(parts.length);
  return parts.slice(0, limit);
}

/** Functions of texts. They convert other values to text: maps and lists to JSON. */
export const textFunctions = [
  defineFunction('upper(text: text): text', 'Upper case.', [['upper("ada")', 'ADA']], (_, text: string) =>
    text.toUpperCase(),
  ),
  defineFunction('lower(text: text): text', 'Lower case.', [['lower("ADA")', 'ada']], (_, text: string) =>
    text.toLowerCase(),
  ),
  defineFunction(
    'title(text: text): text',
    'Each word with a capital letter, otherwise lower case.',
    [['title("ada LOVELACE")', 'Ada Lovelace']],
    (_, text: string) =>
      text.replace(WORD, word => {
        const [first = ''] = word;
        return first.toUpperCase() + word.slice(first.length).toLowerCase();
      }),
  ),
  defineFunction(
    'trim(text: text): text',
    'The text without surrounding white space.',
    [['trim("  a b ")', 'a b']],
    (_, text: string) => text.trim(),
  ),
  defineFunction(
    'truncate(text: text, length: count): text',
    'The first characters, up to the given number.',
    [['truncate("workflow", 4)', 'work']],
    (_, text: string, length: number) => (length >= text.length ? text : cut(text, 0, length)),
  ),
  defineFunction(
    'split(text: text, separator?: text, limit?: count): list',
    'The parts between the separators (default `,`), at most `limit`. An empty separator splits into characters.',
    [
      ['split("a,b,c")', ['a', 'b', 'c']],
      ['split("a b c", " ", 2)', ['a', 'b']],
    ],
    splitText,
  ),
  defineFunction(
    'lines(text: text): list',
    'The lines of the text without their line breaks.',
    [['lines("a\\nb")', ['a', 'b']]],
    (evaluation, text: string) => splitText(evaluation, text.replaceAll('\r\n', '\n'), '\n'),
  ),
  defineFunction(
    'replace(text: text, search: text, replacement: text): text',
    'The text with every occurrence of `search` replaced. An empty `search` changes nothing.',
    [['replace("a-b-c", "-", "+")', 'a+b+c']],
    replaceAll,
  ),
  defineFunction(
    'replace_match(text: text, pattern: text, replacement: text): text',
    'The text with every match of a regular expression in RE2 syntax replaced. `$1` in the replacement is the first group.',
    [['replace_match("a1b22", "[0-9]+", "#")', 'a#b#']],
    (evaluation, text: string, pattern: string, replacement: string) => {
      const found = createMatcher(evaluation, text, pattern);
      let matches = 0;
      while (found.find()) matches++;
      // A group in the replacement can be the whole text.
      evaluation.chargeCreatedText(
        text.length + matches * (replacement.length + text.length * (replacement.includes('$') ? 1 : 0)),
      );
      try {
        return found.reset().replaceAll(replacement);
      } catch {
        throw failure('the replacement refers to a group that the pattern does not have');
      }
    },
  ),
  defineFunction(
    'matches(text: text, pattern: text): boolean',
    'Whether the text contains a match of a regular expression in RE2 syntax.',
    [['matches("order 17", "[0-9]+")', true]],
    (evaluation, text: string, pattern: string) => createMatcher(evaluation, text, pattern).find(),
  ),
  defineFunction(
    'match(text: text, pattern: text, group?: count): any',
    'The first match of a regular expression in RE2 syntax, or of one of its groups (default 0, the whole match); null without a match.',
    [
      ['match("order 17", "[0-9]+")', '17'],
      ['match("a=1", "(.)=(.)", 2)', '1'],
      ['match("a", "b")', null],
    ],
    (evaluation, text: string, pattern: string, group = 0) => {
      const found = createMatcher(evaluation, text, pattern);
      if (group > found.groupCount()) throw failure(`the pattern of match has ${found.groupCount()} groups`);
      return found.find() ? found.group(group) : null;
    },
  ),
  defineFunction(
    'match_all(text: text, pattern: text, group?: count): list',
    'All matches of a regular expression in RE2 syntax, or of one of its groups, at most 10,000.',
    [['match_all("a1b22", "[0-9]+")', ['1', '22']]],
    (evaluation, text: string, pattern: string, group = 0) => {
      const found = createMatcher(evaluation, text, pattern);
      if (group > found.groupCount()) throw failure(`the pattern of match_all has ${found.groupCount()} groups`);
      const matches: unknown[] = [];
      while (matches.length < MAX_MATCHES && found.find()) {
        evaluation.charge(2);
        matches.push(found.group(group));
      }
      return matches;
    },
  ),
  defineFunction(
    'starts_with(text: text, start: text): boolean',
    'Whether the text starts with `start`.',
    [['starts_with("invoice 7", "invoice")', true]],
    (_, text: string, start: string) => text.startsWith(start),
  ),
  defineFunction(
    'ends_with(text: text, end: text): boolean',
    'Whether the text ends with `end`.',
    [['ends_with("a.pdf", ".pdf")', true]],
    (_, text: string, end: string) => text.endsWith(end),
  ),
  defineFunction(
    'index_of(text: text, search: text): number',
    'The position of the first occurrence from 0; -1 if there is none.',
    [['index_of("a-b", "-")', 1]],
    (_, text: string, search: string) => text.indexOf(search),
  ),
  defineFunction(
    'pad_start(text: text, length: count, fill?: text): text',
    'The text with `fill` (default a space) in front, up to the given length.',
    [['pad_start(7, 3, "0")', '007']],
    (evaluation, text: string, length: number, fill = ' ') => pad(evaluation, text, length, fill) + text,
  ),
  defineFunction(
    'pad_end(text: text, length: count, fill?: text): text',
    'The text with `fill` (default a space) behind it, up to the given length.',
    [['pad_end("a", 3, ".")', 'a..']],
    (evaluation, text: string, length: number, fill = ' ') => text + pad(evaluation, text, length, fill),
  ),
  defineFunction(
    'repeat(text: text, times: count): text',
    'The text repeated.',
    [['repeat("ab", 3)', 'ababab']],
    (evaluation, text: string, times: number) => {
      evaluation.chargeCreatedText(text.length * times);
      return text === '' ? '' : text.repeat(times);
    },
  ),
];
