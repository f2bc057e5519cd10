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
 * Names the resource of a root field. Resources are what queries list. A field is of the one with the longest name that it
 * begins with (`workflowRunStart`: "Workflow runs"), or that it answers with, or that shares its first word. Others stand
 * with the type that they begin with, or answer with, or with what shares their first word.
 */
export function resourceNamer(schema: GraphQLSchema): (field: RootField) => string {
  const fields = Object.values(schema.getQueryType()?.getFields() ?? {});
  const resources = new Set(fields.map(listedBy).filter(name => name !== undefined));
  const byLength = [...resources].sort(longestFirst);
  const objects = Object.values(schema.getTypeMap()).filter(type => isObjectType(type) && !type.name.startsWith('__'));
  const types = objects
    .map(({ name }) => name)
    .sort(longestFirst)
    .reverse();
  return field => {
    const answer = listedBy(field) ?? answerOf(field);
    const begun = byLength.find(name => beginsWith(field.name, asField(name)));
    if (begun !== undefined) return plural(asTitle(begun));
    if (resources.has(answer)) return plural(asTitle(answer));
    const kin = byLength.find(name => firstWord(asField(name)) === firstWord(field.name));
    if (kin !== undefined) return plural(asTitle(kin));
    const type = types.find(name => beginsWith(field.name, asField(name)));
    if (type !== undefined) return asTitle(type);
    return asTitle(isObjectType(schema.getType(answer)) ? answer : firstWord(field.name));
  };
}

/** The type whose objects a field lists, whole or by the page. */
function listedBy({ type }: RootField): string | undefined {
  const named = getNamedType(type);
  if (!isObjectType(named)) return undefined;
  const { items, total } = named.getFields();
  if (items !== undefined && total !== undefined) return getNamedType(items.type).name;
  return isListType(getNullableType(type)) ? named.name : undefined;
}

const longestFirst = (one: string, other: string): number => other.length - one.length;
/** Of a payload the type of its value. */
function answerOf({ type }: RootField): string {
  const named = getNamedType(type);
  if (!isObjectType(named) || !isPayload(named)) return named.name;
  const [value] = Object.values(named.getFields()).filter(({ name }) => name !== 'errors' && name !== 'warnings');
  return value ? getNamedType(value.type).name : named.name;
}
const asField = (name: string): string => `${name.charAt(0).toLowerCase()}${name.slice(1)}`;
const firstWord = (name: string): string => /^[^A-Z]*/.exec(name)?.[0] ?? name;

/** Whole words alone: `messages` and `messageCreate` begin with `message`, `messenger` does not. */
function beginsWith(field: string, name: string): boolean {
  return field.startsWith(name) && /^(s$|s?[A-Z]|$)/.test(field.slice(name.length));
}

/** WorkflowRun: "Workflow run". */
function asTitle(name: string): string {
  const words = name.replaceAll(/(?<=[a-z0-9])(?=[A-Z])/g, ' ').toLowerCase();
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`.replace(/^(Api|Mcp)\b/, word => word.toUpperCase());
}

function plural(title: string): string {
  return title.endsWith('s') ? title : `${title.replace(/(?<=[^aeiou])y$/, 'ie')}s`;
}
