import type { Reference } from './expression.js';
import type { ValueType } from './value-types.js';

/** The types that a value can have. */
export type ValueTypes = readonly ValueType[];

/** Returns the types that the value of a reference can have. */
export type ReferenceTypes = (reference: Reference) => ValueTypes;

export const ANY: ValueTypes = ['any'];
const TEXT: ValueTypes = ['text'];
const NUMBER: ValueTypes = ['number'];

/** Members of the error of a node. `status` is null without a response. */
const ERROR_MEMBERS: ReadonlyMap<string, ValueTypes> = new Map([
  ['code', TEXT],
  ['message', TEXT],
  ['status', ['number', 'null']],
  ['attempts', NUMBER],
]);

/** Members of the usage of a node. Amounts are exact decimal texts. */
const USAGE_MEMBERS: ReadonlyMap<string, ValueTypes> = new Map([
  ['prompt_tokens', NUMBER],
  ['completion_tokens', NUMBER],
  ['total_tokens', NUMBER],
  ['cost_usd', ['text', 'null']],
  ['saved_usd', TEXT],
  ['finish_reason', TEXT],
]);

const NONE: ValueTypes = [];
const WITH_MEMBERS: ReadonlySet<ValueType> = new Set<ValueType>(['any', 'list', 'map']);

/** Returns the types that are known without a graph, also where a missing value has a substitute. */
export function typesOfReference({ root, member, path }: Reference): ValueTypes {
  if (root === 'now') return TEXT;
  if (root === 'run') return path[0] === 'workflow_id' ? ANY : TEXT;
  return member === 'content' || member === 'status' ? TEXT : ANY;
}

/** Returns the types of references in a graph whose input fields have the types `inputs`. None: it never has a value. */
export function typesInGraph(inputs: ReadonlyMap<string, ValueTypes>): ReferenceTypes {
  return reference => {
    const { root, member, path } = reference;
    if (root === 'env') return TEXT;
    if (root === 'input') return typesOfMember(inputs, path);
    if (member === 'http_status') return ['number', 'null'];
    if (member === 'error') return typesOfMember(ERROR_MEMBERS, path);
    if (member === 'usage') return typesOfMember(USAGE_MEMBERS, path);
    return typesOfReference(reference);
  };
}

function typesOfMember(members: ReadonlyMap<string, ValueTypes>, [name, ...rest]: readonly string[]): ValueTypes {
  if (name === undefined) return ['map'];
  const types = members.get(name) ?? ANY;
  if (rest.length === 0) return types;
  return types.some(type => WITH_MEMBERS.has(type)) ? ANY : NONE;
}
