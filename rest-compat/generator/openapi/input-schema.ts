import {
  type GraphQLInputType,
  type GraphQLSchema,
  isInputObjectType,
  isLeafType,
  isListType,
  isNonNullType,
  type ObjectFieldNode,
  TypeInfo,
  visit,
  visitWithTypeInfo,
} from 'graphql';
import type { Input } from '../../runtime/input/inputs.js';
import { snakeCase } from '../../runtime/snake-case.js';
import type { OperationSource } from '../operation-source.js';
import { described, type JsonSchema, leafSchema, nullable } from './json-schema.js';

/** The JSON Schema of a variable, with range, default and description. */
export function inputSchema(input: Input, description: string | undefined): JsonSchema {
  const isQuery = input.place === 'query';
  const schema = typeSchema(input.type, input, isQuery);
  return described({ ...schema, ...(input.fallback !== undefined && { default: fallbackOf(input) }) }, description);
}

function fallbackOf(input: Input): unknown {
  for (const [sent, value] of input.choices ?? []) if (value === input.fallback) return sent;
  return input.fallback;
}

/** `isBare` excludes null, which a query or path cannot contain. */
function typeSchema(
  type: GraphQLInputType,
  limits: Pick<Input, 'min' | 'max' | 'choices'>,
  isBare = false,
): JsonSchema {
  if (isNonNullType(type)) return bareSchema(type.ofType, limits);
  return isBare ? bareSchema(type, limits) : nullable(bareSchema(type, limits));
}

function bareSchema(type: GraphQLInputType, limits: Pick<Input, 'min' | 'max' | 'choices'>): JsonSchema {
  if (isNonNullType(type)) return bareSchema(type.ofType, limits);
  if (isListType(type)) return { type: 'array', items: typeSchema(type.ofType, limits) };
  if (isLeafType(type)) {
    return {
      ...leafSchema(type, limits.choices),
      ...(limits.min !== null && { minimum: limits.min }),
      ...(limits.max !== null && { maximum: limits.max }),
    };
  }
  if (!isInputObjectType(type)) return {};
  const fields = Object.values(type.getFields());
  const none = { min: null, max: null, choices: null };
  return {
    type: 'object',
    properties: Object.fromEntries(
      fields.map(field => [snakeCase(field.name), described(typeSchema(field.type, none), field.description)]),
    ),
    required: fields
      .filter(field => isNonNullType(field.type) && field.defaultValue === undefined)
      .map(field => snakeCase(field.name)),
  };
}

/** A variable's own description, or that of the argument or input field it fills. */
export function inputDescriptions(schema: GraphQLSchema, { definition }: OperationSource): Map<string, string> {
  const found = new Map<string, string>();
  const note = (name: string, description: string | null | undefined) => {
    if (description && !found.has(name)) found.set(name, description);
  };
  for (const variable of definition.variableDefinitions ?? []) {
    note(variable.variable.name.value, variable.description?.value);
  }
  const typeInfo = new TypeInfo(schema);
  visit(
    definition,
    visitWithTypeInfo(typeInfo, {
      Argument(node) {
        if (node.value.kind === 'Variable') note(node.value.name.value, typeInfo.getArgument()?.description);
      },
      ObjectField(node: ObjectFieldNode) {
        const parent = typeInfo.getParentInputType();
        if (node.value.kind !== 'Variable' || !isInputObjectType(parent)) return;
        note(node.value.name.value, parent.getFields()[node.name.value]?.description);
      },
    }),
  );
  return found;
}
