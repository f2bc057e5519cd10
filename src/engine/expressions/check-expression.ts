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
import { type ParameterType, TYPE_NAMES, typeOf, type ValueType } from './value-types.js';

/** Returns the problems that are known without values: unknown functions, numbers of arguments, unsuitable types. */
export function checkExpression(expression: Expression): TemplateProblem[] {
  const checker = new Checker();
  checker.typeOf(expression);
  return checker.problems;
}

const ARITHMETIC: ReadonlySet<ValueType> = new Set<ValueType>(['any', 'number', 'text']);
const CONTAINERS: ReadonlySet<ValueType> = new Set<ValueType>(['any', 'list', 'map', 'text']);

class Checker {
  readonly problems: TemplateProblem[] = [];

  /** Checks an expression and returns the type of its value, as far as it is known. */
  typeOf(part: Expression | Lambda): ValueType {
    switch (part.kind) {
      case 'literal':
        return typeOf(part.value);
      case 'reference':
        return typeOfReference(part.reference);
      case 'parameter':
        return 'any';
      case 'call':
        return this.#call(part);
      case 'binary':
        return this.#binary(part.operator, this.typeOf(part.left), this.typeOf(part.right));
      case 'logical':
        return this.#either(part.left, part.right, part.operator === '??');
      case 'choice':
        this.typeOf(part.test);
        return this.#either(part.yes, part.no, true);
      default:
        return this.#composite(part);
    }
  }

  #composite(part: Exclude<Expression, Call> | Lambda): ValueType {
    switch (part.kind) {
      case 'member':
        this.typeOf(part.of);
        this.typeOf(part.key);
        return 'any';
      case 'not':
        this.typeOf(part.of);
        return 'boolean';
      case 'negate':
        this.#operand('-', this.typeOf(part.of), ARITHMETIC);
        return 'number';
      case 'list':
        for (const item of part.items) this.typeOf(item);
        return 'list';
      case 'map':
        for (const [, value] of part.entries) this.typeOf(value);
        return 'map';
      case 'lambda':
        this.typeOf(part.body);
        return 'any';
      default:
        return 'any';
    }
  }

  /** `isOneOfThem`: the result is one of the two values; otherwise it is a boolean. */
  #either(left: Expression, right: Expression, isOneOfThem: boolean): ValueType {
    const [one, other] = [this.typeOf(left), this.typeOf(right)];
    if (!isOneOfThem) return 'boolean';
    return one === other ? one : 'any';
  }

  #binary(operator: BinaryOperator, left: ValueType, right: ValueType): ValueType {
    switch (operator) {
      case '+':
        return this.#sum(left, right);
      case '-':
      case '*':
      case '/':
      case '%':
        this.#operand(operator, left, ARITHMETIC);
        this.#operand(operator, right, ARITHMETIC);
        return 'number';
      case 'in':
        this.#operand('in', right, CONTAINERS);
        return 'boolean';
      default:
        return 'boolean';
    }
  }

  #sum(left: ValueType, right: ValueType): ValueType {
    if (left === 'text' || right === 'text') return 'text';
    const types = [left, right];
    if (types.every(type => type === 'any' || type === 'number' || type === 'list')) {
      return left === right ? left : 'any';
    }
    this.#report('malformed_placeholder', '+ adds numbers, or joins texts or lists');
    return 'any';
  }

  #operand(operator: string, type: ValueType, allowed: ReadonlySet<ValueType>): void {
    if (allowed.has(type)) return;
    const names = [...allowed].filter(each => each !== 'any').map(each => TYPE_NAMES[each]);
    this.#report('malformed_placeholder', `${operator} takes ${names.join(' or ')}, not ${TYPE_NAMES[type]}`);
  }

  #call(call: Call): ValueType {
    const called = functions.get(call.name);
    if (!called) {
      for (const argument of call.args) this.typeOf(argument);
      this.#reportUnknown(call);
      return 'any';
    }
    this.#checkCount(call, called);
    for (const [index, argument] of call.args.entries()) this.#checkArgument(call, called, argument, index);
    return called.returns;
  }

  #checkCount(call: Call, called: ExpressionFunction): void {
    const { parameters } = called;
    const min = parameters.filter(({ isOptional }) => !isOptional).length;
    const max = parameters.at(-1)?.isRest ? Number.POSITIVE_INFINITY : parameters.length;
    if (call.args.length < min || call.args.length > max) this.#reportCount(call, called);
  }

  #checkArgument(call: Call, called: ExpressionFunction, argument: Expression | Lambda, index: number): void {
    const type = this.typeOf(argument);
    const rest = called.parameters.find(({ isRest }) => isRest);
    const parameter = called.parameters[index] ?? rest;
    if (!parameter || (type === 'null' && parameter.isOptional && parameter !== rest)) return;
    if (!accepts(parameter.type, argument, type)) this.#reportArgument(call, called, parameter);
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

function typeOfReference({ root, member, path }: Reference): ValueType {
  if (root === 'now') return 'text';
  if (root === 'run') return path[0] === 'workflow_id' ? 'any' : 'text';
  return member === 'content' || member === 'status' ? 'text' : 'any';
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
  integer: (type, value) => type === 'number' && isWhole(value, Number.MIN_SAFE_INTEGER),
  count: (type, value) => type === 'number' && isWhole(value, 0),
  date: type => type === 'text' || type === 'number',
};

function isNumericText(value: KnownValue): boolean {
  return typeof value !== 'string' || isNumeral(value.trim());
}

function isWhole(value: KnownValue, min: number): boolean {
  return value === undefined || (Number.isSafeInteger(value) && Number(value) >= min);
}
