import { buildSchema, findBreakingChanges } from 'graphql';
import { codesOf } from './codes-of.js';

/**
 * What of a schema's change breaks clients and is not decided: each breaking change from `released` to `present`, both in
 * SDL, as graphql-js words it. It is decided when a note quotes those words as code: `Project.name was removed.`, across
 * the line ends of the note.
 */
export function undecidedChanges(released: string, present: string, notes: readonly string[]): string[] {
  const quoted = new Set(notes.flatMap(codesOf));
  return findBreakingChanges(buildSchema(released), buildSchema(present))
    .map(({ description }) => description)
    .filter(description => !quoted.has(description));
}
