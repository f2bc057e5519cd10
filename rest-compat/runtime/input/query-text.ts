import { type GraphQLInputType, getNamedType, getNullableType, isListType } from 'graphql';
import { type Input, sentName } from './inputs.js';

const NO_VALUES: ReadonlyMap<string, unknown> = new Map();

/**
 * Parses query parameters to JSON values, by the name in the query. Unknown parameters are ignored. Of a repeated parameter
 * that is not a list, the last value counts.
 */
export function readQuery(inputs: readonly Input[], query: string): ReadonlyMap<string, unknown> {
  if (query === '') return NO_VALUES;
  const parameters = new URLSearchParams(query);
  const values = new Map<string, unknown>();
  for (const input of inputs) {
    if (input.location !== 'query') continue;
    const name = sentName(input, candidate => parameters.has(candidate)) ?? input.name;
    const texts = parameters.getAll(name);
    if (texts.length === 0) continue;
    const parsed = texts.map(text => parseText(input.type, text));
    values.set(name, isListType(getNullableType(input.type)) ? parsed : parsed.at(-1));
  }
  return values;
}

const booleans = new Map([
  ['true', true],
  ['True', true],
  ['1', true],
  ['false', false],
  ['False', false],
  ['0', false],
]);

/** Converts a text to a JSON value of the type. An invalid text stays a text, so that validation reports it. */
export function parseText(type: GraphQLInputType, text: string): unknown {
  switch (getNamedType(type).name) {
    case 'Int':
      return /^-?\d{1,15}$/.test(text) ? Number(text) : text;
    case 'Float':
      return /^-?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i.test(text) ? Number(text) : text;
    case 'Boolean':
      return booleans.get(text) ?? text;
    default:
      return text;
  }
}
