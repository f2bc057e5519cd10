/** The parts of an element that selectors read. */
export interface SelectableElement {
  name: string;
  attribs: Record<string, string>;
  /** Position among the elements of its parent, from 1. */
  position: number;
  /** Position among those with its name, from 1. */
  positionOfType: number;
  /** Number of elements of its parent. */
  count: number;
  isEmpty: boolean;
  isRoot: boolean;
}

type Test = (element: SelectableElement) => boolean;
type Combinator = ' ' | '>' | '+' | '~';

/** A compound selector with the relation to the one in front of it. */
interface Step {
  combinator: Combinator;
  test: Test;
}

/**
 * The matched steps of a selector, by index: `own` by the element, `above` by the element or an ancestor, `since` by the
 * element or a previous one of its parent.
 */
export interface SelectorState {
  own: readonly boolean[];
  above: readonly boolean[];
  since: readonly boolean[];
}

/** Thrown for a text that is not a supported selector. */
export class SelectorError extends Error {
  constructor() {
    super(SELECTOR_FORM);
  }
}

const SELECTOR_FORM =
  'must consist of types, #id, .class, [attribute], the combinators space, >, + and ~, commas, and :first-child, :last-child, :only-child, :nth-child(), :nth-last-child(), :nth-of-type(), :first-of-type, :empty, :root and :not()';

/** Characters of a text that are searched in the time of another comparison. */
const SEARCHED_AT_ONCE = 16;
/** The maximum number of compound selectors of one selector. */
const MAX_STEPS = 20;
const NAME = /(?:[\w-]|[^\0-\x7f])+/y;
const SPACE = /\s*/y;
const COMBINATOR = /\s*([>+~])\s*|\s+/y;
/** The comma in front of the next selector of a list. */
const NEXT_COMMA = /\s*,/y;
const OPERATOR = /[~|^$*]?=/y;
const VALUE = /"[^"]*"|'[^']*'|[\w-]+/y;

const PSEUDOS: ReadonlyMap<string, Test> = new Map<string, Test>([
  ['first-child', ({ position }) => position === 1],
  ['last-child', ({ position, count }) => position === count],
  ['only-child', ({ count }) => count === 1],
  ['first-of-type', ({ positionOfType }) => positionOfType === 1],
  ['empty', ({ isEmpty }) => isEmpty],
  ['root', ({ isRoot }) => isRoot],
]);

/** Pseudo-classes with an argument such as `odd`, `3` or `2n+1`, and the positions that they count. */
const COUNTING: ReadonlyMap<string, (element: SelectableElement) => number> = new Map([
  ['nth-child', ({ position }) => position],
  ['nth-last-child', ({ position, count }) => count + 1 - position],
  ['nth-of-type', ({ positionOfType }) => positionOfType],
]);
const NTH = /\(\s*(?:(odd|even)|([+-]?\d{0,6})n(?:\s*([+-])\s*(\d{1,6}))?|([+-]?\d{1,6}))\s*\)/iy;

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
  readonly #hasSiblings: boolean;

  constructor(private readonly steps: readonly Step[]) {
    this.#hasSiblings = steps.some(({ combinator }) => combinator === '~');
  }

  /** Returns the state of an element from the states of its parent and of its previous element. */
  enter(element: SelectableElement, parent: SelectorState | null, previous: SelectorState | null): SelectorState {
    const own = this.steps.map(({ combinator, test }, index) => {
      const related = relatedSteps(combinator, parent, previous);
      return (index === 0 || related?.[index - 1] === true) && test(element);
    });
    const withEarlier = (earlier: readonly boolean[] | undefined) =>
      own.map((isMet, index) => isMet || earlier?.[index] === true);
    return { own, above: withEarlier(parent?.above), since: this.#hasSiblings ? withEarlier(previous?.since) : own };
  }

  matches({ own }: SelectorState): boolean {
    return own.at(-1) === true;
  }
}

function relatedSteps(
  combinator: Combinator,
  parent: SelectorState | null,
  previous: SelectorState | null,
): readonly boolean[] | undefined {
  if (combinator === ' ') return parent?.above;
  if (combinator === '>') return parent?.own;
  return combinator === '+' ? previous?.own : previous?.since;
}

/** A list of selectors, of which one has to match. */
export interface SelectorList {
  selectors: readonly Selector[];
  /** Number of comparisons for an element, where a text counts by its length if it is searched. */
  costOf(attribs: Record<string, string>): number;
}

/**
 * Parses a list of CSS selectors: types, `*`, `#id`, `.class`, `[attribute]` with its operators, the combinators space, `>`,
 * `+` and `~`, the structural pseudo-classes above and `:not()` of a compound selector. Throws a SelectorError.
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
      steps.push({ combinator: (matched.trim() || ' ') as Combinator, test: this.#compound() });
    }
    return steps;
  }

  #compound(): Test {
    const tests: Test[] = [];
    if (this.#take('*')) tests.push(() => true);
    else {
      const type = this.#match(NAME).toLowerCase();
      if (type !== '') tests.push(({ name }) => name === type);
    }
    for (let test = this.#simple(); test; test = this.#simple()) tests.push(test);
    if (tests.length === 0) throw new SelectorError();
    this.#tests += tests.length;
    return element => tests.every(test => test(element));
  }

  #simple(): Test | undefined {
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
    const name = this.#name().toLowerCase();
    const positionOf = COUNTING.get(name);
    if (positionOf) return this.#counting(positionOf);
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

  #counting(positionOf: (element: SelectableElement) => number): Test {
    const [matched, word, factor, sign, added, fixed] = matchAt(NTH, this.text, this.#at);
    if (matched === undefined) throw new SelectorError();
    this.#at += matched.length;
    if (fixed !== undefined) return element => positionOf(element) === Number(fixed);
    const step = word !== undefined ? 2 : /\d/.test(factor ?? '') ? Number(factor) : Number(`${factor}1`);
    const start = word !== undefined ? Number(word.toLowerCase() === 'odd') : Number(`${sign ?? ''}${added ?? 0}`);
    return element => {
      const rest = positionOf(element) - start;
      return step === 0 ? rest === 0 : rest % step === 0 && rest / step >= 0;
    };
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
    const [matched = ''] = matchAt(pattern, this.text, this.#at);
    this.#at += matched.length;
    return matched;
  }

  #take(character: string): boolean {
    if (this.text[this.#at] !== character) return false;
    this.#at++;
    return true;
  }
}

/** Returns the groups of a sticky pattern at a position. Empty if nothing matches. */
function matchAt(pattern: RegExp, text: string, at: number): (string | undefined)[] {
  pattern.lastIndex = at;
  return pattern.exec(text) ?? [];
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
