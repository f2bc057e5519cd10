import { isObject, type JsonObject } from '../../../engine/json-value.js';
import { escapePipes } from '../../../platform/generation/generated-page.js';

/** A member of the settings, as a row of a table in docs/nodes.md. */
interface Row {
  name: string;
  type: string;
  default: string;
  meaning: string;
}

/** Members without a table of their own members: a section written by hand or that of another kind describes these. */
const SEPARATE_MEMBERS: ReadonlySet<string> = new Set(['condition', 'conditions', 'body', 'tools', 'request']);

/** Above this number of allowed values, the column `Type` does not list them. */
const MAX_SHOWN_VALUES = 10;

/** Phrases of descriptions that become links to sections. A description has at most one link to each section. */
const ANCHORS: readonly (readonly [phrase: string, anchor: string])[] = [
  ['file references', '#files'],
  ['file reference', '#files'],
  ['connection of the project', '#connections'],
  ['JSON Schema (2020-12)', '#structured-answers'],
  ['The model and its parameters', '#parameters-of-a-model'],
  ['Codes of the errors', '#errors'],
  ['as in `if-else-node`', '#if-else-node'],
  ['group of conditions', '#conditions'],
];

/** The names of types of JSON Schema that the page does not use. */
const TYPE_NAMES: Readonly<Record<string, string>> = { string: 'text', array: 'list' };

/** Returns a table of the members of an object, and one for each member with members of its own. */
export function memberTables(schema: JsonObject, names: readonly string[], owner = ''): string {
  const properties = isObject(schema.properties) ? schema.properties : {};
  const required = Array.isArray(schema.required) ? schema.required : [];
  const shown = names.filter(name => isObject(properties[name]));
  const rows = shown.map(name => rowOf(name, properties[name] as JsonObject, required.includes(name)));
  const head = owner === '' ? 'Member' : `Member of \`${owner}\``;
  const table = [
    `| ${head} | Type | Default | Meaning |`,
    '| --- | --- | --- | --- |',
    ...rows.map(row => `| \`${row.name}\` | ${row.type} | ${row.default} | ${row.meaning} |`),
  ].join('\n');
  const inner = shown.flatMap(name => {
    const parts = partsOf(properties[name]);
    if (parts === undefined || SEPARATE_MEMBERS.has(name) || isModel(parts)) return [];
    return [memberTables(parts, Object.keys(parts.properties as JsonObject), owner ? `${owner}.${name}` : name)];
  });
  return [table, ...inner].join('\n\n');
}

/** Returns true for the settings of a chat model, recognized by the member `top_logprobs`. The page has a table of them by provider. */
function isModel({ properties }: JsonObject): boolean {
  return isObject(properties) && 'top_logprobs' in properties;
}

/** Returns the first object with named members in a schema, through lists and alternatives. */
function partsOf(schema: unknown): JsonObject | undefined {
  if (!isObject(schema)) return undefined;
  if (isObject(schema.properties) && Object.keys(schema.properties).length > 0) return schema;
  for (const part of [schema.items, ...alternativesOf(schema)]) {
    const found = partsOf(part);
    if (found) return found;
  }
  return undefined;
}

function rowOf(name: string, schema: JsonObject, isRequired: boolean): Row {
  const { value, meaning } = splitDefault(String(schema.description ?? ''), valuesOf(schema));
  return {
    name,
    type: escapePipes(typeOf(schema)),
    default: escapePipes(isRequired ? 'required' : value),
    meaning: escapePipes(withLinks(meaning)),
  };
}

/**
 * Separates the default from a description. It is a sentence such as `Default 10.`, an allowed value marked as
 * `(default)`, or the edges of the graph for links.
 */
function splitDefault(description: string, values: readonly string[]): { value: string; meaning: string } {
  const stated = statedDefault(description);
  if (stated) {
    const { start, value, end } = stated;
    const before = description.slice(0, start);
    const after = description.slice(start + stated.length).trim();
    const rest = end === ';' && !after.startsWith('`') ? after.charAt(0).toUpperCase() + after.slice(1) : after;
    return { value: asCode(value), meaning: [before, rest].filter(Boolean).join(' ') };
  }
  const marked = /`([^`]+)`,? \(?default[):]/.exec(description)?.[1];
  if (marked !== undefined && values.includes(marked))
    return { value: `\`${marked}\``, meaning: description.replace(' (default)', '') };
  return { value: description.includes('Absent: the targets of the edges') ? 'the edges' : '', meaning: description };
}

/** Finds the first sentence such as `Default 10.`: its place, the value, and the character that ends it. */
function statedDefault(description: string) {
  const opening = /(?:^| )Default:? /.exec(description);
  if (!opening) return undefined;
  const from = opening.index + opening[0].length;
  const ending = description.slice(from + 1).search(/[.;](?: |$)/);
  if (ending === -1) return undefined;
  const to = from + 1 + ending;
  return {
    start: opening.index,
    length: to + 1 - opening.index,
    value: description.slice(from, to),
    end: description[to],
  };
}

/** Marks numbers, literals and algorithms such as `ES256` as code. */
function asCode(value: string): string {
  return value.replace(/^(-?\d+|true|false|null|[A-Z]{2}\d+)(?= |$)/, '`$1`');
}

function valuesOf(schema: JsonObject): string[] {
  const own = [schema.enum, schema.examples].flatMap(list => (Array.isArray(list) ? list : []));
  return [...own.map(String), ...alternativesOf(schema).flatMap(each => (isObject(each) ? valuesOf(each) : []))];
}

function typeOf(schema: JsonObject): string {
  const types = [...new Set(typesOf(schema))].filter(type => type !== 'null');
  return types.length === 0 || types.includes('any value') ? 'any value' : types.join(' or ');
}

function typesOf(schema: unknown): string[] {
  if (!isObject(schema)) return ['any value'];
  if (isPlaceholder(schema)) return [];
  if ('const' in schema) return [`\`${String(schema.const)}\``];
  if (Array.isArray(schema.enum) && schema.enum.length <= MAX_SHOWN_VALUES)
    return [
      schema.enum
        .filter(value => value !== null)
        .map(value => `\`${String(value)}\``)
        .join(', '),
    ];
  const alternatives = alternativesOf(schema);
  if (alternatives.length > 0) return alternatives.flatMap(typesOf);
  if (schema.type === undefined) return ['any value'];
  const types = Array.isArray(schema.type) ? schema.type.map(String) : [String(schema.type)];
  return types.map(type => (type === 'array' ? listOf(schema.items) : (TYPE_NAMES[type] ?? type)));
}

function listOf(items: unknown): string {
  const [type, ...others] = [...new Set(typesOf(items))];
  const isSimple = type !== undefined && others.length === 0 && /^(text|number|integer|object)$/.test(type);
  return isSimple ? `list of ${type}s` : 'list';
}

/** Returns true for the alternative of a single placeholder, which every setting with a value has. */
function isPlaceholder({ type, pattern }: JsonObject): boolean {
  return type === 'string' && typeof pattern === 'string' && pattern.includes('\\{\\{');
}

function alternativesOf({ anyOf, oneOf }: JsonObject): unknown[] {
  return [anyOf, oneOf].flatMap(list => (Array.isArray(list) ? list : []));
}

function withLinks(text: string): string {
  return ANCHORS.reduce(
    (linked, [phrase, anchor]) =>
      linked.includes(`](${anchor})`) ? linked : linked.replace(phrase, `[${phrase}](${anchor})`),
    text,
  );
}
