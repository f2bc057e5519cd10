/** The parts of an element that selectors read. */
export interface SelectableElement {
  name: string;
  attribs: Record<string, string>;
  isFirst: boolean;
  isLast: boolean;
  isEmpty: boolean;
  isRoot: boolean;
}

type Test = (element: SelectableElement) => boolean;
type Combinator = ' ' | '>' | '+';

/** A compound selector with the relation to the one in front of it. */
interface Step {
  combinator: Combinator;
  test: Test;
}

/** The matched steps of a selector, by index: `own` by the element, `above` by the element or an ancestor. */
export interface SelectorState {
  own: readonly boolean[];
  above: readonly boolean[];
}

/** Thrown for a text that is not a supported selector. */
export class SelectorError extends Error {}

/** Characters of a text that are searched in the time of another comparison. */
const SEARCHED_AT_ONCE = 16;
/** The maximum number of compound selectors of one selector. */
const MAX_STEPS = 20;
const NAME = /(?:[\w-]|[^\0-\x7f])+/y;
const SPACE = /\s*/y;
const COMBINATOR = /\s*([>+])\s*|\s+/y;
/** The comma in front of the next selector of a list. */
const NEXT_COMMA = /\s*,/y;
const OPERATOR = /[~|^$*]?=/y;
const VALUE = /"[^"]*"|'[^']*'|[\w-]+/y;

const PSEUDOS: ReadonlyMap<string, Test> = new Map<string, Test>([
  ['first-child', ({ isFirst }) => isFirst],
  ['last-child', ({ isLast }) => isLast],
  ['only-child', ({ isFirst, isLast }) => isFirst && isLast],
  ['empty', ({ isEmpty }) => isEmpty],
  ['root', ({ isRoot }) => isRoot],
]);

const OPERATORS: ReadonlyMap<string, (value: string, wanted: string) => boolean> = new Map([
  ['=', (value, wanted) => value === wanted],
  ['~=', hasWord],
  ['|=', (value, wanted) => value === wanted || value.startsWith(`${wanted}-`)],
  ['^=', (value, wanted) => wanted !== '' && value.startsWith(wanted)],
  ['$=', (value, wanted) => wanted !== '' && value.endsWith(wanted)],
  ['*=', (value, wanted) => wanted !== '' && value.includes(wanted)],
]);

/** One selector of a list. It is evaluated from the top of the document, so that each element is tested once. */
export class Selector {
  constructor(private readonly steps: readonly Step[]) {}

  /** Returns the state of an element from the states of its parent and of its previous element. */
  enter(element: SelectableElement, parent: SelectorState | null, previous: SelectorState | null): SelectorState {
    const own = this.steps.map(({ combinator, test }, index) => {
      const related = combinator === ' ' ? parent?.above : combinator === '>' ? parent?.own : previous?.own;
      return (index === 0 || related?.[index - 1] === true) && test(element);
    });
    return { own, above: own.map((isMet, index) => isMet || parent?.above[index] === true) };
  }

  matches({ own }: SelectorState): boolean {
    return own.at(-1) === true;
  }
}

/** A list of selectors, of which one has to match. */
export interface SelectorList {
  selectors: readonly Selector[];
  /** Number of comparisons for an element, where a text counts by its length if it is searched. */
  costOf(attribs: Record<string, string>): number;
}

/**
 * Parses a list of CSS selectors: types, `*`, `#id`, `.class`, `[attribute]` with its operators, the combinators space, `>`
 * and `+`, the structural pseudo-classes above and `:not()` of a compound selector. Throws a SelectorError.
 */
export function parseSelectors(text: string): SelectorList {
  return new SelectorReader(text.trim()).list();
}

class SelectorReader {
  #at = 0;
  #tests = 0;
  /** Number of searches in the value of an attribute, by its name. */
  readonly #searches = new Map<string, number>();

  constructor(private readonly text: string) {}

  list(): SelectorList {
    const selectors: Selector[] = [];
    do {
      this.#match(SPACE);
      selectors.push(new Selector(this.#steps()));
      this.#match(SPACE);
    } while (this.#take(','));
    if (this.#at < this.text.length) throw new SelectorError();
    const [tests, searches] = [this.#tests, [...this.#searches]];
    const costOf = (attribs: Record<string, string>) =>
      searches.reduce((cost, [name, count]) => cost + (count * lengthOf(attribs, name)) / SEARCHED_AT_ONCE, tests);
    return { selectors, costOf };
  }

  #steps(): Step[] {
    const steps: Step[] = [{ combinator: ' ', test: this.#compound() }];
    while (this.#at < this.text.length && !this.#isBeforeComma()) {
      const matched = this.#match(COMBINATOR);
      if (matched === '' || steps.length === MAX_STEPS) throw new SelectorError();
      const combinator = matched.trim();
      steps.push({ combinator: combinator === '>' || combinator === '+' ? combinator : ' ', test: this.#compound() });
    }
    return steps;
  }

  #compound(): Test {
    const tests: Test[] = [];
    this.#tests++;
    if (this.#take('*')) tests.push(() => true);
    else {
      const type = this.#match(NAME).toLowerCase();
      if (type !== '') tests.push(({ name }) => name === type);
    }
    for (let test = this.#simple(); test; test = this.#simple()) tests.push(test);
    if (tests.length === 0) throw new SelectorError();
    return element => tests.every(test => test(element));
  }

  #simple(): Test | undefined {
    this.#tests++;
    if (this.#take('#')) return hasAttribute('id', '=', this.#name());
    if (this.#take('.')) return this.#comparison('class', '~=', this.#name());
    if (this.#take('[')) return this.#attribute();
    return this.#take(':') ? this.#pseudo() : undefined;
  }

  #attribute(): Test {
    this.#match(SPACE);
    const name = this.#name().toLowerCase();
    this.#match(SPACE);
    const operator = this.#match(OPERATOR);
    this.#match(SPACE);
    const value = operator === '' ? '' : this.#match(VALUE);
    if (operator !== '' && value === '') throw new SelectorError();
    this.#match(SPACE);
    if (!this.#take(']')) throw new SelectorError();
    if (operator === '') return ({ attribs }) => Object.hasOwn(attribs, name);
    return this.#comparison(name, operator, /^["']/.test(value) ? value.slice(1, -1) : value);
  }

  #comparison(name: string, operator: string, wanted: string): Test {
    if (operator === '~=' || operator === '*=') this.#searches.set(name, (this.#searches.get(name) ?? 0) + 1);
    return hasAttribute(name, operator, wanted);
  }

  #pseudo(): Test {
    const name = this.#name();
    if (name !== 'not') {
      const test = PSEUDOS.get(name);
      if (!test || this.text[this.#at] === '(') throw new SelectorError();
      return test;
    }
    if (!this.#take('(')) throw new SelectorError();
    this.#match(SPACE);
    const test = this.#compound();
    this.#match(SPACE);
    if (!this.#take(')')) throw new SelectorError();
    return element => !test(element);
  }

  #name(): string {
    const name = this.#match(NAME);
    if (name === '') throw new SelectorError();
    return name;
  }

  #isBeforeComma(): boolean {
    NEXT_COMMA.lastIndex = this.#at;
    return NEXT_COMMA.test(this.text);
  }

  /** Returns the text that matches a sticky pattern here, and continues after it. Empty if nothing matches. */
  #match(pattern: RegExp): string {
    pattern.lastIndex = this.#at;
    const [matched] = pattern.exec(this.text) ?? [''];
    this.#at += matched.length;
    return matched;
  }

  #take(character: string): boolean {
    if (this.text[this.#at] !== character) return false;
    this.#at++;
    return true;
  }
}

function hasAttribute(name: string, operator: string, wanted: string): Test {
  const compare = OPERATORS.get(operator);
  return ({ attribs }) => Object.hasOwn(attribs, name) && compare?.(attribs[name] ?? '', wanted) === true;
}

/** Returns whether a word of the value, separated by spaces, is the wanted one. It does not copy the value. */
function hasWord(value: string, wanted: string): boolean {
  if (!/^\S+$/.test(wanted)) return false;
  for (let at = value.indexOf(wanted); at >= 0; at = value.indexOf(wanted, at + 1))
    if (isSpaceOrEnd(value[at - 1]) && isSpaceOrEnd(value[at + wanted.length])) return true;
  return false;
}

function isSpaceOrEnd(character: string | undefined): boolean {
  return character === undefined || /\s/.test(character);
}

function lengthOf(attribs: Record<string, string>, name: string): number {
  return Object.hasOwn(attribs, name) ? (attribs[name]?.length ?? 0) : 0;
}
