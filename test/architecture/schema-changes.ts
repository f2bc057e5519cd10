import { buildSchema, findBreakingChanges } from 'graphql';
import { codesOf } from './codes-of.js';

/**
 * Returns the breaking changes from `released` to `present` (both SDL) that no decision accepts, in the words of
 * graphql-js. A decision record accepts a change by quoting these words as code: `Project.name was removed.`, also
 * across line ends.
 */
export function undecidedChanges(released: string, present: string, decisionRecords: readonly string[]): string[] {
  const quoted = new Set(decisionRecords.flatMap(codesOf));
  return findBreakingChanges(buildSchema(released), buildSchema(present))
    .map(({ description }) => description)
    .filter(description => !quoted.has(description));
}
