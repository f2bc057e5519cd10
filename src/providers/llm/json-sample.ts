import { resolveReference } from '../../engine/json-schema/keywords.js';
import { isObject, type JsonObject } from '../../engine/json-value.js';

// Users write the schemas, so every sample has limits. A schema that requires more gets a sample that does not conform.
/** Maximum nesting, including references and combined schemas. Deeper values are null. */
const MAX_DEPTH = 12;
/** Number of values from which on a sample has only required properties and empty arrays. */
const MAX_VALUES = 1_000;
const MAX_ITEMS = 100;
const MAX_CHARACTERS = 10_000;

const FORMATS: Readonly<Record<string, string | undefined>> = {
  'date-time': '2026-01-02T03:04:05Z',
  date: '2026-01-02',
  time: '03:04:05Z',
  duration: 'P1D',
  email: 'echo@example.com',
  hostname: 'example.com',
  ipv4: '192.0.2.1',
  ipv6: '2001:db8::1',
  uri: 'https://example.com/',
  url: 'https://example.com/',
  uuid: '00000000-0000-4000-8000-000000000000',
};

/** Creates a value that conforms to a JSON Schema. Texts contain `text`. Patterns and conditions are not evaluated. */
export function jsonSample(schema: unknown, text: string): unknown {
  return new Sampler(isObject(schema) ? schema : {}, text).sample(schema, 0);
}

class Sampler {
  #count = 0;

  constructor(
    private readonly root: JsonObject,
    private readonly text: string,
  ) {}

  sample(schema: unknown, depth: number): unknown {
    this.#count++;
    if (!isObject(schema) || depth > MAX_DEPTH) return null;
    if (Object.hasOwn(schema, 'const')) return schema.const;
    if (Array.isArray(schema.enum) && schema.enum.length > 0) return schema.enum[0];
    if (typeof schema.$ref === 'string') return this.sample(this.#dereferenced(schema), depth + 1);
    for (const keyword of ['anyOf', 'oneOf'] as const) {
      const { [keyword]: choices, ...rest } = schema;
      if (Array.isArray(choices) && choices.length > 0)
        return this.sample(mergeSchemas([rest, this.#dereferenced(choices[0])]), depth + 1);
    }
    if (Array.isArray(schema.allOf)) {
      const { allOf, ...rest } = schema;
      return this.sample(mergeSchemas([rest, ...allOf.map(part => this.#dereferenced(part))]), depth + 1);
    }
    return this.#byType(schema, depth);
  }

  #byType(schema: JsonObject, depth: number): unknown {
    switch (typeOf(schema)) {
      case 'object':
        return this.#object(schema, depth);
      case 'array':
        return this.#array(schema, depth);
      case 'string':
        return this.#string(schema);
      case 'integer':
        return sampleNumber(schema, 1);
      case 'number':
        return sampleNumber(schema, 0);
      case 'boolean':
        return true;
      default:
        return null;
    }
  }

  /** Contains all properties, and only the required ones when the sample becomes large. */
  #object({ properties, required }: JsonObject, depth: number): JsonObject {
    const declared = isObject(properties) ? properties : {};
    const names = Array.isArray(required) ? required.filter(name => typeof name === 'string') : [];
    const isLarge = () => this.#count > MAX_VALUES || depth > MAX_DEPTH / 2;
    const members = new Map<string, unknown>();
    for (const name of names) {
      const property = Object.hasOwn(declared, name) ? declared[name] : { type: 'string' };
      members.set(name, this.sample(property, depth + 1));
    }
    for (const [name, property] of Object.entries(declared)) {
      if (isLarge()) break;
      if (!members.has(name)) members.set(name, this.sample(property, depth + 1));
    }
    return Object.fromEntries(members);
  }

  #array({ items, prefixItems, minItems, maxItems }: JsonObject, depth: number): unknown[] {
    const min = typeof minItems === 'number' ? minItems : 1;
    const max = typeof maxItems === 'number' ? maxItems : MAX_ITEMS;
    const first = Array.isArray(prefixItems) ? prefixItems : [];
    const wanted = this.#count > MAX_VALUES ? 0 : Math.min(Math.max(min, first.length), max, MAX_ITEMS);
    return Array.from({ length: wanted }, (_, index) => this.sample(first[index] ?? items ?? {}, depth + 1));
  }

  #string({ format, minLength, maxLength }: JsonObject): string {
    const formatted = typeof format === 'string' && Object.hasOwn(FORMATS, format) ? FORMATS[format] : undefined;
    if (formatted !== undefined) return formatted;
    const min = typeof minLength === 'number' ? Math.min(minLength, MAX_CHARACTERS) : 0;
    const max = typeof maxLength === 'number' ? maxLength : MAX_CHARACTERS;
    const characters = [...this.text.slice(0, MAX_CHARACTERS)].slice(0, max).join('').toWellFormed();
    // As validators count, and unlike `padEnd`: by code points.
    return characters + '.'.repeat(Math.max(0, min - [...characters].length));
  }

  /** Returns the schema that a reference within the schema names, such as `#/$defs/item`, with the keywords next to it. */
  #dereferenced(schema: unknown): unknown {
    if (!isObject(schema) || typeof schema.$ref !== 'string') return schema;
    const { $ref, ...rest } = schema;
    const target = $ref.startsWith('#') ? resolveReference(this.root, $ref) : {};
    return Object.keys(rest).length === 0 ? target : mergeSchemas([rest, target]);
  }
}

function typeOf({ type, properties, items }: JsonObject): unknown {
  if (Array.isArray(type)) return type.find(name => name !== 'null') ?? 'null';
  if (type !== undefined) return type;
  if (properties !== undefined) return 'object';
  return items === undefined ? 'string' : 'array';
}

function mergeSchemas(parts: readonly unknown[]): JsonObject {
  const schemas = parts.filter(isObject);
  const properties = Object.assign({}, ...schemas.map(schema => schema.properties));
  const required = schemas.flatMap(schema => (Array.isArray(schema.required) ? schema.required : []));
  return {
    ...Object.assign({}, ...schemas),
    ...(Object.keys(properties).length > 0 && { properties }),
    ...(required.length > 0 && { required }),
  };
}

/** Returns the smallest allowed number from 1 on, or the largest allowed one if all are less. `step` is 1 for integers, otherwise 0. */
function sampleNumber(schema: JsonObject, step: number): number {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema;
  // The distance from an exclusive bound: that of two allowed numbers, or half of the range if any number is allowed.
  const unit = typeof multipleOf === 'number' && multipleOf > 0 ? multipleOf : step || halfOfRange(schema);
  const bounds = [1];
  if (typeof minimum === 'number') bounds.push(minimum);
  if (typeof exclusiveMinimum === 'number') bounds.push(exclusiveMinimum + unit);
  let value = Math.max(...bounds);
  if (typeof maximum === 'number') value = Math.min(value, maximum);
  if (typeof exclusiveMaximum === 'number') value = Math.min(value, exclusiveMaximum - unit);
  if (typeof multipleOf === 'number' || step > 0) {
    const above = Math.ceil(value / unit) * unit;
    value = typeof maximum === 'number' && above > maximum ? Math.floor(value / unit) * unit : above;
  }
  return value;
}

/** Half of the distance of the bounds, at most 0.5. */
function halfOfRange({ minimum, maximum, exclusiveMinimum, exclusiveMaximum }: JsonObject): number {
  const [low, high] = [minimum ?? exclusiveMinimum, maximum ?? exclusiveMaximum];
  return typeof low === 'number' && typeof high === 'number' && low < high ? Math.min((high - low) / 2, 0.5) : 0.5;
}
