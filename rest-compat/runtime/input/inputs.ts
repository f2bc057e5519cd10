import {
  type FieldNode,
  type GraphQLEnumType,
  type GraphQLInputType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isEnumType,
  isInputType,
  isListType,
  isNonNullType,
  type OperationDefinitionNode,
  typeFromAST,
  type VariableDefinitionNode,
  valueFromASTUntyped,
} from 'graphql';
import { pathParameters, type Route } from '../route.js';
import { directiveArguments } from './ast-directive.js';

/**
 * The part of the request that sets a variable; `whole` is the entire body of RUN_INPUT and VERBATIM, `derived` the parameter
 * of another variable with `@orBoolean`.
 */
export type InputLocation = 'path' | 'query' | 'header' | 'body' | 'whole' | 'derived';

/** A variable of an operation as REST parameter. */
export interface Input {
  readonly name: string;
  readonly type: GraphQLInputType;
  readonly location: InputLocation;
  /** Alternative names. The first name that the request contains is used. */
  readonly aliases: readonly string[];
  /** Name of the request header; null for other locations. */
  readonly header: string | null;
  readonly isRequired: boolean;
  /** Default value; undefined without one. */
  readonly fallback: unknown;
  readonly min: number | null;
  readonly max: number | null;
  /** Names of enum values by REST value; null for other types. */
  readonly choices: ReadonlyMap<string, string> | null;
  /** The variable that `true` and `false` set in place of this one, and the message for other values; null without one. */
  readonly orBoolean: { readonly variable: string; readonly fault: string } | null;
  /** Whether a boolean is inverted. */
  readonly isNegated: boolean;
}

/** The variables that a RUN_INPUT body sets: a JSON value or a text. */
export const runVariables = ['input', 'input_text'];
/** The variable that the parts of a multipart RUN_INPUT body set, in operations that take files: a list of `{fieldId, text, file}`. */
export const runPartsVariable = 'parts';
/** The variable that a GRAPH body sets. */
export const graphVariable = 'data';
/** The variable that a VERBATIM body sets. */
export const verbatimVariable = 'body';

/** The variables of an operation as REST parameters. @throws Error for a type that the schema does not have. */
export function inputsOf(
  schema: GraphQLSchema,
  operation: OperationDefinitionNode,
  route: Pick<Route, 'path' | 'body'>,
): Input[] {
  const definitions = operation.variableDefinitions ?? [];
  const derived = new Set(definitions.map(definition => orBooleanOf(definition)?.variable));
  return definitions.map(definition => {
    const type = typeFromAST(schema, definition.type as never) as GraphQLInputType | undefined;
    if (!type || !isInputType(type)) throw new Error(`$${definition.variable.name.value} has an unknown type`);
    const alias = directiveArguments(definition, 'alias')?.name;
    const header = directiveArguments(definition, 'header')?.name;
    const range = directiveArguments(definition, 'range');
    return {
      name: definition.variable.name.value,
      type,
      location: derived.has(definition.variable.name.value) ? 'derived' : locationOf(definition, route),
      header: typeof header === 'string' ? header : null,
      aliases: typeof alias === 'string' ? [alias] : [],
      isRequired: isNonNullType(type) && definition.defaultValue === undefined,
      fallback: definition.defaultValue && valueFromASTUntyped(definition.defaultValue),
      min: typeof range?.min === 'number' ? range.min : null,
      max: typeof range?.max === 'number' ? range.max : null,
      choices: choicesOf(definition, type),
      orBoolean: orBooleanOf(definition),
      isNegated: directiveArguments(definition, 'negated') !== null,
    };
  });
}

/** The members of the directive `@unused` of an operation. */
export function unusedMembersOf(operation: OperationDefinitionNode): readonly string[] {
  const members = directiveArguments(operation, 'unused')?.members;
  return Array.isArray(members) ? members.map(String) : [];
}

function orBooleanOf(definition: VariableDefinitionNode): Input['orBoolean'] {
  const or = directiveArguments(definition, 'orBoolean');
  return or ? { variable: String(or.variable), fault: String(or.fault) } : null;
}

function locationOf(definition: VariableDefinitionNode, route: Pick<Route, 'path' | 'body'>): InputLocation {
  const name = definition.variable.name.value;
  if (pathParameters(route.path).includes(name)) return 'path';
  if (directiveArguments(definition, 'query')) return 'query';
  if (directiveArguments(definition, 'header')) return 'header';
  if (route.body === 'JSON' || route.body === 'GRAPH' || route.body === 'MULTIPART') return 'body';
  if (route.body === 'VERBATIM') return name === verbatimVariable ? 'whole' : 'query';
  return route.body === 'RUN_INPUT' && [...runVariables, runPartsVariable].includes(name) ? 'whole' : 'query';
}

/** The names under which a request can contain an input, its own name first. `page_size` is an alias of `size` in every list. */
export function namesOf({ name, aliases, location }: Input): readonly string[] {
  return location === 'query' && name === 'size' ? [name, ...aliases, 'page_size'] : [name, ...aliases];
}

/** The name under which the request contains an input; undefined when it is absent. */
export function sentName(input: Input, isSent: (name: string) => boolean): string | undefined {
  return namesOf(input).find(isSent);
}

/** The GraphQL scalar of uploaded files. */
export const uploadScalar = 'Upload';

/** Maximum number of files in a list. */
const maxListedFiles = 5;

/** Names of the form parts with the files of an input: `file` for a file, `file1` to `file5` for the list `files`. */
export function filePartsOf({ name, type }: Input): string[] {
  if (getNamedType(type).name !== uploadScalar) return [];
  if (!isListType(getNullableType(type))) return [name];
  return Array.from({ length: maxListedFiles }, (_, index) => `${name.replace(/s$/, '')}${index + 1}`);
}

/** The REST names of an enum by its values, for a field of a response. Several values can have the same name. */
export function restNamesOf(field: FieldNode, type: GraphQLEnumType): Map<string, string> {
  const choices = directiveArguments(field, 'choices')?.of;
  if (!Array.isArray(choices)) return new Map(type.getValues().map(({ name }) => [name, name.toLowerCase()]));
  return new Map((choices as { sent: string; value: string }[]).map(choice => [choice.value, choice.sent]));
}

function choicesOf(definition: VariableDefinitionNode, type: GraphQLInputType): Map<string, string> | null {
  const named = getNamedType(type);
  if (!isEnumType(named)) return null;
  const choices = directiveArguments(definition, 'choices')?.of;
  if (!Array.isArray(choices)) return enumChoices(named.getValues());
  return new Map((choices as { sent: string; value: string }[]).map(choice => [choice.sent, choice.value]));
}

/** The default REST values of an enum: its names in lower case. */
export function enumChoices(values: readonly { readonly name: string }[]): Map<string, string> {
  return new Map(values.map(value => [value.name.toLowerCase(), value.name]));
}
