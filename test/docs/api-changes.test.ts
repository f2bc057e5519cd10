import { describe, expect, it } from '@jest/globals';
import { buildSchema, findBreakingChanges } from 'graphql';
import { readPage } from '../support/readme/readme.js';

/** The breaking changes since the first version of the schema, in the words of graphql-js, one a line. */
const EARLIER = readPage('test/docs/schema-breaks.txt').trim().split('\n');
const page = readPage('docs/api-changes.md');

/** Changes that one sentence of the page describes for all fields of a form. */
const RULES: readonly [change: RegExp, sentence: string][] = [
  [/^Mutation\.\w+ changed type from .+ to \w+Payload\.$/, 'Every mutation returns a nullable payload'],
  [/^Query\.\w+ changed type from (.+)! to \1\.$/, 'all root fields of `Query` are nullable'],
  [/^\S+ arg \w+ has changed type from (\w+) to \1!\.$/, 'Arguments with a default value reject null'],
  [/^(\w+)\.\w+ changed type from \[(\w+)!\]! to \2Page!\.$/, 'Lists of nested objects are pages'],
];

/** The identifiers in the code spans of each paragraph and of each row of a table. Of `…CreateInput` also the part after `…`. */
const identifierGroups = page.split(/\n\n|\n(?=\|)/).map(text => {
  const words = [...text.matchAll(/`([^`]+)`/g)].flatMap(([, code]) => code!.split(/[^\w…]+/));
  return new Set(words.concat(words.flatMap(word => (word.startsWith('…') ? [word.slice(1)] : []))));
});

/** Whether a row or paragraph names the type and the member. Forms such as `…CreateInput` name all types with this end. */
function isNamed(description: string): boolean {
  if (RULES.some(([change, sentence]) => change.test(description) && page.includes(sentence))) return true;
  const names = namesIn(description);
  const forms = (name: string) => [name, ...['CreateInput', 'Filter'].filter(end => name.endsWith(end))];
  return identifierGroups.some(words => names.every(name => forms(name).some(form => words.has(form))));
}

/** Returns the type, the member and the argument that a description names. */
function namesIn(description: string): string[] {
  const patterns = [
    /^A required (?:field|arg) (?<member>\w+) on (?:input type )?(?<type>[\w.]+) was added/,
    /^(?<member>\w+) was removed from enum type (?<type>\w+)/,
    /^(?<type>[\w.]+)(?: arg (?<member>\w+))? (?:has )?(?:was removed|changed type)/,
  ];
  const { type = '', member } = patterns.map(each => each.exec(description)?.groups).find(groups => groups) ?? {};
  return [...type.split('.'), ...(member === undefined ? [] : [member])];
}

describe('docs/api-changes.md', () => {
  it('names each breaking change before the first release', () => {
    expect(EARLIER.length).toBeGreaterThan(300);
    expect(EARLIER.filter(each => !isNamed(each))).toEqual([]);
  });

  it('names each breaking change since docs/released/schema.graphql', () => {
    const changes = findBreakingChanges(
      buildSchema(readPage('docs/released/schema.graphql')),
      buildSchema(readPage('schema.graphql')),
    );
    expect(changes.map(({ description }) => description).filter(each => !isNamed(each))).toEqual([]);
  });

  it('does not accept a change of a type or member that it does not name', () => {
    expect(['Project.name was removed.', 'X.y changed type from Int to Int!.'].filter(isNamed)).toEqual([]);
  });
});
