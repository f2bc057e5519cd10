import type { Evaluation } from '../evaluation.js';
import type { ParameterType, ValueType } from '../value-types.js';

/** A parameter of a function. `isRest`: takes all further arguments, each of the type. */
export interface Parameter {
  name: string;
  type: ParameterType;
  isOptional: boolean;
  isRest: boolean;
}

/** Sections of the documentation, in their order. */
export const FUNCTION_GROUPS = ['text', 'list', 'map', 'number', 'date', 'encoding', 'value'] as const;
export type FunctionGroup = (typeof FUNCTION_GROUPS)[number];

/** A call and its result, which a test checks. */
export type Example = readonly [expression: string, result: unknown];

/** A function, or filter, of the expression language. */
export interface ExpressionFunction {
  name: string;
  /** Such as `truncate(text: text, length: count): text`. */
  signature: string;
  parameters: readonly Parameter[];
  returns: ValueType;
  description: string;
  examples: readonly Example[];
  /** True if it accepts arguments without a value. All others have no value then. */
  takesMissing: boolean;
  /**
   * Its arguments have the types of the parameters. It returns undefined for a missing value. The call charges the arguments of
   * the types text, list and map and a returned text or list; the function charges its other work in proportion to a value.
   */
  run(evaluation: Evaluation, ...args: never[]): unknown;
}

/** The value of an argument of the type `function`: takes an item and its index. Returns null for a missing value. */
export type ItemFunction = (item: unknown, index: number) => unknown;

/**
 * Defines a function by its signature, such as `truncate(text: text, length: count): text`. `?` behind a name marks an
 * optional parameter, `...` in front of it takes all further arguments.
 */
export function defineFunction(
  signature: string,
  description: string,
  examples: readonly Example[],
  run: ExpressionFunction['run'],
  takesMissing = false,
): ExpressionFunction {
  const open = signature.indexOf('(');
  const close = signature.lastIndexOf(')');
  const list = signature.slice(open + 1, close);
  return {
    name: signature.slice(0, open),
    signature,
    parameters: list === '' ? [] : list.split(', ').map(toParameter),
    returns: signature.slice(close + 3) as ValueType,
    description,
    examples,
    takesMissing,
    run,
  };
}

function toParameter(text: string): Parameter {
  const [name = '', type] = text.split(': ');
  return {
    name: name.replace('...', '').replace('?', ''),
    type: type as ParameterType,
    isOptional: name.endsWith('?') || name.startsWith('...'),
    isRest: name.startsWith('...'),
  };
}
