import {
  type GraphQLInputType,
  type GraphQLSchema,
  getNamedType,
  isInputObjectType,
  isLeafType,
  isListType,
  isNonNullType,
  type ObjectFieldNode,
  TypeInfo,
  visit,
  visitWithTypeInfo,
} from 'graphql';
import { directiveArguments } from '../../runtime/input/ast-directive.js';
import type { Input } from '../../runtime/input/inputs.js';
import { memberName } from '../../runtime/snake-case.js';
import type { OperationSource } from '../operation-source.js';
import { componentSchema, type JsonSchema, leafSchema, restText, toNullable, withDescription } from './json-schema.js';

/** The JSON Schema of a variable, with range, default and description. */
export function inputSchema(input: Input, notes?: InputNotes): JsonSchema {
  const isQuery = input.location === 'query';
  const ownSchema = () => (input.orBoolean ? { type: 'string' } : typeSchema(input.type, input, isQuery));
  const schema = notes?.component ? componentSchema(notes.component, isNonNullType(input.type)) : ownSchema();
  const fallback = input.fallback !== undefined && { default: fallbackOf(input) };
  return withDescription({ ...schema, ...fallback }, notes?.description);
}

/** The part of a variable's documentation that its type does not contain. */
export interface InputNotes {
  readonly description?: string | undefined;
  /** Name of the schema of a JSON value, from the directive `@jsonSchema`. */
  readonly component?: string | undefined;
}

/** The default with the REST names of enum values. */
function fallbackOf({ choices, fallback }: Input): unknown {
  const names = new Map([...(choices ?? [])].map(([sent, value]): [unknown, string] => [value, sent]));
  const restName = (value: unknown) => names.get(value) ?? value;
  return Array.isArray(fallback) ? fallback.map(restName) : restName(fallback);
}

/** The schema of a type. `excludesNull`: a query or path cannot contain null. */
function typeSchema(
  type: GraphQLInputType,
  limits: Pick<Input, 'min' | 'max' | 'choices'>,
  excludesNull = false,
): JsonSchema {
  if (isNonNullType(type)) return nonNullSchema(type.ofType, limits);
  return excludesNull ? nonNullSchema(type, limits) : toNullable(nonNullSchema(type, limits));
}

function nonNullSchema(type: GraphQLInputType, limits: Pick<Input, 'min' | 'max' | 'choices'>): JsonSchema {
  if (isNonNullType(type)) return nonNullSchema(type.ofType, limits);
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
  const required = fields.filter(field => isNonNullType(field.type) && field.defaultValue === undefined);
  return {
    type: 'object',
    properties: Object.fromEntries(
      fields.map(field => [
        memberName(field.name),
        withDescription(typeSchema(field.type, none), restText(field.description)),
      ]),
    ),
    ...(required.length > 0 && { required: required.map(field => memberName(field.name)) }),
  };
}

/** Documentation by variable: its own description, or that of the argument or input field that it sets. */
export function inputNotes(schema: GraphQLSchema, { definition }: OperationSource): Map<string, InputNotes> {
  const notes = new Map<string, InputNotes>();
  const note = (name: string, description: string | null | undefined) => {
    if (description && !notes.get(name)?.description) notes.set(name, { ...notes.get(name), description });
  };
  for (const variable of definition.variableDefinitions ?? []) {
    const component = directiveArguments(variable, 'jsonSchema')?.name;
    if (typeof component === 'string') notes.set(variable.variable.name.value, { component });
    note(variable.variable.name.value, variable.description?.value);
  }
  const typeInfo = new TypeInfo(schema);
  visit(
    definition,
    visitWithTypeInfo(typeInfo, {
      Argument(node) {
        if (node.value.kind === 'Variable') note(node.value.name.value, restText(typeInfo.getArgument()?.description));
      },
      ObjectField(node: ObjectFieldNode) {
        const parent = getNamedType(typeInfo.getParentInputType());
        if (node.value.kind !== 'Variable' || !isInputObjectType(parent)) return;
        note(node.value.name.value, restText(parent.getFields()[node.name.value]?.description));
      },
    }),
  );
  return notes;
}
