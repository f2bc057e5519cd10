const token =
  /[ \t\n\r]*(?:([{}[\],:])|("(?:[ !#-[\]-\uffff]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*")|(-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null))/y;

type Expectation = 'value' | 'first value' | 'key' | 'first key' | 'colon' | 'comma' | 'end';

/**
 * Where a malformed JSON text stops being JSON. The engine's own message names the place for some faults alone, and
 * quotes the text.
 */
export function jsonFaultPosition(text: string): number {
  const open: ('{' | '[')[] = [];
  let expected: Expectation = 'value';
  let at = 0;
  for (;;) {
    token.lastIndex = at;
    const match = token.exec(text);
    const start = skipSpace(text, at);
    if (!match) return start;
    const next = after(match[1] ?? (match[2] === undefined ? 'scalar' : 'string'), expected, open);
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

/** What may follow a symbol; null when the symbol itself does not belong here. */
function after(symbol: string, expected: Expectation, open: ('{' | '[')[]): Expectation | null {
  const wantsValue = expected === 'value' || expected === 'first value';
  const done = () => (open.length > 0 ? 'comma' : 'end');
  switch (symbol) {
    case '{':
    case '[':
      if (!wantsValue) return null;
      open.push(symbol);
      return symbol === '{' ? 'first key' : 'first value';
    case '}':
      return closes('{', expected === 'first key', expected, open) ? done() : null;
    case ']':
      return closes('[', expected === 'first value', expected, open) ? done() : null;
    case ':':
      return expected === 'colon' ? 'value' : null;
    case ',':
      if (expected !== 'comma') return null;
      return open.at(-1) === '{' ? 'key' : 'value';
    case 'string':
      if (expected === 'key' || expected === 'first key') return 'colon';
      return wantsValue ? done() : null;
    default:
      return wantsValue ? done() : null;
  }
}

function closes(bracket: '{' | '[', isEmpty: boolean, expected: Expectation, open: ('{' | '[')[]): boolean {
  if (open.at(-1) !== bracket || !(isEmpty || expected === 'comma')) return false;
  open.pop();
  return true;
}
