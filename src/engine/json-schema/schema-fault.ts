import { isObject, isShallow, type JsonObject, MAX_DEPTH } from '../json-value.js';
import {
  faultAt,
  joinPath,
  KEYWORDS,
  resolveReference,
  SCHEMA_KEYWORDS,
  SCHEMA_LIST_KEYWORDS,
  SCHEMA_MAP_KEYWORDS,
  UNSUPPORTED_KEYWORDS,
} from './keywords.js';

/** Maximum length of a schema as JSON text in characters. */
export const MAX_SCHEMA = 65_536;

/**
 * Returns the fault of a JSON Schema (2020-12) of a user with its path, or undefined. Schemas are interpreted and never
 * compiled to code. References stay within the schema, and patterns are those of RE2. `format` is an annotation.
 */
export function schemaFault(schema: unknown): string | undefined {
  if (!isShallow(schema)) return `must be nested at most ${MAX_DEPTH} deep`;
  if ((JSON.stringify(schema) ?? '').length > MAX_SCHEMA) return `must have at most ${MAX_SCHEMA} characters`;
  return faultOf(schema, '', schema);
}

function faultOf(schema: unknown, path: string, root: unknown): string | undefined {
  if (typeof schema === 'boolean') return undefined;
  if (!isObject(schema)) return faultAt(path, 'must be a schema, an object');
  return keywordFault(schema, path, root) ?? innerFault(schema, path, root);
}

function keywordFault(schema: JsonObject, path: string, root: unknown): string | undefined {
  for (const [keyword, isValid, expectation] of KEYWORDS) {
    const value = schema[keyword];
    if (value !== undefined && !isValid(value)) return faultAt(joinPath(path, keyword), expectation);
  }
  const unsupported = UNSUPPORTED_KEYWORDS.find(keyword => Object.hasOwn(schema, keyword));
  if (unsupported !== undefined) return faultAt(joinPath(path, unsupported), 'is not supported');
  if (path !== '' && schema.$id !== undefined) return faultAt(joinPath(path, '$id'), 'is supported only at the top');
  const { $ref: reference } = schema;
  if (typeof reference !== 'string' || resolveReference(root, reference) !== undefined) return undefined;
  return faultAt(joinPath(path, '$ref'), 'refers to a part that does not exist');
}

function innerFault(schema: JsonObject, path: string, root: unknown): string | undefined {
  for (const [at, inner] of innerSchemas(schema)) {
    const fault = faultOf(inner, joinPath(path, at), root);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

function* innerSchemas(schema: JsonObject): Generator<[path: string, schema: unknown]> {
  for (const keyword of SCHEMA_KEYWORDS) if (schema[keyword] !== undefined) yield [keyword, schema[keyword]];
  for (const keyword of SCHEMA_LIST_KEYWORDS) {
    const list = schema[keyword];
    if (Array.isArray(list)) for (const [index, inner] of list.entries()) yield [`${keyword}.${index}`, inner];
  }
  for (const keyword of SCHEMA_MAP_KEYWORDS) {
    const map = schema[keyword];
    if (isObject(map)) for (const [name, inner] of Object.entries(map)) yield [`${keyword}.${name}`, inner];
  }
}
