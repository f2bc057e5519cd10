import { isUnset, type JsonObject } from '../../json-value.js';
import type { InputField } from './input-fields.js';

/** Longer lists of options are not part of a schema: models read it with every request. */
const MAX_OPTIONS = 200;

type TypeSchema = (field: InputField) => JsonObject;

const TYPE_SCHEMAS: readonly [types: readonly string[], schema: TypeSchema][] = [
  [['text', 'textarea', 'string', 'password', 'multiline', 'long_text', 'secret'], () => ({ type: 'string' })],
  [['email', 'e-mail'], () => ({ type: 'string', format: 'email' })],
  [['url', 'link'], () => ({ type: 'string', format: 'uri' })],
  [['date'], () => ({ type: 'string', format: 'date' })],
  [['datetime', 'date-time'], () => ({ type: 'string' })],
  [['file'], () => ({ type: 'string' })],
  [['number', 'float', 'range', 'slider'], () => ({ type: 'number' })],
  [['integer'], () => ({ type: 'integer' })],
  [['boolean', 'checkbox', 'switch', 'toggle'], () => ({ type: 'boolean' })],
  [['select', 'radio', 'dropdown'], choices],
  [['multiselect', 'multi-select', 'checkboxes'], field => ({ type: 'array', items: choices(field) })],
];
const SCHEMA_OF_TYPE: ReadonlyMap<string, TypeSchema> = new Map(
  TYPE_SCHEMAS.flatMap(([types, schema]) => types.map(type => [type, schema])),
);

/** Texts that describe types which a JSON Schema type cannot express. */
const FORM_OF_TYPE: ReadonlyMap<string, string> = new Map([
  ['datetime', 'A date and time in the form YYYY-MM-DDThh:mm.'],
  ['date-time', 'A date and time in the form YYYY-MM-DDThh:mm.'],
  ['file', 'The id of a document of the project, or the URL of a file.'],
]);

/** Converts input fields to the JSON Schema of the arguments of a tool. Secret defaults are not part of it. */
export function toolInputSchema(fields: readonly InputField[]): JsonObject {
  const required = fields.filter(field => field.input_requirements && !hasDefault(field)).map(({ id }) => id);
  return {
    type: 'object',
    properties: Object.fromEntries(fields.map(field => [field.id, fieldSchema(field)])),
    ...(required.length === 0 ? {} : { required }),
  };
}

function fieldSchema(field: InputField): JsonObject {
  const { title, tooltip, placeholder, default_value: value, is_secret: isSecret } = field;
  const type = field.type.toLowerCase();
  const description = [tooltip || placeholder, FORM_OF_TYPE.get(type)].filter(Boolean).join(' ');
  return {
    ...SCHEMA_OF_TYPE.get(type)?.(field),
    title,
    ...(description === '' ? {} : { description }),
    ...(isSecret || isUnset(value) ? {} : { default: value }),
  };
}

function choices({ options, is_secret: isSecret }: InputField): JsonObject {
  const values = [...new Set(options.map(({ value }) => value))];
  return values.length === 0 || values.length > MAX_OPTIONS || isSecret ? {} : { enum: values };
}

function hasDefault({ default_value: value, options }: InputField): boolean {
  return !isUnset(value) || options.some(option => option.is_default);
}
