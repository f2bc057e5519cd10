import {
  type GraphQLField,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isListType,
  isObjectType,
} from 'graphql';
import { isPayload } from './selection.js';

type RootField = GraphQLField<unknown, unknown>;

/**
 * Returns a function that names the resource of a root field. The resources are the types that queries list. The first rule
 * that matches decides:
 * 1. the longest resource with which the name of the field begins (`workflowRunStart`: "Workflow runs");
 * 2. the resource that the field returns;
 * 3. the longest resource with the same first word;
 * 4. the shortest type with which the name of the field begins;
 * 5. the object type that the field returns, otherwise the first word of the field.
 */
export function resourceNamer(schema: GraphQLSchema): (field: RootField) => string {
  const fields = Object.values(schema.getQueryType()?.getFields() ?? {});
  const resources = new Set(fields.map(listedType).filter(name => name !== undefined));
  const byLength = [...resources].sort(longestFirst);
  const objects = Object.values(schema.getTypeMap()).filter(type => isObjectType(type) && !type.name.startsWith('__'));
  const types = objects
    .map(({ name }) => name)
    .sort(longestFirst)
    .reverse();
  return field => {
    const returned = listedType(field) ?? returnedType(field);
    const prefix = byLength.find(name => beginsWith(field.name, asField(name)));
    if (prefix !== undefined) return plural(asTitle(prefix));
    if (resources.has(returned)) return plural(asTitle(returned));
    const related = byLength.find(name => firstWord(asField(name)) === firstWord(field.name));
    if (related !== undefined) return plural(asTitle(related));
    const type = types.find(name => beginsWith(field.name, asField(name)));
    if (type !== undefined) return asTitle(type);
    return asTitle(isObjectType(schema.getType(returned)) ? returned : firstWord(field.name));
  };
}

/** Returns the type of the items of a list or page. Undefined: the field returns neither. */
function listedType({ type }: RootField): string | undefined {
  const named = getNamedType(type);
  if (!isObjectType(named)) return undefined;
  const { items, total } = named.getFields();
  if (items !== undefined && total !== undefined) return getNamedType(items.type).name;
  return isListType(getNullableType(type)) ? named.name : undefined;
}

const longestFirst = (one: string, other: string): number => other.length - one.length;

/** Returns the type of a field, or of the value in its payload. */
function returnedType({ type }: RootField): string {
  const named = getNamedType(type);
  if (!isObjectType(named) || !isPayload(named)) return named.name;
  const [value] = Object.values(named.getFields()).filter(({ name }) => name !== 'errors' && name !== 'warnings');
  return value ? getNamedType(value.type).name : named.name;
}

const asField = (name: string): string => `${name.charAt(0).toLowerCase()}${name.slice(1)}`;
const firstWord = (name: string): string => /^[^A-Z]*/.exec(name)?.[0] ?? name;

/** Compares whole words: `messages` and `messageCreate` begin with `message`, `messenger` does not. */
function beginsWith(field: string, name: string): boolean {
  return field.startsWith(name) && /^(s$|s?[A-Z]|$)/.test(field.slice(name.length));
}

/** Converts the name of a type to words, for example `WorkflowRun` to "Workflow run". */
function asTitle(name: string): string {
  const words = name.replaceAll(/(?<=[a-z0-9])(?=[A-Z])/g, ' ').toLowerCase();
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`.replace(/^(Api|Mcp)\b/, word => word.toUpperCase());
}

function plural(title: string): string {
  return title.endsWith('s') ? title : `${title.replace(/(?<=[^aeiou])y$/, 'ie')}s`;
}
