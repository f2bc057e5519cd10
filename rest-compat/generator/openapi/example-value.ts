import type { JsonSchema } from './json-schema.js';
import { jsonExamples, type NamedExample, namedExamples } from './named-examples.js';

/**
 * Generates a deterministic, realistic example for a schema. `owner` is the record that contains the member, `self` the record
 * that the value represents.
 */
export function exampleValue(
  schema: JsonSchema,
  name: string,
  components: ReadonlyMap<string, JsonSchema>,
  owner = '',
  self = name,
): unknown {
  const component = componentOf(schema);
  if (component !== null) return componentExample(component, name, components, owner);
  if (Array.isArray(schema.anyOf)) return exampleValue(schema.anyOf[0] as JsonSchema, name, components, owner, self);
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type;
  const choices = Array.isArray(schema.enum) ? schema.enum : null;
  const isNullable = Array.isArray(schema.type) && schema.type.includes('null');
  const isAllowed = (value: unknown) => (choices?.includes(value) ?? true) && (value !== null || isNullable);
  const named = namedExamples.find(example => matches(example, name, owner, type) && isAllowed(example.value));
  if (named) return structuredClone(named.value);
  if (choices) return choices[0];
  if (type === 'object') {
    const members = Object.entries((schema.properties ?? {}) as Record<string, JsonSchema>);
    return Object.fromEntries(members.map(([key, member]) => [key, exampleValue(member, key, components, self)]));
  }
  if (type === 'array') return [exampleValue((schema.items ?? {}) as JsonSchema, toSingular(name), components, owner)];
  return scalarOf(schema, type);
}

function componentExample(
  component: string,
  name: string,
  components: ReadonlyMap<string, JsonSchema>,
  owner: string,
): unknown {
  if (Object.hasOwn(jsonExamples, component)) return structuredClone(jsonExamples[component]);
  return exampleValue(components.get(component) ?? {}, name, components, owner, component);
}

/** The name of the component that a schema refers to; null for a schema without a reference. */
function componentOf({ $ref }: JsonSchema): string | null {
  return typeof $ref === 'string' ? $ref.slice($ref.lastIndexOf('/') + 1) : null;
}

function scalarOf(schema: JsonSchema, type: unknown): unknown {
  switch (type) {
    case 'integer':
    case 'number':
      return typeof schema.default === 'number' ? schema.default : Math.max(Number(schema.minimum ?? 1), 1);
    case 'boolean':
      return false;
    case 'string':
      return stringOf(schema);
    default:
      return {};
  }
}

function matches(example: NamedExample, name: string, owner: string, type: unknown): boolean {
  return example.name === name && (example.owner ?? owner) === owner && (type === undefined || type === example.type);
}

function stringOf(schema: JsonSchema): string {
  switch (schema.format) {
    case 'uuid':
      return '0b0d4a3e-7f5c-4c59-9d3a-2f6b8f1f4a10';
    case 'date-time':
      return '2026-03-02T09:30:00.000Z';
    case 'date':
      return '2026-03-02';
    default:
      // The only schemas with a pattern are those of the scalar Decimal.
      return schema.pattern ? '0.0125' : 'text';
  }
}

function toSingular(name: string): string {
  return name.endsWith('s') ? name.slice(0, -1) : name;
}
