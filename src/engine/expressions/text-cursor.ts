/** The text at the cursor is not an expression. It is thrown often and needs no stack. */
export class SyntaxFault {
  constructor(readonly detail: string) {}
}

const MAX_QUOTED = 1000;
const SPACE = /\s+/y;
const ESCAPES: ReadonlyMap<string, string> = new Map([
  ['n', '\n'],
  ['t', '\t'],
  ['r', '\r'],
]);

/** A cursor in a text that only moves forward. */
export class TextCursor {
  constructor(
    protected readonly text: string,
    public at: number,
  ) {}

  /** Matches a sticky pattern at the cursor and moves the cursor behind the match; empty: no match. */
  match(pattern: RegExp): string {
    const matched = this.peek(pattern);
    this.at += matched.length;
    return matched;
  }

  /** Returns the match of a sticky pattern at the cursor; empty: none. */
  peek(pattern: RegExp): string {
    pattern.lastIndex = this.at;
    return pattern.exec(this.text)?.[0] ?? '';
  }

  skipSpace(): void {
    this.match(SPACE);
  }

  /** Skips white space and the given text. Returns false if other text follows. */
  take(expected: string): boolean {
    this.skipSpace();
    if (!this.text.startsWith(expected, this.at)) return false;
    this.at += expected.length;
    return true;
  }

  expect(expected: string, detail = `expected ${JSON.stringify(expected)}`): void {
    if (!this.take(expected)) throw new SyntaxFault(detail);
  }

  /** Reads a quoted text at the cursor. Throws a SyntaxFault if it is not closed. */
  quoted(): string {
    const quote = this.text.charAt(this.at);
    const limit = this.at + MAX_QUOTED;
    let value = '';
    for (this.at++; this.at < limit; this.at++) {
      const character = this.text.charAt(this.at);
      if (character === quote) {
        this.at++;
        return value;
      }
      if (character === '\\') {
        this.at++;
        const escaped = this.text.charAt(this.at);
        value += ESCAPES.get(escaped) ?? escaped;
      } else value += character;
    }
    throw new SyntaxFault(`a quoted text must be closed and have at most ${MAX_QUOTED - 2} characters`);
  }
}
