import type { Literal } from './expression.js';

/** Maximum number of names in a path. */
export const MAX_SEGMENTS = 32;
/** Maximum number of filters behind one value. */
export const MAX_FILTERS = 16;
/** A name in a path: any characters except those with a meaning in expressions. */
export const SEGMENT = /[^\s.|{}:"'()[\],]+/y;
/** Names of constants. */
export const CONSTANTS: ReadonlyMap<string, Literal> = new Map([
  ['true', true],
  ['false', false],
  ['null', null],
]);
