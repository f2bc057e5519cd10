import type { BinaryOperator, Call, Expression, Lambda, LogicalOperator, TemplateProblem } from './expression.js';
import { CONSTANTS, MAX_FILTERS, MAX_SEGMENTS, SEGMENT } from './grammar.js';
import { parseReference, unknownReference } from './references.js';
import { SyntaxFault, TextCursor } from './text-cursor.js';

/** Maximum number of parts of one expression, which also bounds the recursion over it. */
const MAX_PARTS = 400;
/** Maximum length of an expression. It bounds the cost of a text with many malformed ones. */
const MAX_LENGTH = 10_000;
/** Maximum nesting of parentheses, lists, maps, calls and prefix operators. */
const MAX_NESTING = 32;

const IDENTIFIER = /[A-Za-z_]\w*/y;
const NUMBER = /\d+(?:\.\d+)?/y;
const NUMBER_CONTINUES = /[\w.]/y;
const OPERATOR = /==|!=|<=|>=|\?\?|[<>+\-*/%]|(?:and|or|in)(?!\w)/y;
const FOREIGN_OPERATOR = /&&?|\|\||!|=/y;
const ARROW = /[A-Za-z_]\w*\s*=>/y;
const PAIR_ARROW = /\(\s*[A-Za-z_]\w*\s*(?:,\s*[A-Za-z_]\w*\s*)?\)\s*=>/y;

const PRECEDENCE: ReadonlyMap<string, number> = new Map<BinaryOperator | LogicalOperator, number>([
  ['or', 1],
  ['and', 2],
  ...(['==', '!=', '<', '<=', '>', '>=', 'in'] as const).map(operator => [operator, 4] as const),
  ['??', 5],
  ['+', 6],
  ['-', 6],
  ['*', 7],
  ['/', 7],
  ['%', 7],
]);
/** The operand of `not` is a comparison, so `not` binds tighter than `and`. */
const COMPARISON = 4;

const RESERVED: ReadonlySet<string> = new Set([...CONSTANTS.keys(), 'and', 'or', 'in', 'not']);
/** The usual spelling of other languages, and the spelling here. */
const SPELLINGS: ReadonlyMap<string, string> = new Map([
  ['&', 'and'],
  ['&&', 'and'],
  ['||', 'or'],
  ['!', 'not'],
  ['=', '=='],
]);

/** Reads one expression from a placeholder. The cursor starts at 0 and only moves forward, so hostile text takes linear time. */
export class ExpressionParser extends TextCursor {
  /** References that do not exist. */
  readonly problems: TemplateProblem[] = [];
  readonly #parameters: string[] = [];
  #parts = 0;
  #nesting = 0;

  constructor(text: string, at: number) {
    super(text.slice(at, at + MAX_LENGTH), 0);
  }

  /** Reads up to and including `}}`. Throws a SyntaxFault. */
  read(): Expression {
    const expression = this.#pipeline(true);
    this.skipSpace();
    if (!this.text.startsWith('}}', this.at)) throw new SyntaxFault(this.#unexpected());
    this.at += 2;
    return expression;
  }

  #unexpected(): string {
    const spelling = SPELLINGS.get(this.peek(FOREIGN_OPERATOR));
    return spelling === undefined ? 'operators need white space around them' : `use ${spelling}`;
  }

  /** Reads an expression and its filters. `isOuter`: not in brackets, where a comma would end an item or argument. */
  #pipeline(isOuter: boolean): Expression {
    let value = this.#expression();
    for (let filters = 0; this.take('|'); filters++) {
      this.skipSpace();
      const name = this.match(IDENTIFIER);
      if (name === '' || filters >= MAX_FILTERS) {
        throw new SyntaxFault(
          this.text[this.at] === '|' ? 'use or' : `expected at most ${MAX_FILTERS} names of filters`,
        );
      }
      value = this.#part({ kind: 'call', name, args: [value, ...this.#filterArguments(isOuter)], isFilter: true });
    }
    return value;
  }

  #filterArguments(isOuter: boolean): (Expression | Lambda)[] {
    this.skipSpace();
    if (this.text[this.at] === '(') return this.#arguments();
    if (!this.take(':')) return [];
    const args: (Expression | Lambda)[] = [];
    do args.push(this.#argument(false));
    while (isOuter && this.take(','));
    return args;
  }

  #arguments(): (Expression | Lambda)[] {
    const args: (Expression | Lambda)[] = [];
    this.#nested('(', ')', () => args.push(this.#argument(true)));
    return args;
  }

  /** `isEnclosed`: inside parentheses, where a filter belongs to the argument. */
  #argument(isEnclosed: boolean): Expression | Lambda {
    this.skipSpace();
    if (this.peek(ARROW) === '' && this.peek(PAIR_ARROW) === '') {
      return isEnclosed ? this.#pipeline(false) : this.#expression();
    }
    const parameters: string[] = [];
    this.take('(');
    do {
      this.skipSpace();
      const name = this.match(IDENTIFIER);
      if (RESERVED.has(name)) throw new SyntaxFault(`a parameter must not have the name ${name}`);
      parameters.push(name);
    } while (this.take(','));
    this.take(')');
    this.expect('=>');
    this.#parameters.push(...parameters);
    const body = isEnclosed ? this.#pipeline(false) : this.#expression();
    this.#parameters.length -= parameters.length;
    return { kind: 'lambda', parameters, body };
  }

  #expression(): Expression {
    if (++this.#nesting > MAX_NESTING) throw new SyntaxFault(`must be nested at most ${MAX_NESTING} deep`);
    const test = this.#binary(0);
    this.skipSpace();
    if (!this.take('?')) {
      this.#nesting--;
      return test;
    }
    const yes = this.#expression();
    this.expect(':', 'expected ":" and the value if the condition is false');
    const no = this.#expression();
    this.#nesting--;
    return this.#part({ kind: 'choice', test, yes, no });
  }

  #binary(min: number): Expression {
    let left = this.#prefixed();
    for (;;) {
      this.skipSpace();
      const operator = this.peek(OPERATOR);
      const precedence = PRECEDENCE.get(operator) ?? -1;
      if (precedence < min) return left;
      this.at += operator.length;
      const right = this.#binary(precedence + 1);
      left = this.#part(
        operator === 'and' || operator === 'or' || operator === '??'
          ? { kind: 'logical', operator, left, right }
          : { kind: 'binary', operator: operator as BinaryOperator, left, right },
      );
    }
  }

  #prefixed(): Expression {
    this.skipSpace();
    const start = this.at;
    if (this.match(IDENTIFIER) === 'not') return this.#prefix('not', () => this.#binary(COMPARISON));
    this.at = start;
    if (!this.take('-')) return this.#postfixed();
    const isNumber = this.peek(NUMBER) !== '';
    if (isNumber) return { kind: 'literal', value: -this.#number() };
    return this.#prefix('negate', () => this.#prefixed());
  }

  #prefix(kind: 'not' | 'negate', operand: () => Expression): Expression {
    if (++this.#nesting > MAX_NESTING) throw new SyntaxFault(`must be nested at most ${MAX_NESTING} deep`);
    const of = operand();
    this.#nesting--;
    return this.#part({ kind, of });
  }

  #postfixed(): Expression {
    let value = this.#primary();
    for (let keys = 0; ; keys++) {
      this.skipSpace();
      const sign = this.text[this.at];
      if (sign !== '.' && sign !== '[') return value;
      if (keys >= MAX_SEGMENTS) throw new SyntaxFault(`a path has at most ${MAX_SEGMENTS} names`);
      value = this.#part({ kind: 'member', of: value, key: this.#key() });
    }
  }

  #key(): Expression {
    if (this.take('.')) return { kind: 'literal', value: this.#segment() };
    this.expect('[');
    const key = this.#pipeline(false);
    this.expect(']');
    return key;
  }

  #segment(): string {
    this.skipSpace();
    const segment = this.match(SEGMENT);
    if (segment === '') throw new SyntaxFault('expected a name');
    return segment;
  }

  #primary(): Expression {
    const sign = this.text[this.at] ?? '';
    if (sign >= '0' && sign <= '9') return this.#part({ kind: 'literal', value: this.#number() });
    switch (sign) {
      case '"':
      case "'":
        return this.#part({ kind: 'literal', value: this.quoted() });
      case '(':
        return this.#enclosed();
      case '[':
        return this.#list();
      case '{':
        return this.#map();
      default:
        return this.#named();
    }
  }

  #named(): Expression {
    const name = this.match(IDENTIFIER);
    const constant = CONSTANTS.get(name);
    if (constant !== undefined) return this.#part({ kind: 'literal', value: constant });
    if (name === '') throw new SyntaxFault(this.#unexpected());
    if (RESERVED.has(name)) throw new SyntaxFault(`unexpected ${name}`);
    this.skipSpace();
    if (this.text[this.at] === '(') return this.#part({ kind: 'call', name, args: this.#arguments(), isFilter: false });
    if (this.#parameters.includes(name)) return this.#part({ kind: 'parameter', name });
    return this.#reference(name);
  }

  #number(): number {
    const value = Number(this.match(NUMBER));
    if (this.peek(NUMBER_CONTINUES) !== '') throw new SyntaxFault('a number has digits, and optionally "." and digits');
    return value;
  }

  #enclosed(): Expression {
    const values: Expression[] = [];
    this.#nested('(', ')', () => values.push(this.#pipeline(false)));
    const [value, another] = values;
    if (!value || another) throw new SyntaxFault('parentheses take one expression');
    return value;
  }

  #list(): Expression {
    const items: Expression[] = [];
    this.#nested('[', ']', () => items.push(this.#pipeline(false)));
    return this.#part({ kind: 'list', items });
  }

  #map(): Expression {
    const entries: [string, Expression][] = [];
    this.#nested('{', '}', () => {
      this.skipSpace();
      const sign = this.text[this.at];
      const key = sign === '"' || sign === "'" ? this.quoted() : this.match(IDENTIFIER);
      if (key === '' && sign !== '"' && sign !== "'") throw new SyntaxFault('expected the name of a member');
      this.expect(':');
      entries.push([key, this.#pipeline(false)]);
    });
    return this.#part({ kind: 'map', entries });
  }

  /** Reads items between brackets, separated by commas. */
  #nested(open: string, close: string, readItem: () => void): void {
    if (++this.#nesting > MAX_NESTING) throw new SyntaxFault(`must be nested at most ${MAX_NESTING} deep`);
    this.expect(open);
    if (!this.take(close)) {
      do readItem();
      while (this.take(','));
      this.expect(close);
    }
    this.#nesting--;
  }

  /** Reads the path of a reference as far as it is constant. */
  #reference(root: string): Expression {
    const segments = [root];
    for (;;) {
      this.skipSpace();
      const sign = this.text[this.at];
      const key = sign === '.' || sign === '[' ? this.#key() : undefined;
      const segment = key && constantKey(key);
      if (segment === undefined) {
        const reference = this.#resolve(segments);
        return key ? this.#part({ kind: 'member', of: reference, key }) : reference;
      }
      if (segments.length >= MAX_SEGMENTS) throw new SyntaxFault(`a path has at most ${MAX_SEGMENTS} names`);
      segments.push(segment);
    }
  }

  #resolve(segments: readonly string[]): Expression {
    const reference = parseReference(segments);
    if (reference) return this.#part({ kind: 'reference', reference });
    this.problems.push(unknownReference(segments));
    return this.#part({ kind: 'literal', value: null });
  }

  #part<Part extends Expression | Call>(part: Part): Part {
    if (++this.#parts > MAX_PARTS) throw new SyntaxFault(`an expression has at most ${MAX_PARTS} parts`);
    return part;
  }
}

/** A key that is known before the run; undefined: it is computed, or counts from the end. */
function constantKey(key: Expression): string | undefined {
  if (key.kind !== 'literal') return undefined;
  if (typeof key.value === 'string') return key.value;
  return typeof key.value === 'number' && Number.isSafeInteger(key.value) && key.value >= 0
    ? String(key.value)
    : undefined;
}
