/** The next token after white space: group 1 is punctuation, group 2 a string, group 3 a number or literal. Sticky, so `lastIndex` is the start. */
const token =
  /[ \t\n\r]*(?:([{}[\],:])|("(?:[ !#-[\]-\uffff]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*")|(-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null))/y;

type Bracket = '{' | '[';
type Expectation = 'value' | 'first value' | 'key' | 'first key' | 'colon' | 'comma' | 'end';

/**
 * The character index, from 0, at which a malformed JSON text becomes invalid. The message of `JSON.parse` has the position
 * only for some errors, and quotes the text.
 */
export function jsonFaultPosition(text: string): number {
  const open: Bracket[] = [];
  let expected: Expectation = 'value';
  let at = 0;
  for (;;) {
    token.lastIndex = at;
    const match = token.exec(text);
    const start = skipSpace(text, at);
    if (!match) return start;
    const next = nextExpectation(match[1] ?? (match[2] === undefined ? 'scalar' : 'string'), expected, open);
    if (next === null) return start;
    expected = next;
    at = token.lastIndex;
  }
}

function skipSpace(text: string, at: number): number {
  let start = at;
  while (start < text.length && ' \t\n\r'.includes(text.charAt(start))) start++;
  return start;
}

/** The next expected token after a symbol; null when the symbol itself is unexpected. */
function nextExpectation(symbol: string, expected: Expectation, open: Bracket[]): Expectation | null {
  switch (symbol) {
    case '{':
    case '[':
      return afterOpening(symbol, expected, open);
    case '}':
    case ']':
      return closeBracket(symbol, expected, open) ? afterValue(open) : null;
    case ':':
      return expected === 'colon' ? 'value' : null;
    case ',':
      return expected === 'comma' ? afterComma(open) : null;
    default:
      return symbol === 'string' && isKey(expected) ? 'colon' : afterScalar(expected, open);
  }
}

function afterOpening(bracket: Bracket, expected: Expectation, open: Bracket[]): Expectation | null {
  if (!isValue(expected)) return null;
  open.push(bracket);
  return bracket === '{' ? 'first key' : 'first value';
}

function afterComma(open: readonly Bracket[]): Expectation {
  return open.at(-1) === '{' ? 'key' : 'value';
}

function afterScalar(expected: Expectation, open: readonly Bracket[]): Expectation | null {
  return isValue(expected) ? afterValue(open) : null;
}

function afterValue(open: readonly Bracket[]): Expectation {
  return open.length > 0 ? 'comma' : 'end';
}

function isValue(expected: Expectation): boolean {
  return expected === 'value' || expected === 'first value';
}

function isKey(expected: Expectation): boolean {
  return expected === 'key' || expected === 'first key';
}

function closeBracket(symbol: '}' | ']', expected: Expectation, open: Bracket[]): boolean {
  const [bracket, first] = symbol === '}' ? (['{', 'first key'] as const) : (['[', 'first value'] as const);
  if (open.at(-1) !== bracket || (expected !== first && expected !== 'comma')) return false;
  open.pop();
  return true;
}
