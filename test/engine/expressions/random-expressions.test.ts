import { expect, test } from '@jest/globals';
import { TemplateError } from '../../../src/engine/expressions/expression.js';
import { functions } from '../../../src/engine/expressions/functions/index.js';
import { renderValue } from '../../../src/engine/expressions/template.js';
import { checkExpressionText, hasTypeProblem, scope } from './expression-scope.js';

/** Random expressions: `npm run test:fuzz -- expressions` runs 10,000,000. */
const RUNS = Number(process.env.EXPRESSION_RUNS ?? 50_000);
const SEED = Number(process.env.FUZZ_SEED ?? 20_260_301);
/** Processor time of one expression. `npm test` runs next to other tests, which slow down the processor's cores and caches. */
const MAX_MS = process.env.EXPRESSION_RUNS ? 10 : 50;
/** How many times a slow expression is measured again: a pause of the garbage collector slows only one measurement. */
const REPEATS = 5;

/** The generator Mulberry32, so that a seed repeats a run. The returned function gives whole numbers from 0 to `below` - 1. */
function randomFrom(seed: number): (below: number) => number {
  let state = seed;
  return below => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

const NAMES = [...functions.keys()];
const ATOMS = [
  ...['0', '1', '2', '-1', '3.5', '1000', '9007199254740993', 'true', 'false', 'null', '""', '"a"', '"12"', '"a,b;c"'],
  ...[
    '"2026-03-01"',
    '"[1,2]"',
    '"(a+)+$"',
    '"Europe/Rome"',
    '"😀é"',
    '"days"',
    '"yyyy"',
    '[]',
    '{}',
    '[1, "b", null]',
  ],
  ...[
    'input.name',
    'input.amount',
    'input.list',
    'input.people',
    'input.address',
    'input.date',
    'input.missing',
    'input',
  ],
  ...['nodes.ask.json', 'nodes.ask.output.items', 'nodes.ask.status', 'nodes.broken.error', 'nodes.ask.usage', 'now'],
  ...['input.text_amount', 'input.flag', 'input.words', 'vars.total', 'vars.words', 'vars.user', 'vars.missing'],
  ...['nodes.ask.headers', 'nodes.ask.headers.x-count', 'nodes.broken.headers', 'nodes.ask.http_status'],
  ...[
    'nodes.broken.http_status',
    'nodes.plain.http_status',
    'nodes.ask.usage.total_tokens',
    'nodes.ask.usage.cost_usd',
  ],
  ...['nodes.broken.error.code', 'nodes.broken.error.message', 'nodes.broken.error.status', 'nodes.ask.error'],
  'nodes.broken.error.attempts',
  ...[
    'input.__proto__',
    'input["constructor"]',
    'input.list.length',
    'item',
    'index',
    'env.REGION',
    'run.id',
    'x',
    'y',
  ],
  ...[
    'range(50)',
    'range(10000)',
    '{__proto__: 1}',
    '{a: {b: [1]}}',
    'input["__proto__"]',
    'input.name["constructor"]',
  ],
];
const OPERATORS = ['+', '-', '*', '/', '%', '==', '!=', '<', '<=', '>', '>=', 'in', 'and', 'or', '??'];
const NOISE = [
  '(',
  ')',
  '[',
  ']',
  '{',
  '}',
  '|',
  '?',
  ':',
  ',',
  '.',
  '"',
  "'",
  '=>',
  '\\',
  '{{',
  '}}',
  '&&',
  '\u0000',
  ' ',
];

class Generator {
  constructor(readonly below: (limit: number) => number) {}

  one<Item>(items: readonly Item[]): Item {
    return items[this.below(items.length)]!;
  }

  expression(depth: number): string {
    if (depth === 0 || this.below(5) === 0) return this.one(ATOMS);
    const inner = () => this.expression(depth - 1);
    switch (this.below(10)) {
      case 0:
        return `${inner()} ${this.one(OPERATORS)} ${inner()}`;
      case 1:
        return `(${inner()} ? ${inner()} : ${inner()})`;
      case 2:
        return `[${inner()}, ${inner()}]`;
      case 3:
        return `{a: ${inner()}, "__proto__": ${inner()}}`;
      case 4:
        return `(${inner()})[${inner()}]`;
      case 5:
        return `(${inner()}).${this.one(['a', 'name', '0', 'length', 'constructor', '__proto__', 'city'])}`;
      case 6:
        return `${this.one(['not ', '-'])}(${inner()})`;
      case 7:
        return `(${inner()} | ${this.one(NAMES)}${this.below(2) ? `: ${inner()}` : ''})`;
      default:
        return `${this.one(NAMES)}(${this.arguments(depth)})`;
    }
  }

  arguments(depth: number): string {
    return Array.from({ length: this.below(4) }, () =>
      this.below(3) === 0
        ? `${this.one(['x', '(x, y)'])} => ${this.expression(depth - 1)}`
        : this.expression(depth - 1),
    ).join(', ');
  }

  /** An expression; one of 20 has a character or operator inserted, which usually breaks its syntax. */
  text(): string {
    const text = this.expression(1 + this.below(4));
    if (this.below(20) > 0) return text;
    const at = this.below(text.length + 1);
    return text.slice(0, at) + this.one(NOISE) + text.slice(at);
  }
}

/** Whether the value consists of plain data only, so that nothing of JavaScript is reachable. */
function isPlain(value: unknown): boolean {
  if (value === null || ['string', 'number', 'boolean'].includes(typeof value)) return true;
  if (typeof value !== 'object') return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== Array.prototype) return false;
  return Object.values(value).every(isPlain);
}

/** Processor time of this thread, which other processes do not change. */
function processorMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

/**
 * Renders an expression and returns the milliseconds. Throws unless it ends with plain data or a TemplateError, or if it has a
 * value although the check before a run reports that it always fails.
 */
function measure(text: string, isReported: boolean): number {
  const start = processorMs();
  let value: unknown = null;
  try {
    value = renderValue(text, scope);
    if (isReported) throw new Error(`${text} is reported and has a value`);
  } catch (error) {
    if (!(error instanceof TemplateError)) throw new Error(`${text} threw ${String(error)}`, { cause: error });
  }
  const elapsed = processorMs() - start;
  if (!isPlain(value)) throw new Error(`${text} returned something other than plain data`);
  return elapsed;
}

test(
  `${RUNS} random expressions return plain data or a TemplateError within ${MAX_MS} ms`,
  () => {
    const generator = new Generator(randomFrom(SEED));
    const before = JSON.stringify(scope.input);
    let slowest = 0;
    let wellFormed = 0;
    let reported = 0;
    for (let run = 0; run < RUNS; run++) {
      const text = `{{ ${generator.text()} }}`;
      const isReported = hasTypeProblem(text);
      if (isReported) reported++;
      let elapsed = measure(text, isReported);
      for (let repeat = 0; elapsed > MAX_MS && repeat < REPEATS; repeat++)
        elapsed = Math.min(elapsed, measure(text, isReported));
      if (elapsed > MAX_MS) throw new Error(`${text} took ${elapsed} ms`);
      slowest = Math.max(slowest, elapsed);
      if (checkExpressionText(text)) wellFormed++;
    }
    expect(JSON.stringify(scope.input)).toBe(before);
    expect(({} as Record<string, unknown>).a).toBeUndefined();
    expect(wellFormed).toBeGreaterThan(RUNS / 50);
    expect(reported).toBeGreaterThan(RUNS / 200);
    if (RUNS > 50_000)
      console.log(`${RUNS} expressions, ${wellFormed} well-formed, slowest ${slowest.toFixed(1)} ms, seed ${SEED}`);
  },
  // A day, because 10,000,000 expressions take hours.
  24 * 3600 * 1000,
);
