import { isObject, type JsonObject } from '../../../json-value.js';

/**
 * A subset of JSON Schema: types, required members, enumerations, and these inside objects and lists. Other keywords
 * (patterns, references, combinations) are ignored; the called tool validates them. Schemas come from users, so they
 * are never compiled and their patterns are never executed.
 */

const TYPES: Readonly<Record<string, ((value: unknown) => boolean) | undefined>> = Object.assign(Object.create(null), {
  string: (value: unknown) => typeof value === 'string',
  number: (value: unknown) => typeof value === 'number',
  integer: (value: unknown) => Number.isInteger(value),
  boolean: (value: unknown) => typeof value === 'boolean',
  object: isObject,
  array: Array.isArray,
  null: (value: unknown) => value === null,
});

/** Returns the fault of a schema with its path, or undefined. */
export function schemaFault(schema: unknown, path = ''): string | undefined {
  if (typeof schema === 'boolean') return undefined;
  if (!isObject(schema)) return at(path, 'must be a schema, an object');
  for (const [keyword, isValid, expectation] of KEYWORDS) {
    if (schema[keyword] !== undefined && !isValid(schema[keyword])) return at(join(path, keyword), expectation);
  }
  const { properties, items } = schema;
  for (const [name, inner] of Object.entries(properties ?? {})) {
    const fault = schemaFault(inner, join(path, `properties.${name}`));
    if (fault !== undefined) return fault;
  }
  return items === undefined || Array.isArray(items) ? undefined : schemaFault(items, join(path, 'items'));
}

/** The supported keywords with a check of their values. */
const KEYWORDS: readonly [keyword: string, isValid: (value: unknown) => boolean, expectation: string][] = [
  [
    'type',
    type => typesOf({ type }).every(name => TYPES[name]),
    `must be one of ${Object.keys(TYPES).join(', ')}, or a list of them`,
  ],
  [
    'required',
    names => Array.isArray(names) && names.every(name => typeof name === 'string'),
    'must be a list of names',
  ],
  ['enum', Array.isArray, 'must be a list'],
  ['properties', isObject, 'must be an object'],
];

/** Returns the fault of a value, worded for the model or user that wrote it, or undefined. */
export function valueFault(value: unknown, schema: unknown, path = ''): string | undefined {
  if (schema === false) return at(path, 'is not allowed');
  if (!isObject(schema)) return undefined;
  const types = typesOf(schema);
  if (types.length > 0 && !types.some(name => TYPES[name]?.(value))) {
    return at(path, `must be of the type ${types.join(' or ')}`);
  }
  if (Array.isArray(schema.enum) && !schema.enum.some(allowed => JSON.stringify(allowed) === JSON.stringify(value))) {
    return at(path, `must be one of ${schema.enum.map(allowed => JSON.stringify(allowed)).join(', ')}`);
  }
  if (isObject(value)) return memberFault(value, schema, path);
  const { items } = schema;
  if (!Array.isArray(value) || !isObject(items)) return undefined;
  for (const [index, item] of value.entries()) {
    const fault = valueFault(item, items, join(path, String(index)));
    if (fault !== undefined) return fault;
  }
  return undefined;
}

function memberFault(value: JsonObject, schema: JsonObject, path: string): string | undefined {
  const properties = isObject(schema.properties) ? schema.properties : {};
  const required: unknown[] = Array.isArray(schema.required) ? schema.required : [];
  for (const name of required) {
    if (typeof name === 'string' && !Object.hasOwn(value, name)) return at(join(path, name), 'is required');
  }
  for (const [name, member] of Object.entries(value)) {
    const isKnown = Object.hasOwn(properties, name);
    if (!isKnown && schema.additionalProperties === false) return at(join(path, name), 'is not allowed');
    const fault = isKnown ? valueFault(member, properties[name], join(path, name)) : undefined;
    if (fault !== undefined) return fault;
  }
  return undefined;
}

function typesOf({ type }: JsonObject): string[] {
  return (Array.isArray(type) ? type : [type]).flatMap(name => (name === undefined ? [] : [String(name)]));
}

function join(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`;
}

function at(path: string, message: string): string {
  return path === '' ? message : `${path} ${message}`;
}
