import { RestFault } from './errors.js';
import { jsonFaultPosition } from './input/json-fault-position.js';

/** Parses JSON. @throws RestFault with the position of a syntax error, without the text, which may contain secrets. */
export function parseJson(text: string, maxDepth: number): unknown {
  if (isNestedDeeperThan(text, maxDepth)) throw depthFault(maxDepth);
  try {
    return JSON.parse(text);
  } catch {
    const at = jsonFaultPosition(text);
    const what = at >= text.length ? 'unexpected end of the text' : 'unexpected character';
    throw new RestFault('PARSE_ERROR', `JSON parse error - ${what} at ${positionText(text, at)}.`);
  }
}

/** Parses a text that is a JSON object; null for any other text. @throws RestFault when a text in braces nests too deep. */
export function parseJsonObject(text: string, maxDepth: number): Record<string, unknown> | null {
  const trimmed = text.trim();
  if (!trimmed.startsWith('{') || !trimmed.endsWith('}')) return null;
  if (isNestedDeeperThan(text, maxDepth)) throw depthFault(maxDepth);
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    return null;
  }
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The reason why PostgreSQL cannot store a value: a NUL character, a lone surrogate or an infinite number; null without one. */
export function storageFault(value: unknown): string | null {
  if (typeof value === 'string') return textFault(value);
  if (typeof value === 'number') return Number.isFinite(value) ? null : 'Numbers must be finite.';
  if (typeof value !== 'object' || value === null) return null;
  for (const [key, member] of Object.entries(value)) {
    const fault = textFault(key) ?? storageFault(member);
    if (fault !== null) return fault;
  }
  return null;
}

function textFault(text: string): string | null {
  if (text.includes('\0')) return 'Null characters are not allowed.';
  return text.isWellFormed() ? null : 'Lone surrogate characters are not allowed.';
}

/** To be called before parsing, because parsing millions of nested arrays would block the event loop. */
function isNestedDeeperThan(text: string, maxDepth: number): boolean {
  if (!hasMoreBracketsThan(text, maxDepth)) return false;
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const symbol = text[at];
    if (symbol === '"') at = endOfString(text, at);
    else if (symbol === '{' || symbol === '[') depth++;
    else if (symbol === '}' || symbol === ']') depth--;
    if (depth > maxDepth) return true;
  }
  return false;
}

/** Whether a text has more than `max` opening brackets. A fast check that accepts most texts. */
function hasMoreBracketsThan(text: string, max: number): boolean {
  let count = 0;
  for (const bracket of '{[') {
    for (let at = text.indexOf(bracket); at >= 0; at = text.indexOf(bracket, at + 1)) if (++count > max) return true;
  }
  return false;
}

/** The index of the quote that ends a string: the first one after an even number of backslashes. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let before = end - 1;
    while (text[before] === '\\') before--;
    if ((end - before) % 2 === 1) return end;
  }
  return text.length;
}

function depthFault(maxDepth: number): RestFault {
  return new RestFault('PARSE_ERROR', `JSON parse error - nested deeper than ${maxDepth} levels.`);
}

function positionText(text: string, at: number): string {
  const before = text.slice(0, at).split('\n');
  return `line ${before.length} column ${(before.at(-1)?.length ?? 0) + 1} (char ${at})`;
}
