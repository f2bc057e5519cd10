import {
  astFromValue,
  type ConstValueNode,
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLOutputType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isInterfaceType,
  isListType,
  isObjectType,
  isRequiredArgument,
  Kind,
  type OperationDefinitionNode,
  OperationTypeNode,
  parseType,
  print,
  type SelectionSetNode,
} from 'graphql';
import { resourceNamer } from './resources.js';
import { sampleOf, takesFiles } from './samples.js';
import { interfaceSelection, selectionOf } from './selection.js';
import { VISIBLE_COLUMNS } from './tabs.js';

/** An operation that can be run after its ids are filled in. */
export interface ReadyOperation {
  /** The root field, for example `workflowRunStart`. */
  field: string;
  kind: OperationTypeNode;
  /** The first sentence of the description of the field. */
  summary: string;
  /** The text of the operation, after a comment with the description of the field. */
  query: string;
  /** JSON with a sample for each required variable. Optional variables are only declared in the operation. */
  variables: string;
}

export interface Resource {
  /** For example "Workflow runs". */
  name: string;
  operations: ReadyOperation[];
}

/** GraphiQL stores the contents of tabs in the browser, so passwords are entered only in the bar above it. */
const SESSION_FIELDS = /^session[A-Z]/;
const KINDS = [OperationTypeNode.QUERY, OperationTypeNode.MUTATION, OperationTypeNode.SUBSCRIPTION];

/**
 * Creates an operation for every root field of a schema, grouped by resource. Omits deprecated fields, fields of sessions,
 * and uploads, because a variable cannot contain a file.
 */
export function readyResources(schema: GraphQLSchema): Resource[] {
  const nameOf = resourceNamer(schema);
  const byName = new Map<string, ReadyOperation[]>();
  for (const kind of KINDS)
    for (const field of Object.values(schema.getRootType(kind)?.getFields() ?? {})) {
      if (SESSION_FIELDS.test(field.name) || field.deprecationReason != null || field.args.some(takesFiles)) continue;
      const name = nameOf(field);
      byName.set(name, [...(byName.get(name) ?? []), readyOperation(kind, field)]);
    }
  return [...byName]
    .map(([name, operations]) => ({ name, operations }))
    .sort((one, other) => one.name.localeCompare(other.name));
}

function readyOperation(kind: OperationTypeNode, field: GraphQLField<unknown, unknown>): ReadyOperation {
  const args = field.args.filter(arg => arg.deprecationReason == null);
  const samples = args.filter(hasSample).map(arg => [arg.name, sampleOf(arg.type)]);
  const description = (field.description ?? '').replaceAll(/\s+/g, ' ').trim();
  return {
    field: field.name,
    kind,
    summary: /^.*?[.;:](?= |$)/.exec(description)?.[0].replace(/[;:]$/, '.') ?? description,
    query: `${asComment(description)}${wrapLists(print(operationNode(kind, field, args)))}\n`,
    variables: samples.length === 0 ? '' : JSON.stringify(Object.fromEntries(samples), null, 2),
  };
}

/** Returns true for required arguments, and for those that are required unless another argument is given. */
function hasSample(argument: GraphQLArgument): boolean {
  return isRequiredArgument(argument) || /\bRequired unless\b/.test(argument.description ?? '');
}

function operationNode(
  operation: OperationTypeNode,
  field: GraphQLField<unknown, unknown>,
  args: readonly GraphQLArgument[],
): OperationDefinitionNode {
  const named = (value: string) => ({ kind: Kind.NAME, value }) as const;
  const variable = (name: string) => ({ kind: Kind.VARIABLE, name: named(name) }) as const;
  return {
    kind: Kind.OPERATION_DEFINITION,
    operation,
    name: named(`${field.name.charAt(0).toUpperCase()}${field.name.slice(1)}`),
    variableDefinitions: args.map(arg => ({
      kind: Kind.VARIABLE_DEFINITION,
      variable: variable(arg.name),
      type: parseType(String(arg.type)),
      defaultValue: defaultOf(arg),
    })),
    selectionSet: {
      kind: Kind.SELECTION_SET,
      selections: [
        {
          kind: Kind.FIELD,
          name: named(field.name),
          arguments: args.map(({ name }) => ({ kind: Kind.ARGUMENT, name: named(name), value: variable(name) })),
          selectionSet: selectionOfField(field.type),
        },
      ],
    },
  };
}

function selectionOfField(fieldType: GraphQLOutputType): SelectionSetNode | undefined {
  const type = getNamedType(fieldType);
  if (isInterfaceType(type)) return interfaceSelection(type);
  return isObjectType(type) ? selectionOf(type, isListType(getNullableType(fieldType))) : undefined;
}

/** A variable without a value would replace the default of the argument by null, so the variable repeats the default. */
function defaultOf({ defaultValue, type }: GraphQLArgument): ConstValueNode | undefined {
  if (defaultValue === undefined) return undefined;
  return (astFromValue(defaultValue, type) ?? undefined) as ConstValueNode | undefined;
}

/**
 * Writes each variable or argument on its own line where the list is wider than the editor. The expression splits such a line into its
 * indentation, the text in front of the list, the list in parentheses and the rest.
 */
function wrapLists(text: string): string {
  return text
    .split('\n')
    .map(line => {
      const [, indent = '', head = '', list = '', rest = ''] = /^( *)([^ (][^(]*)\(([^(){}]*)\)(.*)$/.exec(line) ?? [];
      if (line.length <= VISIBLE_COLUMNS || list === '') return line;
      const lines = list.split(/, (?=\$|\w+: )/).map(item => `${indent}  ${item}\n`);
      return `${indent}${head}(\n${lines.join('')}${indent})${rest}`;
    })
    .join('\n');
}

/** The text as comment lines that fit into the editor. */
function asComment(text: string): string {
  const lines: string[] = [];
  for (const word of text.split(' ').filter(Boolean)) {
    const line = lines.at(-1);
    if (line !== undefined && `${line} ${word}`.length <= VISIBLE_COLUMNS - 2)
      lines[lines.length - 1] = `${line} ${word}`;
    else lines.push(word);
  }
  return lines.length === 0 ? '' : `${lines.map(line => `# ${line}\n`).join('')}\n`;
}
