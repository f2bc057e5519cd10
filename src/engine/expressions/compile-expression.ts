import { compare } from '../conditions/compare.js';
import { isObject, type JsonObject, setOwn } from '../json-value.js';
import { assertFinite, type Evaluation, failure, toNumber } from './evaluation.js';
import type { BinaryOperator, Call, Expression, Lambda, Reference } from './expression.js';
import { parseDate } from './functions/date-patterns.js';
import type { ExpressionFunction, ItemFunction, Parameter } from './functions/function-kind.js';
import { functions } from './functions/index.js';
import { contains, toComparable } from './functions/list-functions.js';
import { MAX_TIME } from './functions/time-zone.js';
import { isForbidden } from './references.js';
import { resolve } from './resolve.js';
import { type ParameterType, TYPE_NAMES } from './value-types.js';

/**
 * Computes the value of an expression; undefined: it has none. An expression with a part without a value has none either,
 * unless it provides a substitute, such as `??` and the function `default`.
 */
export type Evaluate = (evaluation: Evaluation) => unknown;

/** The parameters of functions such as `item => …` that are visible in an expression, with their positions in `Evaluation.slots`. */
type Parameters = ReadonlyMap<string, number>;

/** Compiles a checked expression to a closure. */
export function compileExpression(expression: Expression): Evaluate {
  return new Compiler().compile(expression, new Map());
}

class Compiler {
  #slots = 0;

  compile(expression: Expression, parameters: Parameters): Evaluate {
    const inner = (part: Expression) => this.compile(part, parameters);
    switch (expression.kind) {
      case 'literal': {
        const { value } = expression;
        return () => value;
      }
      case 'reference':
        return referenceReader(expression.reference);
      case 'parameter': {
        const slot = parameters.get(expression.name) ?? -1;
        return evaluation => evaluation.slots[slot];
      }
      case 'member':
        return memberReader(inner(expression.of), inner(expression.key));
      case 'binary':
        return binary(expression.operator, inner(expression.left), inner(expression.right));
      case 'logical':
        return compileLogical(expression.operator, inner(expression.left), inner(expression.right));
      case 'choice':
        return compileChoice(inner(expression.test), inner(expression.yes), inner(expression.no));
      case 'call':
        return this.#call(expression, parameters);
      default:
        return compileComposite(expression, inner);
    }
  }

  #call({ name, args }: Call, parameters: Parameters): Evaluate {
    const called = functions.get(name);
    if (!called) throw new Error(`the function ${name} was not checked`);
    const readers = args.map((argument, index) => this.#argument(called, argument, index, parameters));
    const { run, takesMissing } = called;
    return evaluation => {
      evaluation.charge();
      const values: unknown[] = [];
      for (const read of readers) {
        const value = read(evaluation);
        if (value === undefined && !takesMissing) return undefined;
        values.push(value === ABSENT ? undefined : value);
      }
      const result = run(evaluation, ...(values as never[]));
      if (typeof result === 'string') evaluation.chargeCreatedText(result.length);
      else if (Array.isArray(result)) evaluation.charge(result.length);
      return result;
    };
  }

  #argument(
    called: ExpressionFunction,
    argument: Expression | Lambda,
    index: number,
    parameters: Parameters,
  ): Evaluate {
    if (argument.kind === 'lambda') return this.#lambda(argument, parameters);
    const { parameters: declared, name } = called;
    const parameter = declared[Math.min(index, declared.length - 1)];
    const read = this.compile(argument, parameters);
    if (!parameter || parameter.type === 'any') return read;
    return evaluation => convertArgument(read(evaluation), parameter, name, evaluation);
  }

  #lambda({ parameters: names, body }: Lambda, outer: Parameters): Evaluate {
    const slots = names.map(() => this.#slots++);
    const read = this.compile(body, new Map([...outer, ...names.map((name, at) => [name, slots[at] ?? 0] as const)]));
    const [itemSlot = 0, indexSlot] = slots;
    return evaluation => {
      const call: ItemFunction = (item, index) => {
        evaluation.charge();
        evaluation.slots[itemSlot] = item;
        if (indexSlot !== undefined) evaluation.slots[indexSlot] = index;
        return read(evaluation) ?? null;
      };
      return call;
    };
  }
}

/** Marks an optional argument that is null. The function receives undefined, but the call is not one with a missing value. */
const ABSENT = Symbol('absent');

function convertArgument(
  value: unknown,
  { name, type, isOptional, isRest }: Parameter,
  subject: string,
  evaluation: Evaluation,
): unknown {
  if (value === undefined) return undefined;
  if (value === null && isOptional && !isRest) return ABSENT;
  const result = convert(value, type, `${name} of ${subject}`, evaluation);
  if (result !== undefined) return result;
  throw failure(`${subject} takes ${TYPE_NAMES[type]} as ${name}`);
}

/** Returns the value in the type of a parameter; undefined: it is unsuitable. */
function convert(value: unknown, type: ParameterType, subject: string, evaluation: Evaluation): unknown {
  switch (type) {
    case 'text': {
      const text = evaluation.toText(value);
      evaluation.chargeText(text.length);
      return text;
    }
    case 'number':
      return toNumber(value, subject);
    case 'integer':
      return wholeNumber(value, Number.MIN_SAFE_INTEGER, subject);
    case 'count':
      return wholeNumber(value, 0, subject);
    case 'date':
      return convertDate(value, evaluation);
    default:
      return convertContainer(value, type, evaluation);
  }
}

function wholeNumber(value: unknown, min: number, subject: string): number | undefined {
  const number = toNumber(value, subject);
  return Number.isSafeInteger(number) && number >= min ? number : undefined;
}

function convertContainer(value: unknown, type: ParameterType, evaluation: Evaluation): unknown {
  if (type === 'list' && Array.isArray(value)) {
    evaluation.charge(value.length);
    return value;
  }
  if (type === 'map' && isObject(value)) {
    evaluation.countMembers(value);
    return value;
  }
  return undefined;
}

function convertDate(value: unknown, evaluation: Evaluation): number | undefined {
  if (typeof value === 'number') return Math.abs(value) <= MAX_TIME ? value : undefined;
  if (typeof value !== 'string') return undefined;
  // Parsing a date costs more than other work on texts: one step for 8 characters.
  evaluation.charge(1 + (value.length >> 3));
  return parseDate(value, undefined, 'UTC');
}

function referenceReader(reference: Reference): Evaluate {
  return evaluation => {
    evaluation.charge();
    const value = resolve(reference, evaluation.scope, evaluation.args);
    if (value === undefined) evaluation.missing = reference;
    return value;
  };
}

function memberReader(of: Evaluate, key: Evaluate): Evaluate {
  return evaluation => {
    evaluation.charge();
    const value = of(evaluation);
    const name = key(evaluation);
    return value === undefined || name === undefined ? undefined : member(value, name);
  };
}

/** Reads own members and items only. A negative index counts from the end. */
function member(value: unknown, key: unknown): unknown {
  if (Array.isArray(value)) {
    const index = typeof key === 'string' && /^\d{1,9}$/.test(key) ? Number(key) : key;
    return typeof index === 'number' && Number.isInteger(index) ? value.at(index) : undefined;
  }
  const name = typeof key === 'number' ? String(key) : key;
  if (!isObject(value) || typeof name !== 'string' || isForbidden(name) || !Object.hasOwn(value, name))
    return undefined;
  return value[name];
}

function binary(operator: BinaryOperator, left: Evaluate, right: Evaluate): Evaluate {
  const apply = operationOf(operator);
  return evaluation => {
    evaluation.charge();
    const a = left(evaluation);
    if (a === undefined) return undefined;
    const b = right(evaluation);
    return b === undefined ? undefined : apply(evaluation, a, b);
  };
}

type Operation = (evaluation: Evaluation, left: unknown, right: unknown) => unknown;

function operationOf(operator: BinaryOperator): Operation {
  switch (operator) {
    case '+':
      return add;
    case '-':
      return (_, a, b) => assertFinite(toNumber(a, '-') - toNumber(b, '-'), '-');
    case '*':
      return (_, a, b) => assertFinite(toNumber(a, '*') * toNumber(b, '*'), '*');
    case '/':
      return (_, a, b) => assertFinite(toNumber(a, '/') / divisor(b, '/'), '/');
    case '%':
      return (_, a, b) => toNumber(a, '%') % divisor(b, '%');
    case 'in':
      return (evaluation, a, b) => contains(evaluation, b, a);
    default:
      return (evaluation, a, b) => compare(toComparable(evaluation, a), operator, toComparable(evaluation, b));
  }
}

function divisor(value: unknown, operator: string): number {
  const number = toNumber(value, operator);
  if (number === 0) throw failure('division by zero');
  return number;
}

function add(evaluation: Evaluation, left: unknown, right: unknown): unknown {
  if (typeof left === 'number' && typeof right === 'number') return assertFinite(left + right, '+');
  if (Array.isArray(left) && Array.isArray(right)) {
    evaluation.charge(left.length + right.length);
    return [...left, ...right];
  }
  if (typeof left !== 'string' && typeof right !== 'string') {
    throw failure('+ adds numbers, or joins texts or lists');
  }
  const [a, b] = [evaluation.toText(left), evaluation.toText(right)];
  evaluation.chargeCreatedText(a.length + b.length);
  return a + b;
}

function compileLogical(operator: 'and' | 'or' | '??', left: Evaluate, right: Evaluate): Evaluate {
  if (operator === '??') return evaluation => left(evaluation) ?? right(evaluation);
  const decides = operator === 'or';
  return evaluation => {
    evaluation.charge();
    const a = left(evaluation);
    if (a === undefined) return undefined;
    if (evaluation.isTrue(a) === decides) return decides;
    const b = right(evaluation);
    return b === undefined ? undefined : evaluation.isTrue(b);
  };
}

function compileChoice(test: Evaluate, yes: Evaluate, no: Evaluate): Evaluate {
  return evaluation => {
    evaluation.charge();
    const value = test(evaluation);
    if (value === undefined) return undefined;
    return evaluation.isTrue(value) ? yes(evaluation) : no(evaluation);
  };
}

type Composite = Extract<Expression, { kind: 'not' | 'negate' | 'list' | 'map' }>;

function compileComposite(expression: Composite, inner: (part: Expression) => Evaluate): Evaluate {
  switch (expression.kind) {
    case 'list':
      return listReader(expression.items.map(inner));
    case 'map':
      return mapReader(expression.entries.map(([key, value]) => [key, inner(value)] as const));
    default: {
      const of = inner(expression.of);
      const isNot = expression.kind === 'not';
      return evaluation => {
        evaluation.charge();
        const value = of(evaluation);
        if (value === undefined) return undefined;
        return isNot ? !evaluation.isTrue(value) : -toNumber(value, '-');
      };
    }
  }
}

function listReader(items: readonly Evaluate[]): Evaluate {
  return evaluation => {
    evaluation.charge();
    const values: unknown[] = [];
    for (const read of items) {
      const value = read(evaluation);
      if (value === undefined) return undefined;
      values.push(value);
    }
    return values;
  };
}

function mapReader(entries: readonly (readonly [string, Evaluate])[]): Evaluate {
  return evaluation => {
    evaluation.charge();
    const map: JsonObject = {};
    for (const [key, read] of entries) {
      const value = read(evaluation);
      if (value === undefined) return undefined;
      setOwn(map, key, value);
    }
    return map;
  };
}
