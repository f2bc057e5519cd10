import { isObject, type JsonObject, listOf, valueAt } from '@/shared/json/json-value';
import type { Field, Kind } from './kinds';

type Schema = JsonObject;

/** Whether a schema is the alternative that permits a placeholder instead of a number, a list or another value. */
const isPlaceholderSchema = (schema: Schema) => typeof schema.pattern === 'string' && schema.pattern.includes('\\{\\{');

/** The constraints of one value, merged from all alternatives of its schema. */
export interface ValueShape {
  types: ReadonlySet<string>;
  /** The permitted values. Null: any. */
  values: readonly unknown[] | null;
  /** Suggested values; any other value is permitted too. */
  examples: readonly unknown[];
  minimum: number | undefined;
  maximum: number | undefined;
  description: string;
  /** Whether a placeholder may stand for a value other than a text. */
  allowsPlaceholder: boolean;
  /** Whether the description states that placeholders in the text are not replaced. */
  isLiteral: boolean;
  isRequired: boolean;
}

function alternatives(schema: Schema): Schema[] {
  const inner = [...listOf(schema.anyOf), ...listOf(schema.oneOf)].filter(isObject);
  return inner.length === 0 ? [schema] : inner.flatMap(alternatives);
}

/** The schemas of the value at a path. `*` is any item of a list. */
function schemasAt(schemas: readonly Schema[], path: readonly string[]): { found: Schema[]; isRequired: boolean } {
  const [name, ...rest] = path;
  if (name === undefined) return { found: [...schemas], isRequired: false };
  const objects = schemas.flatMap(alternatives);
  const next = objects.flatMap(one => {
    const inner = name === '*' ? one.items : isObject(one.properties) ? one.properties[name] : undefined;
    return isObject(inner) ? [inner] : [];
  });
  if (rest.length > 0) return schemasAt(next, rest);
  const holders = objects.filter(one => isObject(one.properties) && Object.hasOwn(one.properties, name));
  return { found: next, isRequired: holders.length > 0 && holders.every(one => listOf(one.required).includes(name)) };
}

const shapes = new WeakMap<Kind, Map<string, ValueShape>>();

/** The constraints of the value at a path such as `messages.*.role`. Computed once for each kind and path. */
export function shapeOf(kind: Kind, path: string): ValueShape {
  const known = shapes.get(kind) ?? new Map<string, ValueShape>();
  shapes.set(kind, known);
  const shape = known.get(path) ?? readShape(kind, path);
  known.set(path, shape);
  return shape;
}

function readShape({ schema }: Kind, path: string): ValueShape {
  const { found, isRequired } = schemasAt(isObject(schema) ? [schema] : [], path.split('.'));
  const all = found.flatMap(alternatives);
  const own = all.filter(one => !isPlaceholderSchema(one) && one.type !== 'null');
  const numberOf = (name: string) => own.map(one => one[name]).find(value => typeof value === 'number');
  const values = own.flatMap(one => (Object.hasOwn(one, 'const') ? [one.const] : listOf(one.enum)));
  const description = [...found, ...own].map(one => one.description).find(text => typeof text === 'string');
  return {
    types: new Set(own.flatMap(({ type }) => (Array.isArray(type) ? type : [type]).filter(Boolean).map(String))),
    values: values.length > 0 ? [...new Set(values)] : null,
    examples: [...new Set([...found, ...own].flatMap(one => listOf(one.examples)))],
    minimum: numberOf('minimum'),
    maximum: numberOf('maximum'),
    description: description ?? '',
    allowsPlaceholder: all.some(isPlaceholderSchema),
    isLiteral: /\bwithout placeholders\b|\bplaceholders are not replaced\b/i.test(description ?? ''),
    isRequired,
  };
}

/** The default that a description states, such as `Default 60.`, as the placeholder of an empty input. Empty: none. */
export function defaultHint(description: string): string {
  const [, text] = /\bDefault:? ([^.;]*(?:\.\d[^.;]*)*)/.exec(description) ?? [];
  return text === undefined ? '' : `Default: ${text.replaceAll('`', '')}`;
}

export type FieldGroup = Field['group'];

const GROUP_ORDER: readonly FieldGroup[] = [
  'SETTINGS',
  'MODEL',
  'MEMORY',
  'REQUEST',
  'APPROVAL',
  'ADVANCED',
  'ERRORS',
  'GENERAL',
];

export const GROUP_TITLES: Record<FieldGroup, string> = {
  SETTINGS: 'Settings',
  MODEL: 'Model',
  MEMORY: 'Memory',
  REQUEST: 'Request',
  APPROVAL: 'Approval',
  ADVANCED: 'Advanced',
  ERRORS: 'Errors and limits',
  GENERAL: 'General',
};

/** The fields of a list's items, or with the empty path those of the kind, without fields inside further lists. */
export function fieldsBelow(kind: Kind, path: string): Field[] {
  const prefix = path === '' ? '' : `${path}.*.`;
  return allFields(kind).filter(
    field => field.path.startsWith(prefix) && !field.path.slice(prefix.length).includes('*'),
  );
}

/** Groups in the order of the form, without hidden fields and empty groups. Unknown groups follow. */
export function groupFields(fields: readonly Field[]): { group: FieldGroup; fields: Field[] }[] {
  const byGroup = Map.groupBy(fields, ({ group }) => group);
  const order = [...new Set([...GROUP_ORDER, ...byGroup.keys()])];
  return order.flatMap(group => {
    const own = byGroup.get(group)?.filter(({ widget }) => widget !== 'HIDDEN') ?? [];
    return own.length > 0 ? [{ group, fields: own }] : [];
  });
}

const fieldCache = new WeakMap<Kind, Field[]>();

/** The fields of a kind, and fields for members of its schema that have no hint. */
export function allFields(kind: Kind): Field[] {
  const known = fieldCache.get(kind);
  if (known) return known;
  const hinted = kind.uiHints.fields;
  const names = new Set(hinted.map(({ path }) => path.split('.')[0]));
  const properties = isObject(kind.schema) && isObject(kind.schema.properties) ? kind.schema.properties : {};
  const others = Object.entries(properties)
    .filter(([name]) => !names.has(name))
    .map(([name, schema]): Field => {
      const title = isObject(schema) && typeof schema.title === 'string' ? schema.title : name;
      return { ...WITHOUT_HINT, path: name, title, widget: widgetOf(shapeOf(kind, name)) };
    });
  const fields = [...hinted, ...others];
  fieldCache.set(kind, fields);
  return fields;
}

const WITHOUT_HINT: Omit<Field, 'path' | 'title' | 'widget'> = {
  group: 'SETTINGS',
  isSecret: false,
  optionsFrom: null,
  showIf: null,
};

function widgetOf({ types, values }: ValueShape): Field['widget'] {
  if (values !== null) return 'SELECT';
  // The second type may be `null`.
  if (types.has('boolean') && types.size <= 2) return 'SWITCH';
  if (types.has('number') || types.has('integer')) return 'NUMBER';
  if (types.has('string')) return 'TEXT';
  return 'JSON';
}

/** A path with indexes instead of `*`. `items` has the indexes of the lists around the value, outermost first. */
export function resolvePath(path: string, items: readonly number[]): string[] {
  let depth = 0;
  return path.split('.').map(name => (name === '*' ? String(items[depth++] ?? 0) : name));
}

/** Whether the condition of a field holds. `items` has the indexes of the lists around the field. */
export function isShown(kind: Kind, field: Field, data: JsonObject, items: readonly number[]): boolean {
  if (!field.showIf) return true;
  const { path, equals } = field.showIf;
  const names = resolvePath(path, items);
  const value = valueAt(data, names) ?? valueAt(kind.defaults, names);
  // The empty text also stands for an absent value.
  return equals.some(one => one === (value ?? ''));
}
