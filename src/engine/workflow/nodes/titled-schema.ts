import { z } from 'zod';
import { isObject, type JsonObject } from '../../json-value.js';
import { commonFields, type FieldForm, type FieldForms } from '../graph/node-form.js';
import type { NodeKind } from '../graph/node-kind.js';

/** Returns the fields of a kind in display order: its own, then those of every kind. */
export function fieldsOf({ form }: NodeKind): FieldForms {
  return { ...form.fields, ...commonFields };
}

/**
 * Returns the JSON Schema of `data` with the titles of the fields and the hints of the form: `x-widget`, `x-group`,
 * `x-secret`, `x-options-from` and `x-show-if` of each field, `x-icon` and `x-color` of the kind. Members are in display order.
 */
export function titledSchema(kind: NodeKind): JsonObject {
  const schema = z.toJSONSchema(kind.written, {
    target: 'draft-2020-12',
    io: 'input',
    unrepresentable: 'any',
  }) as JsonObject;
  const fields = fieldsOf(kind);
  for (const [path, field] of Object.entries(fields))
    for (const found of schemasAt(schema, path.split('.'))) Object.assign(found, hintsOf(field));
  const { icon, color } = kind.form;
  const properties = sortMembers(schema.properties as JsonObject, fields);
  return { ...schema, 'x-icon': icon, 'x-color': color, properties };
}

function hintsOf({ title, widget, group = 'settings', isSecret, optionsFrom, showIf }: FieldForm): JsonObject {
  return {
    title,
    'x-widget': widget,
    'x-group': group,
    ...(isSecret && { 'x-secret': true }),
    ...(optionsFrom && { 'x-options-from': optionsFrom }),
    ...(showIf && { 'x-show-if': showIf }),
  };
}

/** Returns the schemas at a path, through lists and alternatives. */
export function schemasAt(schema: unknown, [key, ...rest]: readonly string[]): JsonObject[] {
  if (!isObject(schema)) return [];
  if (key === undefined) return [schema];
  const properties = isObject(schema.properties) ? schema.properties : {};
  const inside = key === '*' ? schema.items : properties[key];
  return [...schemasAt(inside, rest), ...alternatives(schema).flatMap(each => schemasAt(each, [key, ...rest]))];
}

function alternatives({ anyOf, oneOf }: JsonObject): unknown[] {
  return [anyOf, oneOf].flatMap(list => (Array.isArray(list) ? list : []));
}

/** Returns the members in the order of their fields; members without a field come last. */
function sortMembers(properties: JsonObject, fields: FieldForms): JsonObject {
  const names = new Set([...Object.keys(fields).map(path => path.split('.')[0]!), ...Object.keys(properties)]);
  return Object.fromEntries([...names].filter(name => name in properties).map(name => [name, properties[name]]));
}
