import { isNumeral } from '../../conditions/compare.js';
import { ANY, type ValueTypes } from '../../expressions/reference-types.js';
import { isForbidden } from '../../expressions/references.js';
import { type FileReference, fileIdOf } from '../../files/reference.js';
import { isObject, isUnset, type JsonObject, parseJsonText, setOwn, textOf } from '../../json-value.js';
import { nearestName } from '../../nearest-name.js';
import { isSecretField, MASK, type Secrets } from '../../secrets.js';
import type { Fault } from './settings.js';

/** A choice of an input field. */
export interface InputFieldOption {
  title: string;
  value: unknown;
  is_default: boolean;
}

/** An input field that a trigger declares, with defaults for missing members. */
export interface InputField {
  id: string;
  title: string;
  type: string;
  input_requirements: boolean;
  placeholder: string;
  tooltip: string;
  default_value: unknown;
  is_secret: boolean;
  options: InputFieldOption[];
}

/** Parses the declared input fields leniently. Invalid entries are skipped, missing members get their defaults. */
export function parseInputFields(declared: unknown): InputField[] {
  if (!Array.isArray(declared)) return [];
  const fields = new Map<string, InputField>();
  for (const field of declared) {
    if (!isObject(field) || typeof field.id !== 'string') continue;
    // Placeholders cannot refer to forbidden names.
    if (field.id === '' || isForbidden(field.id) || fields.has(field.id)) continue;
    fields.set(field.id, parseField(field.id, field));
  }
  return [...fields.values()];
}

function parseField(id: string, field: JsonObject): InputField {
  return {
    id,
    title: text(field.title) || id,
    type: text(field.type) || 'text',
    input_requirements: field.input_requirements === true || field.input_requirements === 'true',
    placeholder: text(field.placeholder),
    tooltip: text(field.tooltip),
    default_value: field.default_value ?? '',
    is_secret: isSecretField(field),
    options: Array.isArray(field.options) ? field.options.filter(isObject).map(parseOption) : [],
  };
}

function parseOption(option: JsonObject): InputFieldOption {
  return {
    title: text(option.title),
    value: option.value ?? text(option.title),
    is_default: option.is_default === true,
  };
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** Returns the input fields of the start node of `data`. Never throws. */
export function inputFieldsOf(data: unknown): InputField[] {
  if (!isObject(data) || !Array.isArray(data.nodes)) return [];
  const nodes = data.nodes.filter(isObject);
  const start =
    nodes.find(node => typeof data.start_node === 'string' && node.id === data.start_node) ??
    nodes.find(node => node.type === 'trigger-node');
  return start?.type === 'trigger-node' && isObject(start.data) ? parseInputFields(start.data.input_fields) : [];
}

/**
 * Converts a plain text to the input of a run. A JSON object is used as the input, other text becomes the value of the
 * first field.
 */
export function inputFromText(fields: readonly InputField[], submitted: string): JsonObject {
  if (submitted.trim() === '') return {};
  try {
    const json: unknown = JSON.parse(submitted);
    if (isObject(json)) return json;
  } catch {
    // Plain text.
  }
  return { [fields[0]?.id ?? 'text']: submitted };
}

/**
 * Builds the input of a run: applies defaults and keeps unknown members. `secrets` contains the defaults that `fields`
 * show masked. `files` contains the files of the project by id; a file field gets the reference from there. Absent: files
 * are not checked. Fault paths are relative to the trigger node.
 */
export function prepareInput(
  fields: readonly InputField[],
  submitted: Readonly<JsonObject>,
  secrets: Readonly<Secrets> = {},
  files?: ReadonlyMap<string, FileReference>,
): { input: JsonObject; faults: Fault[] } {
  const input: JsonObject = { ...submitted };
  const faults: Fault[] = [];
  const missing = isWrapped(fields, submitted)
    ? 'required; with an API key send the fields themselves, without "input_data"'
    : 'required';
  for (const field of fields) {
    const given = inputValue(field, Object.hasOwn(submitted, field.id) ? submitted[field.id] : undefined, secrets);
    const fileId = files && isFileField(field) ? fileIdOf(given) : undefined;
    const value = fileId === undefined ? given : (files?.get(fileId) ?? given);
    if (value !== undefined) setOwn(input, field.id, value);
    const isMissingFile = fileId !== undefined && !files?.has(fileId);
    const message = isMissingFile ? 'is no file of the project: upload it again' : inputFault(field, value, missing);
    if (message !== undefined) faults.push({ path: `input_fields.${field.id}`, message });
  }
  return { input, faults };
}

/** Returns the ids of the files in the submitted or default values of file fields. */
export function fileIdsOf(fields: readonly InputField[], submitted: Readonly<JsonObject>): string[] {
  return fields.filter(isFileField).flatMap(field => {
    const given = inputValue(field, Object.hasOwn(submitted, field.id) ? submitted[field.id] : undefined, {});
    return fileIdOf(given) ?? [];
  });
}

export function isFileField({ type }: InputField): boolean {
  return type.toLowerCase() === 'file';
}

/** Returns true if the fields are wrapped in `input_data`, the form for session tokens. */
function isWrapped(fields: readonly InputField[], submitted: Readonly<JsonObject>): boolean {
  return isObject(submitted.input_data) && !fields.some(field => field.id === 'input_data');
}

/** Returns the submitted value, or the default if there is none. A mask stands for the secret default. */
function inputValue(field: InputField, submitted: unknown, secrets: Readonly<Secrets>): unknown {
  const isMask = field.is_secret && submitted === MASK && Object.hasOwn(secrets, field.id);
  return submitted === undefined || submitted === null || isMask ? (defaultOf(field, secrets) ?? submitted) : submitted;
}

function inputFault(field: InputField, value: unknown, missing: string): string | undefined {
  if (!isUnset(value)) return typeFault(field, value);
  return field.input_requirements ? missing : undefined;
}

function defaultOf(field: InputField, secrets: Readonly<Secrets>): unknown {
  if (field.is_secret && field.default_value === MASK && Object.hasOwn(secrets, field.id)) return secrets[field.id];
  if (!isUnset(field.default_value)) return field.default_value;
  return field.options.find(option => option.is_default)?.value;
}

/** Returns whether repeated parts of a form are together the value of the field: a list of choices. */
export function takesManyTexts({ type }: InputField): boolean {
  return MANY_CHOICES.has(type.toLowerCase());
}

/**
 * Converts the texts of the parts of a form, usually one, to the value that JSON would have. A text without a value of the type
 * stays a text, which the check of the input refuses.
 */
export function valueFromTexts(field: InputField, texts: readonly string[]): unknown {
  const [first = ''] = texts;
  const parsed = texts.length === 1 ? parseText(field, first) : undefined;
  if (parsed !== undefined) return parsed;
  return takesManyTexts(field) ? texts.map(each => choiceOf(field, each)) : choiceOf(field, first);
}

/** Returns the number, boolean or JSON value in a text, if the type of the field has such values; otherwise undefined. */
function parseText({ type }: InputField, given: string): unknown {
  const name = type.toLowerCase();
  if (NUMBERS.has(name)) return isNumeral(given.trim()) ? Number(given) : undefined;
  if (SWITCHES.has(name)) return given === 'true' || given === 'false' ? given === 'true' : undefined;
  const value = JSON_VALUES.has(name) || MANY_CHOICES.has(name) ? parseJsonText(given) : undefined;
  return MANY_CHOICES.has(name) && !Array.isArray(value) ? undefined : value;
}

/** Returns the value of the option whose text is given; without such an option the text. */
function choiceOf({ options }: InputField, given: string): unknown {
  return options.find(({ value }) => textOf(value) === given)?.value ?? given;
}

const MANY_CHOICES: ReadonlySet<string> = new Set(['multiselect', 'multi-select', 'checkboxes']);
const NUMBERS: ReadonlySet<string> = new Set(['number', 'float', 'range', 'slider', 'integer']);
const SWITCHES: ReadonlySet<string> = new Set(['boolean', 'checkbox', 'switch', 'toggle']);
const JSON_VALUES: ReadonlySet<string> = new Set(['json', 'object']);

const MAX_LISTED_OPTIONS = 20;

type ValueCheck = (value: unknown, field: InputField) => string | undefined;

const TEXT: ValueTypes = ['text'];

/** The checks of non-empty values by the types of fields, with the types that accepted values have in expressions. */
const TYPE_CHECKS: readonly [types: readonly string[], valueTypes: ValueTypes, check: ValueCheck][] = [
  [
    ['text', 'textarea', 'string', 'password', 'multiline', 'long_text', 'secret'],
    TEXT,
    value => (typeof value === 'string' ? undefined : 'must be a text'),
  ],
  [['email', 'e-mail'], TEXT, value => (isText(value, EMAIL) ? undefined : 'must be an e-mail address')],
  [['url', 'link'], TEXT, value => (isUrl(value) ? undefined : 'must be a URL that starts with http:// or https://')],
  [['date'], TEXT, value => (isDate(value, DATE) ? undefined : 'must be a date in the form YYYY-MM-DD')],
  [
    ['datetime', 'date-time'],
    TEXT,
    value => (isDate(value, DATE_TIME) ? undefined : 'must be a date and time in the form YYYY-MM-DDThh:mm'),
  ],
  [[...MANY_CHOICES], ['list', 'text'], (value, field) => choicesFault(field, value)],
  [['file'], ANY, value => (isFile(value) ? undefined : 'must be a file, the id of a file or document, or a URL')],
  [[...NUMBERS], ['number', 'text'], value => (isNumber(value) ? undefined : 'must be a number')],
  [['integer'], ['number', 'text'], integerFault],
  [[...SWITCHES], ['boolean', 'text'], value => (BOOLEANS.has(value) ? undefined : 'must be true or false')],
  [['select', 'radio', 'dropdown'], ANY, (value, field) => choiceFault(field, value)],
  [[...JSON_VALUES], ANY, value => (typeof value === 'string' && !isJson(value) ? 'must be JSON' : undefined)],
];
/** Maximum length of a text to which the regular expressions below are applied. */
const MAX_TEXT = 2_048;
const EMAIL = /^[^\s@]{1,64}@[^\s@.]+(?:\.[^\s@.]+)+$/;
const DATE = /^\d{4}-\d\d-\d\d$/;
const DATE_TIME = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d/;
const BOOLEANS = new Set<unknown>([true, false, 'true', 'false']);
const CHECK_OF_TYPE: ReadonlyMap<string, readonly [ValueTypes, ValueCheck]> = new Map(
  TYPE_CHECKS.flatMap(([types, ...check]) => types.map(type => [type, check])),
);

/** Returns the types that the values of the fields can have in expressions. A field without a value is the empty text or null. */
export function inputTypes(fields: readonly InputField[]): ReadonlyMap<string, ValueTypes> {
  return new Map(
    fields.map(({ id, type, input_requirements: isRequired }) => {
      const [types = ANY] = CHECK_OF_TYPE.get(type.toLowerCase()) ?? [];
      return [id, isRequired ? types : [...types, 'text', 'null']];
    }),
  );
}

/** Returns a warning for each field of an unknown type, which accepts any value. */
export function unknownFieldTypes(fields: unknown): Fault[] {
  const types = Array.isArray(fields) ? fields.map(field => (isObject(field) ? field.type : undefined)) : [];
  return types.flatMap((type, index) => {
    if (typeof type !== 'string' || type === '' || CHECK_OF_TYPE.has(type.toLowerCase())) return [];
    const nearest = nearestName(type, CHECK_OF_TYPE.keys());
    const hint = nearest === undefined ? '' : `; did you mean ${JSON.stringify(nearest)}?`;
    const message = `unknown type ${JSON.stringify(type.slice(0, 100))}, which accepts any value${hint}`;
    return [{ path: `input_fields.${index}.type`, message }];
  });
}

/** Returns the fault of a non-empty value. Unknown types accept any value. */
function typeFault(field: InputField, value: unknown): string | undefined {
  return CHECK_OF_TYPE.get(field.type.toLowerCase())?.[1](value, field);
}

function integerFault(value: unknown): string | undefined {
  if (!isNumber(value)) return 'must be a number';
  return Number.isInteger(Number(value)) ? undefined : 'must be a whole number';
}

function choiceFault({ options, is_secret }: InputField, value: unknown): string | undefined {
  if (options.length === 0 || options.some(option => textOf(option.value) === textOf(value))) return undefined;
  if (is_secret || options.length > MAX_LISTED_OPTIONS) return 'must be one of the options';
  return `must be one of ${options.map(option => textOf(option.value)).join(', ')}`;
}

/** The values of a field with several choices are a list, or its JSON text. */
function choicesFault(field: InputField, submitted: unknown): string | undefined {
  const values = typeof submitted === 'string' && isJson(submitted) ? JSON.parse(submitted) : submitted;
  if (!Array.isArray(values)) return 'must be a list';
  for (const value of values) {
    const fault = choiceFault(field, value);
    if (fault !== undefined) return `each item ${fault}`;
  }
  return undefined;
}

function isText(value: unknown, form: RegExp): value is string {
  return typeof value === 'string' && value.length <= MAX_TEXT && form.test(value);
}

function isUrl(value: unknown): boolean {
  return isText(value, /^https?:\/\//i) && URL.canParse(value);
}

function isDate(value: unknown, form: RegExp): boolean {
  if (!isText(value, form)) return false;
  const day = value.slice(0, 10);
  const time = Date.parse(`${day}T00:00:00Z`);
  // `Date` moves days that a month does not have into the next month.
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(day) && !Number.isNaN(Date.parse(value));
}

function isFile(value: unknown): boolean {
  if (fileIdOf(value) !== undefined) return true;
  if (typeof value === 'string') return /^\d{1,10}$/.test(value) || isUrl(value);
  return typeof value === 'number' && Number.isInteger(value) && value > 0;
}

function isNumber(value: unknown): boolean {
  return typeof value === 'number' || (typeof value === 'string' && isNumeral(value.trim()));
}

function isJson(value: string): boolean {
  try {
    JSON.parse(value);
    return true;
  } catch {
    return false;
  }
}
