import { RE2JS, RE2JSException } from 're2js';
import { isObject } from '../json-value.js';

/** Maximum number of characters of a pattern, and of instructions of its compiled program. */
const MAX_PATTERN_CHARACTERS = 1000;
const MAX_INSTRUCTIONS = 10_000;

/** The types of JSON Schema with their checks. */
export const TYPES: Readonly<Record<string, ((value: unknown) => boolean) | undefined>> = Object.assign(
  Object.create(null),
  {
    string: (value: unknown) => typeof value === 'string',
    number: (value: unknown) => typeof value === 'number',
    integer: (value: unknown) => Number.isInteger(value),
    boolean: (value: unknown) => typeof value === 'boolean',
    object: isObject,
    array: Array.isArray,
    null: (value: unknown) => value === null,
  },
);

/** Keywords whose value is one schema. */
export const SCHEMA_KEYWORDS = [
  'items',
  'additionalProperties',
  'propertyNames',
  'contains',
  'not',
  'if',
  'then',
  'else',
];
/** Keywords whose value is a list of schemas. */
export const SCHEMA_LIST_KEYWORDS = ['allOf', 'anyOf', 'oneOf', 'prefixItems'];
/** Keywords whose value is an object of schemas. */
export const SCHEMA_MAP_KEYWORDS = ['properties', 'patternProperties', 'dependentSchemas', '$defs', 'definitions'];

/** Keywords that change the meaning of others and are not evaluated. */
export const UNSUPPORTED_KEYWORDS = [
  'unevaluatedItems',
  'unevaluatedProperties',
  '$dynamicRef',
  '$recursiveRef',
  '$anchor',
  '$dynamicAnchor',
  'additionalItems',
  'dependencies',
];

type Keyword = readonly [keyword: string, isValid: (value: unknown) => boolean, expectation: string];

const isNumber = (value: unknown) => typeof value === 'number';
const isCount = (value: unknown) => Number.isInteger(value) && (value as number) >= 0;
const isText = (value: unknown): value is string => typeof value === 'string';
const isNameList = (value: unknown) => Array.isArray(value) && value.every(isText);

const NUMBERS = ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'];
const COUNTS = [
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'minProperties',
  'maxProperties',
  'minContains',
  'maxContains',
];
const PATTERN_EXPECTATION = `must be a pattern in the syntax of RE2 with at most ${MAX_PATTERN_CHARACTERS} characters`;

/** The evaluated keywords with a check of their values. */
export const KEYWORDS: readonly Keyword[] = [
  [
    'type',
    type => typeNames(type).every(name => TYPES[name]),
    `must be one of ${Object.keys(TYPES).join(', ')}, or a list of them`,
  ],
  ['required', isNameList, 'must be a list of names'],
  ['enum', Array.isArray, 'must be a list'],
  ...NUMBERS.map((name): Keyword => [name, isNumber, 'must be a number']),
  ...COUNTS.map((name): Keyword => [name, isCount, 'must be a whole number of at least 0']),
  ['multipleOf', value => isNumber(value) && (value as number) > 0, 'must be a number above 0'],
  ['uniqueItems', value => typeof value === 'boolean', 'must be true or false'],
  ['pattern', value => isText(value) && compilePattern(value) !== undefined, PATTERN_EXPECTATION],
  ...SCHEMA_MAP_KEYWORDS.map((name): Keyword => [name, isObject, 'must be an object']),
  [
    'patternProperties',
    value => isObject(value) && Object.keys(value).every(pattern => compilePattern(pattern) !== undefined),
    `must be an object; each name ${PATTERN_EXPECTATION}`,
  ],
  ...SCHEMA_LIST_KEYWORDS.map((name): Keyword => [name, Array.isArray, 'must be a list of schemas']),
  [
    'dependentRequired',
    value => isObject(value) && Object.values(value).every(isNameList),
    'must be an object of lists of names',
  ],
  ['$ref', value => isText(value) && /^#(?:\/|$)/.test(value), 'must refer to a part of this schema, as #/$defs/name'],
];

/** Returns the names in the value of `type`. */
export function typeNames(type: unknown): string[] {
  return (Array.isArray(type) ? type : [type]).flatMap(name => (name === undefined ? [] : [String(name)]));
}

/** Compiles a pattern, which matches in linear time. Returns undefined if it is invalid or too large. */
export function compilePattern(pattern: string): RE2JS | undefined {
  if (pattern.length > MAX_PATTERN_CHARACTERS) return undefined;
  try {
    const compiled = RE2JS.compile(pattern);
    return compiled.programSize() <= MAX_INSTRUCTIONS ? compiled : undefined;
  } catch (error) {
    if (error instanceof RE2JSException) return undefined;
    throw error;
  }
}

/** Resolves a reference within a schema, such as `#/$defs/item`. Returns undefined if it refers to nothing. */
export function resolveReference(root: unknown, reference: string): unknown {
  const names = reference.slice(1).split('/').slice(1).map(unescapePointer);
  return names.reduce<unknown>((value, name) => {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
    return (value as Record<string, unknown>)[name];
  }, root);
}

/** Decodes a name of a JSON Pointer in a URI fragment (RFC 6901). */
function unescapePointer(name: string): string {
  const plain = name.replaceAll('~1', '/').replaceAll('~0', '~');
  try {
    return decodeURIComponent(plain);
  } catch {
    return plain;
  }
}

/** Appends a name to a dotted path. */
export function joinPath(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`;
}

/** Writes a fault with its path, which is empty for the value itself. */
export function faultAt(path: string, message: string): string {
  return path === '' ? message : `${path} ${message}`;
}
