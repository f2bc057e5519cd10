import { dateFunctions } from './date-functions.js';
import { encodingFunctions } from './encoding-functions.js';
import { type ExpressionFunction, FUNCTION_GROUPS, type FunctionGroup } from './function-kind.js';
import { listFunctions } from './list-functions.js';
import { mapFunctions } from './map-functions.js';
import { numberFunctions } from './number-functions.js';
import { textFunctions } from './text-functions.js';
import { valueFunctions } from './value-functions.js';

/** All functions by section, in the order of the documentation. */
export const functionGroups: Readonly<Record<FunctionGroup, readonly ExpressionFunction[]>> = {
  text: textFunctions,
  list: listFunctions,
  map: mapFunctions,
  number: numberFunctions,
  date: dateFunctions,
  encoding: encodingFunctions,
  value: valueFunctions,
};

/** The functions and filters of the expression language, by name. */
export const functions: ReadonlyMap<string, ExpressionFunction> = new Map(
  FUNCTION_GROUPS.flatMap(group => functionGroups[group]).map(each => [each.name, each]),
);
