import { type GraphQLLeafType, isEnumType } from 'graphql';
import { enumChoices } from '../../runtime/input/inputs.js';
import { snakeCase } from '../../runtime/snake-case.js';

export type JsonSchema = { readonly [key: string]: unknown };

const scalars: Record<string, JsonSchema> = {
  Int: { type: 'integer', format: 'int32' },
  Float: { type: 'number' },
  Boolean: { type: 'boolean' },
  String: { type: 'string' },
  ID: { type: 'string' },
  UUID: { type: 'string', format: 'uuid' },
  DateTime: { type: 'string', format: 'date-time' },
  Date: { type: 'string', format: 'date' },
  Decimal: { type: 'string', pattern: '^-?\\d+(\\.\\d+)?$' },
};

/** The schema of a scalar or enum. `choices`: the REST values of an enum, by default its names in lower case. Other scalars accept any value. */
export function leafSchema(type: GraphQLLeafType, choices?: ReadonlyMap<string, string> | null): JsonSchema {
  if (isEnumType(type)) return { type: 'string', enum: [...(choices ?? enumChoices(type.getValues())).keys()] };
  return scalars[type.name] ?? {};
}

/** Extends a schema by null. A schema without restrictions already accepts null. */
export function toNullable(schema: JsonSchema): JsonSchema {
  if (typeof schema.type === 'string') {
    return {
      ...schema,
      type: [schema.type, 'null'],
      ...(Array.isArray(schema.enum) && { enum: [...schema.enum, null] }),
    };
  }
  const { description, ...rest } = schema;
  if (Object.keys(rest).length === 0) return schema;
  return { ...(description !== undefined && { description }), anyOf: [rest, { type: 'null' }] };
}

/** A reference to a component, with null unless `isNonNull`. */
export function componentSchema(name: string, isNonNull: boolean): JsonSchema {
  const schema = { $ref: `#/components/schemas/${name}` };
  return isNonNull ? schema : toNullable(schema);
}

/** A GraphQL description with the REST names of the members that it mentions. */
export function restText(description: string | null | undefined): string | undefined {
  return description?.replaceAll(/`([a-z]+(?:[A-Z][a-z0-9]*)+)`/g, (_, name: string) => `\`${snakeCase(name)}\``);
}

/** The schema with a description, if there is one. */
export function withDescription(schema: JsonSchema, description: string | null | undefined): JsonSchema {
  return description ? { ...schema, description } : schema;
}
