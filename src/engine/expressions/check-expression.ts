import { isNumeral } from '../conditions/compare.js';
import { nearestName } from '../nearest-name.js';
import type {
  BinaryOperator,
  Call,
  Expression,
  Lambda,
  Literal,
  Reference,
  TemplateProblem,
  TemplateProblemCode,
} from './expression.js';
import type { ExpressionFunction, Parameter } from './functions/function-kind.js';
import { functions } from './functions/index.js';
import { ANY, type ReferenceTypes, typesOfReference, type ValueTypes } from './reference-types.js';
import { type ParameterType, TYPE_NAMES, typeOf, type ValueType } from './value-types.js';

/** Returns the problems that are known without values: unknown functions, numbers of arguments, unsuitable types. */
export function checkExpression(expression: Expression): TemplateProblem[] {
  const checker = new Checker(typesOfReference, false);
  checker.typeOf(expression);
  return checker.problems;
}

/**
 * Returns the operations of a checked expression that always fail with the types that references have in a graph. The
 * types apply to the parts that each evaluation reaches and that must have a value.
 */
export function checkTypes(expression: Expression, certainTypes: ReferenceTypes): TemplateProblem[] {
  const checker = new Checker(certainTypes, true);
  checker.typeOf(expression);
  return checker.problems;
}

const ARITHMETIC: ReadonlySet<ValueType> = new Set<ValueType>(['any', 'number', 'text']);
const CONTAINERS: ReadonlySet<ValueType> = new Set<ValueType>(['any', 'list', 'map', 'text']);

class Checker {
  readonly problems: TemplateProblem[] = [];
  /** Types of references in the visited part. */
  #types: ReferenceTypes;

  /** `convertsToText`: values that become texts at run time are accepted, so only certain failures are reported. */
  constructor(
    certainTypes: ReferenceTypes,
    private readonly convertsToText: boolean,
  ) {
    this.#types = certainTypes;
  }

  /** Checks an expression and returns the types that its value can have, as far as they are known. */
  typeOf(part: Expression | Lambda): ValueTypes {
    switch (part.kind) {
      case 'literal':
        return [typeOf(part.value)];
      case 'reference':
        return this.#reference(part.reference);
      case 'parameter':
        return ANY;
      case 'call':
        return this.#call(part);
      case 'binary':
        return this.#binary(part.operator, this.typeOf(part.left), this.typeOf(part.right));
      case 'logical':
        return this.#logical(part);
      case 'choice':
        this.typeOf(part.test);
        return oneOf(this.#uncertain(part.yes), this.#uncertain(part.no));
      default:
        return this.#composite(part);
    }
  }

  #reference(reference: Reference): ValueTypes {
    const types = this.#types(reference);
    if (types.length > 0) return types;
    this.#report('unknown_reference', 'refers to a member of a value that has no members');
    return ANY;
  }

  #composite(part: Exclude<Expression, Call> | Lambda): ValueTypes {
    switch (part.kind) {
      case 'member':
        this.typeOf(part.of);
        this.typeOf(part.key);
        return ANY;
      case 'not':
        this.typeOf(part.of);
        return ['boolean'];
      case 'negate':
        this.#operand('-', this.typeOf(part.of), ARITHMETIC);
        return ['number'];
      case 'list':
        for (const item of part.items) this.typeOf(item);
        return ['list'];
      case 'map':
        for (const [, value] of part.entries) this.typeOf(value);
        return ['map'];
      case 'lambda':
        this.#uncertain(part.body);
        return ANY;
      default:
        return ANY;
    }
  }

  /** Checks a part that may not be evaluated, or whose missing value has a substitute. */
  #uncertain(part: Expression | Lambda): ValueTypes {
    const certainTypes = this.#types;
    this.#types = typesOfReference;
    const types = this.typeOf(part);
    this.#types = certainTypes;
    return types;
  }

  #logical({ operator, left, right }: Logical): ValueTypes {
    if (operator === '??') return oneOf(this.#uncertain(left), this.#uncertain(right));
    this.typeOf(left);
    this.#uncertain(right);
    return ['boolean'];
  }

  #binary(operator: BinaryOperator, left: ValueTypes, right: ValueTypes): ValueTypes {
    switch (operator) {
      case '+':
        return this.#sum(left, right);
      case '-':
      case '*':
      case '/':
      case '%':
        this.#operand(operator, left, ARITHMETIC);
        this.#operand(operator, right, ARITHMETIC);
        return ['number'];
      case 'in':
        if (!this.convertsToText) this.#operand('in', right, CONTAINERS);
        return ['boolean'];
      default:
        return ['boolean'];
    }
  }

  #sum(left: ValueTypes, right: ValueTypes): ValueTypes {
    const sums = left.flatMap(one => right.flatMap(other => this.#sumOf(one, other) ?? []));
    if (sums.length === 0) this.#report('malformed_placeholder', '+ adds numbers, or joins texts or lists');
    const [first, ...others] = sums;
    return first !== undefined && others.every(other => other === first) ? [first] : ANY;
  }

  /** Returns the type of the sum of two values; undefined: they have none. */
  #sumOf(left: ValueType, right: ValueType): ValueType | undefined {
    const types = [left, right];
    if (types.includes('text')) return 'text';
    // A value of an unknown type can be a text, to which any other value is joined.
    if (this.convertsToText && types.includes('any')) return 'any';
    if (!types.every(type => type === 'any' || type === 'number' || type === 'list')) return undefined;
    if (left === right) return left;
    return types.includes('any') ? 'any' : undefined;
  }

  #operand(operator: string, types: ValueTypes, allowed: ReadonlySet<ValueType>): void {
    if (types.some(type => allowed.has(type))) return;
    const names = [...allowed].filter(each => each !== 'any').map(each => TYPE_NAMES[each]);
    const given = types.map(type => TYPE_NAMES[type]).join(' or ');
    this.#report('malformed_placeholder', `${operator} takes ${names.join(' or ')}, not ${given}`);
  }

  #call(call: Call): ValueTypes {
    const called = functions.get(call.name);
    if (!called) {
      for (const argument of call.args) this.typeOf(argument);
      this.#reportUnknown(call);
      return ANY;
    }
    this.#checkCount(call, called);
    for (const [index, argument] of call.args.entries()) this.#checkArgument(call, called, argument, index);
    return [called.returns];
  }

  #checkCount(call: Call, called: ExpressionFunction): void {
    const { parameters } = called;
    const min = parameters.filter(({ isOptional }) => !isOptional).length;
    const max = parameters.at(-1)?.isRest ? Number.POSITIVE_INFINITY : parameters.length;
    if (call.args.length < min || call.args.length > max) this.#reportCount(call, called);
  }

  #checkArgument(call: Call, called: ExpressionFunction, argument: Expression | Lambda, index: number): void {
    const types = called.takesMissing ? this.#uncertain(argument) : this.typeOf(argument);
    const rest = called.parameters.find(({ isRest }) => isRest);
    const parameter = called.parameters[index] ?? rest;
    if (!parameter || (this.convertsToText && parameter.type === 'text')) return;
    const takesNull = parameter.isOptional && parameter !== rest;
    const isAccepted = types.some(type => (type === 'null' && takesNull) || accepts(parameter.type, argument, type));
    if (!isAccepted) this.#reportArgument(call, called, parameter);
  }

  #reportUnknown({ name, isFilter }: Call): void {
    const kind = isFilter ? 'filter' : 'function';
    const nearest = nearestName(name, functions.keys());
    const hint = nearest === undefined ? 'docs/expressions.md lists all' : `did you mean ${JSON.stringify(nearest)}?`;
    this.#report(`unknown_${kind}`, `unknown ${kind} ${JSON.stringify(name.slice(0, 50))}; ${hint}`);
  }

  #reportCount(call: Call, { signature }: ExpressionFunction): void {
    const given = call.isFilter ? call.args.length - 1 : call.args.length;
    const counted = given === 1 ? '1 argument' : `${given} arguments`;
    const where = call.isFilter ? ' after the value in front of it' : '';
    this.#report(
      'malformed_placeholder',
      `the ${kindOf(call)} ${call.name} has ${counted}${where}; it is ${signature}`,
    );
  }

  #reportArgument(call: Call, { signature }: ExpressionFunction, { name, type }: Parameter): void {
    this.#report(
      'malformed_placeholder',
      `the ${kindOf(call)} ${call.name} takes ${TYPE_NAMES[type]} as ${name}; it is ${signature}`,
    );
  }

  #report(code: TemplateProblemCode, message: string): void {
    this.problems.push({ code, message });
  }
}

function kindOf({ isFilter }: Call): string {
  return isFilter ? 'filter' : 'function';
}

type Logical = Extract<Expression, { kind: 'logical' }>;

/** Returns the types of a value that is one of two, if they have the same types. */
function oneOf(one: ValueTypes, other: ValueTypes): ValueTypes {
  return one.join() === other.join() ? one : ANY;
}

/** The value of an argument that is written as such; undefined: it is computed. */
type KnownValue = Literal | undefined;

/** Returns true unless an argument is known to be unsuitable. */
function accepts(wanted: ParameterType, argument: Expression | Lambda, type: ValueType): boolean {
  if (argument.kind === 'lambda' || wanted === 'function') return argument.kind === 'lambda' && wanted === 'function';
  if (wanted === 'any' || type === 'any') return true;
  const suits = SUITABLE[wanted];
  return suits ? suits(type, argument.kind === 'literal' ? argument.value : undefined) : type === wanted;
}

/** Types that convert to the type of a parameter. */
const SUITABLE: Partial<Record<ParameterType, (type: ValueType, value: KnownValue) => boolean>> = {
  text: type => type === 'text' || type === 'number' || type === 'boolean',
  number: (type, value) => type === 'number' || (type === 'text' && isNumericText(value)),
  integer: (type, value) => isWhole(type, value, Number.MIN_SAFE_INTEGER),
  count: (type, value) => isWhole(type, value, 0),
  date: type => type === 'text' || type === 'number',
};

function isNumericText(value: KnownValue): boolean {
  return typeof value !== 'string' || isNumeral(value.trim());
}

function isWhole(type: ValueType, value: KnownValue, min: number): boolean {
  if (value === undefined) return type === 'number' || type === 'text';
  return Number.isSafeInteger(value) && Number(value) >= min;
}
