import {
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

/** Where a variable's value comes from; `whole` is what the bodies RUN_INPUT and VERBATIM set. */
export type Place = 'path' | 'query' | 'header' | 'body' | 'whole';

/** One variable of an operation, as REST sees it. */
export interface Input {
  readonly name: string;
  readonly type: GraphQLInputType;
  readonly place: Place;
  /** Other names that clients may send it under; the first one that was sent counts. */
  readonly aliases: readonly string[];
  /** The header that holds it; null elsewhere. */
  readonly header: string | null;
  readonly isRequired: boolean;
  /** Undefined when the operation declares none. */
  readonly fallback: unknown;
  readonly min: number | null;
  readonly max: number | null;
  /** What is sent, to the name of the enum value; null for what is no enum. */
  readonly choices: ReadonlyMap<string, string> | null;
}

export const runVariables = ['input', 'input_text'];
/** What the GRAPH body sets at least. */
export const graphVariable = 'data';
/** What the VERBATIM body sets. */
export const verbatimVariable = 'body';

export function inputsOf(
  schema: GraphQLSchema,
  operation: OperationDefinitionNode,
  route: Pick<Route, 'path' | 'body'>,
): Input[] {
  return (operation.variableDefinitions ?? []).map(definition => {
    const type = typeFromAST(schema, definition.type as never) as GraphQLInputType | undefined;
    if (!type || !isInputType(type)) throw new Error(`$${definition.variable.name.value} has an unknown type`);
    const alias = directiveArguments(definition, 'alias')?.name;
    const header = directiveArguments(definition, 'header')?.name;
    const range = directiveArguments(definition, 'range');
    return {
      name: definition.variable.name.value,
      type,
      place: placeOf(definition, route),
      header: typeof header === 'string' ? header : null,
      aliases: typeof alias === 'string' ? [alias] : [],
      isRequired: isNonNullType(type) && definition.defaultValue === undefined,
      fallback: definition.defaultValue && valueFromASTUntyped(definition.defaultValue),
      min: typeof range?.min === 'number' ? range.min : null,
      max: typeof range?.max === 'number' ? range.max : null,
      choices: choicesOf(definition, type),
    };
  });
}

function placeOf(definition: VariableDefinitionNode, route: Pick<Route, 'path' | 'body'>): Place {
  const name = definition.variable.name.value;
  if (pathParameters(route.path).includes(name)) return 'path';
  if (directiveArguments(definition, 'query')) return 'query';
  if (directiveArguments(definition, 'header')) return 'header';
  if (route.body === 'JSON' || route.body === 'GRAPH' || route.body === 'MULTIPART') return 'body';
  if (route.body === 'VERBATIM') return name === verbatimVariable ? 'whole' : 'query';
  return route.body === 'RUN_INPUT' && runVariables.includes(name) ? 'whole' : 'query';
}

/** The name under which an input was sent, its own before its aliases; undefined when it was not. */
export function sentName({ name, aliases }: Input, isSent: (name: string) => boolean): string | undefined {
  return [name, ...aliases].find(isSent);
}

/** The scalar of files that come with a request. */
export const uploadScalar = 'Upload';

/** How many parts a list of files takes. */
const maxListedFiles = 5;

/** The parts of a MULTIPART body that hold the files of an input: `file` for one, `file1` to `file5` for the list `files`. */
export function filePartsOf({ name, type }: Input): string[] {
  if (getNamedType(type).name !== uploadScalar) return [];
  if (!isListType(getNullableType(type))) return [name];
  return Array.from({ length: maxListedFiles }, (_, index) => `${name.replace(/s$/, '')}${index + 1}`);
}

function choicesOf(definition: VariableDefinitionNode, type: GraphQLInputType): Map<string, string> | null {
  const named = getNamedType(type);
  if (!isEnumType(named)) return null;
  const spelled = directiveArguments(definition, 'choices')?.of;
  if (!Array.isArray(spelled)) return enumChoices(named.getValues());
  return new Map((spelled as { sent: string; value: string }[]).map(choice => [choice.sent, choice.value]));
}

/** Enums travel in lower case wherever an operation does not spell them otherwise. */
export function enumChoices(values: readonly { readonly name: string }[]): Map<string, string> {
  return new Map(values.map(value => [value.name.toLowerCase(), value.name]));
}
