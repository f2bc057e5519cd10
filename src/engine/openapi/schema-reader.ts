import {
  compilePattern,
  resolveReference,
  SCHEMA_KEYWORDS,
  SCHEMA_LIST_KEYWORDS,
  SCHEMA_MAP_KEYWORDS,
  typeNames,
  UNSUPPORTED_KEYWORDS,
} from '../json-schema/keywords.js';
import { isObject, type JsonObject } from '../json-value.js';
import { numberedName } from '../text/numbered-name.js';
import { OpenApiError } from './open-api-error.js';

/** Maximum number of schemas of one operation, including those that it refers to. */
const MAX_SCHEMAS = 3000;
const MAX_NESTING = 40;
const MAX_DESCRIPTION = 1000;

const COPIED_KEYWORDS = [
  'type',
  'enum',
  'const',
  'required',
  'format',
  'default',
  'title',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'uniqueItems',
  'minProperties',
  'maxProperties',
  'minContains',
  'maxContains',
  'dependentRequired',
];

/** The schemas of an operation are too large for a tool. */
export class SchemaTooLarge extends Error {}

/**
 * Converts schemas of OpenAPI 3.0 and 3.1 to JSON Schema 2020-12. References within the document become references to
 * `$defs`, so that recursive schemas end.
 */
export class SchemaReader {
  /** The name in `$defs` of each reference. */
  readonly #names = new Map<string, string>();
  readonly #used = new Set<string>();
  readonly #pending: string[] = [];
  #count = 0;

  constructor(private readonly document: JsonObject) {}

  /** Throws a SchemaTooLarge, or an OpenApiError for a reference that leaves the document. */
  convert(schema: unknown): unknown {
    return this.#convert(schema, 0);
  }

  /** Returns the schemas to which the converted ones refer. Call it after the last `convert`. */
  definitions(): JsonObject {
    const definitions: JsonObject = {};
    for (let reference = this.#pending.shift(); reference !== undefined; reference = this.#pending.shift())
      definitions[this.#names.get(reference)!] = this.#convert(resolveReference(this.document, reference), 0);
    return definitions;
  }

  #convert(schema: unknown, nesting: number): unknown {
    if (++this.#count > MAX_SCHEMAS || nesting > MAX_NESTING) throw new SchemaTooLarge();
    if (typeof schema === 'boolean') return schema;
    if (!isObject(schema)) return {};
    const converted: JsonObject = {};
    if (typeof schema.$ref === 'string') converted.$ref = this.#reference(schema.$ref);
    for (const keyword of COPIED_KEYWORDS) if (schema[keyword] !== undefined) converted[keyword] = schema[keyword];
    if (typeof schema.description === 'string') converted.description = schema.description.slice(0, MAX_DESCRIPTION);
    if (typeof schema.pattern === 'string' && compilePattern(schema.pattern)) converted.pattern = schema.pattern;
    this.#convertInner(schema, converted, nesting + 1);
    omitReadOnly(schema, converted);
    adoptEarlierKeywords(schema, converted);
    return converted;
  }

  #convertInner(schema: JsonObject, converted: JsonObject, nesting: number): void {
    if (UNSUPPORTED_KEYWORDS.some(keyword => keyword.startsWith('$') && Object.hasOwn(schema, keyword)))
      throw new OpenApiError('dynamic references are not supported');
    for (const keyword of SCHEMA_KEYWORDS)
      if (schema[keyword] !== undefined) converted[keyword] = this.#convert(schema[keyword], nesting);
    for (const keyword of SCHEMA_LIST_KEYWORDS) {
      const list = schema[keyword];
      if (Array.isArray(list)) converted[keyword] = list.map(each => this.#convert(each, nesting));
    }
    for (const keyword of SCHEMA_MAP_KEYWORDS) {
      const map = schema[keyword];
      if (!isObject(map)) continue;
      const entries = Object.entries(map).map(([name, each]) => [name, this.#convert(each, nesting)] as const);
      converted[keyword] = Object.fromEntries(
        keyword === 'patternProperties' ? entries.filter(([pattern]) => compilePattern(pattern)) : entries,
      );
    }
  }

  #reference(reference: string): string {
    if (!reference.startsWith('#/')) throw new OpenApiError('references to other documents are not supported');
    let name = this.#names.get(reference);
    if (name === undefined) {
      if (resolveReference(this.document, reference) === undefined)
        throw new OpenApiError(`the reference ${reference.slice(0, 200)} does not exist`);
      const own = (reference.split('/').at(-1) ?? '').replace(/[^A-Za-z0-9_]/g, '_').slice(0, 64);
      name = numberedName(own === '' ? 'schema' : own, each => this.#used.has(each), own);
      this.#names.set(reference, name);
      this.#used.add(name);
      this.#pending.push(reference);
    }
    return `#/$defs/${name}`;
  }
}

/** Members that only a server sets are no arguments. */
function omitReadOnly({ properties }: JsonObject, converted: JsonObject): void {
  if (!isObject(properties) || !isObject(converted.properties)) return;
  const isReadOnly = (name: string) => isObject(properties[name]) && properties[name].readOnly === true;
  converted.properties = Object.fromEntries(Object.entries(converted.properties).filter(([name]) => !isReadOnly(name)));
  if (Array.isArray(converted.required)) converted.required = converted.required.filter(name => !isReadOnly(name));
}

/** Converts the keywords of OpenAPI 3.0 that JSON Schema 2020-12 writes differently. */
function adoptEarlierKeywords({ nullable }: JsonObject, converted: JsonObject): void {
  for (const [exclusive, limit] of [
    ['exclusiveMinimum', 'minimum'],
    ['exclusiveMaximum', 'maximum'],
  ] as const) {
    const value = converted[exclusive];
    if (typeof value !== 'boolean') continue;
    delete converted[exclusive];
    if (!value || converted[limit] === undefined) continue;
    converted[exclusive] = converted[limit];
    delete converted[limit];
  }
  if (nullable !== true || converted.type === undefined) return;
  converted.type = [...new Set([...typeNames(converted.type), 'null'])];
  if (Array.isArray(converted.enum) && !converted.enum.includes(null)) converted.enum = [...converted.enum, null];
}
