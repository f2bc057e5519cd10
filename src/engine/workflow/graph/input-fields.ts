import { isObject, type JsonObject, setOwn, textOf } from '../../json-value.js';
import { isSecretField, MASK, type Secrets } from '../../secrets.js';
import { isNumeral } from './compare.js';
import type { Fault } from './settings.js';

export interface InputFieldOption {
  title: string;
  value: unknown;
  is_default: boolean;
}

/** A field that the trigger declares, every member filled in. */
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

/** No placeholder can name them, so no field is called so. */
const IMPOSSIBLE_IDS = new Set(['__proto__', 'constructor', 'prototype']);

/** Reads what a trigger declares, however roughly: what is no field is left out, what is missing gets its default. */
export function parseInputFields(declared: unknown): InputField[] {
  if (!Array.isArray(declared)) return [];
  const fields = new Map<string, InputField>();
  for (const field of declared) {
    if (!isObject(field) || typeof field.id !== 'string') continue;
    if (field.id === '' || IMPOSSIBLE_IDS.has(field.id) || fields.has(field.id)) continue;
    fields.set(field.id, {
      id: field.id,
      title: text(field.title) || field.id,
      type: text(field.type) || 'text',
      input_requirements: field.input_requirements === true || field.input_requirements === 'true',
      placeholder: text(field.placeholder),
      tooltip: text(field.tooltip),
      default_value: field.default_value ?? '',
      is_secret: isSecretField(field),
      options: Array.isArray(field.options) ? field.options.filter(isObject).map(parseOption) : [],
    });
  }
  return [...fields.values()];
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

/** The fields that a run of this `data` is asked for: those of its first trigger to run. Never throws. */
export function inputFieldsOf(data: unknown): InputField[] {
  if (!isObject(data) || !Array.isArray(data.nodes)) return [];
  const nodes = data.nodes.filter(isObject);
  const start =
    nodes.find(node => typeof data.start_node === 'string' && node.id === data.start_node) ??
    nodes.find(node => node.type === 'trigger-node');
  return start?.type === 'trigger-node' && isObject(start.data) ? parseInputFields(start.data.input_fields) : [];
}

/** What a plain text given to a run means: the text of a JSON object is that object, any other the first field's value. */
export function inputFromText(fields: readonly InputField[], given: string): JsonObject {
  if (given.trim() === '') return {};
  try {
    const json: unknown = JSON.parse(given);
    if (isObject(json)) return json;
  } catch {
    // Not JSON: a text like any other.
  }
  return { [fields[0]?.id ?? 'text']: given };
}

/**
 * The input a run starts with: defaults filled in, unknown members kept. `secrets` holds the defaults that `fields`
 * show as masks. The paths of the faults are those of the trigger node.
 */
export function prepareInput(
  fields: readonly InputField[],
  given: Readonly<JsonObject>,
  secrets: Readonly<Secrets> = {},
): { input: JsonObject; faults: Fault[] } {
  const input: JsonObject = { ...given };
  const faults: Fault[] = [];
  const missing = isWrapped(fields, given)
    ? 'required; with an API key send the fields themselves, without "input_data"'
    : 'required';
  for (const field of fields) {
    const raw = Object.hasOwn(given, field.id) ? given[field.id] : undefined;
    const isMask = field.is_secret && raw === MASK && Object.hasOwn(secrets, field.id);
    let value = raw;
    if (raw === undefined || raw === null || isMask) {
      value = defaultOf(field, secrets) ?? raw;
      if (value !== undefined) setOwn(input, field.id, value);
    }
    const message = isEmpty(value) ? (field.input_requirements ? missing : undefined) : typeFault(field, value);
    if (message !== undefined) faults.push({ path: `input_fields.${field.id}`, message });
  }
  return { input, faults };
}

/** Whether the fields came inside `input_data`, the form of callers with a session token. */
function isWrapped(fields: readonly InputField[], given: Readonly<JsonObject>): boolean {
  return isObject(given.input_data) && !fields.some(field => field.id === 'input_data');
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || value === '';
}

function defaultOf(field: InputField, secrets: Readonly<Secrets>): unknown {
  if (field.is_secret && field.default_value === MASK && Object.hasOwn(secrets, field.id)) return secrets[field.id];
  if (!isEmpty(field.default_value)) return field.default_value;
  return field.options.find(option => option.is_default)?.value;
}

const TEXTS = new Set(['text', 'textarea', 'string', 'password', 'email', 'url', 'multiline', 'long_text', 'secret']);
const NUMBERS = new Set(['number', 'integer', 'float', 'range', 'slider']);
const BOOLEANS = new Set(['boolean', 'checkbox', 'switch', 'toggle']);
const CHOICES = new Set(['select', 'radio', 'dropdown']);
const OBJECTS = new Set(['json', 'object']);
const MOST_OPTIONS_NAMED = 20;

/** What is wrong with a value that is there; unknown types accept anything. */
function typeFault(field: InputField, value: unknown): string | undefined {
  const type = field.type.toLowerCase();
  if (TEXTS.has(type)) return typeof value === 'string' ? undefined : 'must be a text';
  if (NUMBERS.has(type)) {
    if (!isNumber(value)) return 'must be a number';
    return type === 'integer' && !Number.isInteger(Number(value)) ? 'must be a whole number' : undefined;
  }
  if (BOOLEANS.has(type)) {
    return typeof value === 'boolean' || value === 'true' || value === 'false' ? undefined : 'must be true or false';
  }
  if (CHOICES.has(type)) return choiceFault(field, value);
  if (OBJECTS.has(type)) return typeof value === 'string' && !isJson(value) ? 'must be JSON' : undefined;
  return undefined;
}

function choiceFault({ options, is_secret }: InputField, value: unknown): string | undefined {
  if (options.length === 0 || options.some(option => textOf(option.value) === textOf(value))) return undefined;
  if (is_secret || options.length > MOST_OPTIONS_NAMED) return 'must be one of the options';
  return `must be one of ${options.map(option => textOf(option.value)).join(', ')}`;
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
