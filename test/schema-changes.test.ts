import { readdirSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { undecidedChanges } from './architecture/schema-changes.js';
import { ROOT, readPage } from './support/readme/readme.js';

const NOTES = 'docs/adr';

describe('schema.graphql', () => {
  it('breaks nothing of docs/released/schema.graphql that no note in docs/adr names', () => {
    const notes = readdirSync(path.join(ROOT, NOTES)).map(name => readPage(`${NOTES}/${name}`));
    expect(undecidedChanges(readPage('docs/released/schema.graphql'), readPage('schema.graphql'), notes)).toEqual([]);
  });
});

describe('the comparison with the released schema', () => {
  const released = `
    "A project."
    type Project implements Named { id: Int!  name: String!  owner: User  tags(first: Int): [String!]! }
    type User { id: Int! }
    type Note { text: String! }
    interface Named { name: String! }
    union Found = Project | User
    enum Role { OWNER VIEWER }
    input ProjectInput { name: String!  note: String }
    directive @shown(to: Role) on FIELD
    type Query { project(id: Int!, role: Role): Project  found: [Found!]!  note: Note }
    type Mutation { projectCreate(input: ProjectInput!): Project! }
  `;
  const changed = (from: string, to: string): string => {
    expect(released).toContain(from);
    return released.replace(from, to);
  };

  it('takes the same schema, and one that has grown', () => {
    const grown = [
      changed('type User { id: Int! }', 'type User { id: Int!  email: String } type Team { id: Int! }'),
      changed('note: String }', 'note: String  color: String = "red" }'),
      changed('found: [Found!]!', 'found(limit: Int = 10): [Found!]!'),
      changed('owner: User ', 'owner: User! '),
      changed('OWNER VIEWER', 'OWNER EDITOR VIEWER'),
      changed('input: ProjectInput!', 'input: ProjectInput'),
      changed('"A project."', '"A project, in other words."'),
      changed('name: String!  owner', 'name: String! @deprecated(reason: "title")  owner'),
    ];
    for (const present of [released, ...grown]) expect(undecidedChanges(released, present, [])).toEqual([]);
  });

  it.each([
    ['owner: User ', '', 'Project.owner was removed.'],
    ['name: String!  owner', 'name: String  owner', 'Project.name changed type from String! to String.'],
    ['type Note { text: String! }', 'type Note { text: Int! }', 'Note.text changed type from String! to Int!.'],
    ['(first: Int)', '', 'Project.tags arg first was removed.'],
    ['(first: Int)', '(first: Int!)', 'Project.tags arg first has changed type from Int to Int!.'],
    ['found: [', 'found(text: String!): [', 'A required arg text on Query.found was added.'],
    ['note: String }', 'note: String! }', 'ProjectInput.note changed type from String to String!.'],
    ['note: String }', '}', 'ProjectInput.note was removed.'],
    ['note: String }', 'note: String  size: Int! }', 'A required field size on input type ProjectInput was added.'],
    ['OWNER VIEWER', 'OWNER', 'VIEWER was removed from enum type Role.'],
    ['Project | User', 'Project', 'User was removed from union type Found.'],
    [' implements Named', '', 'Project no longer implements interface Named.'],
    ['directive @shown(to: Role) on FIELD', '', 'shown was removed.'],
    ['type User {', 'interface User {', 'User changed from an Object type to an Interface type.'],
  ])('refuses to replace %j by %j', (from, to, words) => {
    let present = changed(from, to);
    if (from.startsWith('type User')) present = present.replace('Project | User', 'Project');
    expect(undecidedChanges(released, present, [])).toContain(words);
    const note = `**Decision.** It goes:\n\n- \`${words.replace(' ', '\n  ')}\`\n`;
    expect(undecidedChanges(released, present, ['# 0001 Another note', note])).not.toContain(words);
  });

  it('wants the change itself in a note, in full and as code', () => {
    const present = changed('owner: User ', '');
    const notes = [
      'Project.owner was removed.',
      'Of `Project.owner` no client made use.',
      '`MyProject.owner was removed.`',
      '`Project.owner` was removed.',
    ];
    for (const note of notes)
      expect(undecidedChanges(released, present, [note])).toEqual(['Project.owner was removed.']);
  });

  it('reports each change separately', () => {
    const present = changed('owner: User ', '').replace('(first: Int)', '');
    expect(undecidedChanges(released, present, ['`Project.owner was removed.`'])).toEqual([
      'Project.tags arg first was removed.',
    ]);
  });
});
