import type { Expression, Lambda, Reference } from './expression.js';
import { functions } from './functions/index.js';

/** `isOptional`: the expression does not fail, or is not evaluated, if the reference has no value. */
type Visit = (reference: Reference, isOptional: boolean) => void;

/** Calls `visit` for each reference of an expression, in order. */
export function eachReference(expression: Expression | Lambda, visit: Visit, isOptional = false): void {
  if (expression.kind === 'reference') {
    visit(expression.reference, isOptional);
    return;
  }
  for (const [part, isPartOptional] of partsOf(expression)) eachReference(part, visit, isOptional || isPartOptional);
}

type Part = readonly [part: Expression | Lambda, isOptional: boolean];

const required = (part: Expression | Lambda): Part => [part, false];

/** The direct parts of an expression, and whether it needs no value or no evaluation of them. */
function partsOf(expression: Expression | Lambda): readonly Part[] {
  switch (expression.kind) {
    case 'member':
      return [expression.of, expression.key].map(required);
    case 'not':
    case 'negate':
      return [required(expression.of)];
    case 'binary':
      return [expression.left, expression.right].map(required);
    case 'logical':
      return operandsOf(expression);
    case 'choice':
      return [required(expression.test), [expression.yes, true], [expression.no, true]];
    case 'list':
      return expression.items.map(required);
    case 'map':
      return expression.entries.map(([, value]) => required(value));
    case 'call': {
      const takesMissing = functions.get(expression.name)?.takesMissing === true;
      return expression.args.map(argument => [argument, takesMissing]);
    }
    case 'lambda':
      return [required(expression.body)];
    default:
      return [];
  }
}

/** The right operand of `??` is the last resort; those of `and` and `or` may be guarded by the left ones. */
function operandsOf({ operator, left, right }: Extract<Expression, { kind: 'logical' }>): readonly Part[] {
  const isSubstitute = operator === '??';
  return [
    [left, isSubstitute],
    [right, !isSubstitute],
  ];
}
