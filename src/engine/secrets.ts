import { isObject, type JsonObject, setOwn, textOf } from './json-value.js';

export const MASK = '********';

/** Values of secret fields by field id, in clear. */
export type Secrets = Record<string, string>;

/** Shorter values turn up in texts by chance; they are masked where their field stands, and there alone. */
const MIN_MASKED_BY_VALUE = 6;

/** Flags may come from forms as texts; what looks secret is treated as secret. */
export function isSecretField(field: JsonObject): boolean {
  return field.is_secret === true || field.is_secret === 1 || field.is_secret === 'true';
}

/** Takes the secret default values out of a workflow's `data`, of every trigger in it, nested ones included. */
export function maskSecrets(data: JsonObject): { data: JsonObject; secrets: Secrets } {
  return replaceDefaults(data, { secrets: {} });
}

/**
 * The same for an update: the mask on a field that is still secret stands for the stored value of that field id. A field
 * that the update makes public while sending the mask loses its value.
 */
export function restoreSecrets(
  data: JsonObject,
  stored: { readonly secrets: Readonly<Secrets> },
): { data: JsonObject; secrets: Secrets } {
  return replaceDefaults(data, stored);
}

function replaceDefaults(data: JsonObject, { secrets: stored }: { readonly secrets: Readonly<Secrets> }) {
  const secrets: Secrets = {};
  const places = new Set<string>();
  const masked = mapFields(data, (field, node) => {
    const { id, default_value: value } = field;
    const known = typeof id === 'string' ? storedValue(stored, id, node) : undefined;
    if (!isSecretField(field)) return value === MASK && known !== undefined ? { ...field, default_value: '' } : field;
    if (value === undefined || value === null || value === '') return field;
    const hidden = { ...field, default_value: MASK };
    // No run asks for a field without an id, or for a second one of that id in a trigger: there is nothing to keep.
    if (typeof id !== 'string' || places.has(keyWithin(node, id))) return hidden;
    places.add(keyWithin(node, id));
    const kept = value === MASK ? (known ?? MASK) : textOf(value);
    const isTaken = Object.hasOwn(secrets, id) && secrets[id] !== kept;
    setOwn(secrets, isTaken ? keyWithin(node, id) : id, kept);
    return hidden;
  });
  return { data: masked as JsonObject, secrets };
}

/** Two triggers may use one field id for different secrets: then the later one is stored under both ids. */
function keyWithin(node: string, field: string): string {
  return JSON.stringify([node, field]);
}

function storedValue(stored: Readonly<Secrets>, field: string, node: string): string | undefined {
  for (const key of [keyWithin(node, field), field]) if (Object.hasOwn(stored, key)) return stored[key];
  return undefined;
}

/** The secrets by field id as this trigger has them: of two under one id its own. */
export function secretsWithin(trigger: { id: string; data: JsonObject }, stored: Readonly<Secrets> = {}): Secrets {
  const node = typeof trigger.data.id === 'string' ? trigger.data.id : trigger.id;
  const own: Secrets = {};
  for (const id of Object.keys(stored)) setOwn(own, id, storedValue(stored, id, node));
  return own;
}

/** Rebuilds `data` with each input field replaced, wherever a node declares some; the rest is shared, not copied. */
function mapFields(value: unknown, replace: (field: JsonObject, node: string) => JsonObject, node = ''): unknown {
  if (Array.isArray(value)) return mapMembers(value, item => mapFields(item, replace, node));
  if (!isObject(value)) return value;
  const id = typeof value.id === 'string' ? value.id : node;
  let isChanged = false;
  const entries = Object.entries(value).map(([key, member]): [string, unknown] => {
    const changed =
      key === 'input_fields' && Array.isArray(member)
        ? mapMembers(member, field => (isObject(field) ? replace(field, id) : field))
        : mapFields(member, replace, id);
    isChanged ||= changed !== member;
    return [key, changed];
  });
  return isChanged ? Object.fromEntries(entries) : value;
}

function mapMembers(list: readonly unknown[], change: (item: unknown) => unknown): unknown {
  const changed = list.map(change);
  return changed.every((item, index) => item === list[index]) ? list : changed;
}

/** A run's input as it may be shown: the values of secret fields hidden. */
export function maskInput(input: Readonly<JsonObject>, secretFields: Iterable<string>): JsonObject {
  const masked: JsonObject = { ...input };
  for (const id of secretFields) {
    if (Object.hasOwn(input, id) && input[id] !== null && input[id] !== '') setOwn(masked, id, MASK);
  }
  return masked;
}

/**
 * Puts values in the place of masks in a run's input: in a re-run what the original run was given, else the stored
 * default. Where neither is known the mask stays what it is, a text.
 */
export function restoreInput(
  input: Readonly<JsonObject>,
  secretFields: Iterable<string>,
  known: { defaults: Readonly<Secrets>; original?: Readonly<JsonObject> },
): JsonObject {
  const restored: JsonObject = { ...input };
  for (const id of secretFields) {
    if (!Object.hasOwn(input, id) || input[id] !== MASK) continue;
    for (const source of [known.original, known.defaults]) {
      if (source && Object.hasOwn(source, id)) {
        setOwn(restored, id, source[id]);
        break;
      }
    }
  }
  return restored;
}

/** The texts to hide wherever they turn up: the values of the secret fields, and the texts inside them. */
export function secretValues(values: Iterable<unknown>): string[] {
  const found = new Set<string>();
  const collect = (value: unknown): void => {
    if (value === MASK || value === null || value === undefined || typeof value === 'boolean') return;
    found.add(textOf(value));
    if (typeof value === 'object') for (const member of Object.values(value)) collect(member);
  };
  for (const value of values) collect(value);
  return [...found];
}

/** Hides the secrets in a value: in its texts and in the names of its members. */
export function maskValues<T>(value: T, secrets: Iterable<string>): T {
  return valueMasker(secrets)(value);
}

/** The same, made ready once for many values. */
export function valueMasker(secrets: Iterable<string>): <T>(value: T) => T {
  const forms = new Set<string>();
  for (const secret of secrets) for (const form of formsOf(secret)) forms.add(form);
  if (forms.size === 0) return value => value;
  // Longest first: of two secrets where one holds the other, nothing of the longer one may be left.
  const ordered = [...forms].sort((a, b) => b.length - a.length);
  const pattern = new RegExp(ordered.map(escapeForPattern).join('|'), 'g');
  const maskText = (text: string) => text.replace(pattern, MASK);
  const mask = (value: unknown): unknown => {
    if (typeof value === 'string') return maskText(value);
    if (typeof value === 'number') return forms.has(String(value)) ? MASK : value;
    if (Array.isArray(value)) return value.map(mask);
    if (!isObject(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [maskText(key), mask(member)]));
  };
  return <T>(value: T) => mask(value) as T;
}

/** The secret as it is and as filters write it: each form as it stands in a text, in JSON, and in an address. */
function formsOf(secret: string): string[] {
  const bare = secret.trim();
  const written = [secret, bare, bare.toUpperCase(), bare.toLowerCase()];
  return written.filter(form => form.length >= MIN_MASKED_BY_VALUE).flatMap(encodingsOf);
}

/** As it is, as it stands inside a JSON text, inside a JSON text within one, and inside an address. */
function encodingsOf(secret: string): string[] {
  const once = JSON.stringify(secret).slice(1, -1);
  const twice = JSON.stringify(once).slice(1, -1);
  const text = secret.toWellFormed();
  return [secret, once, twice, encodeURIComponent(text), new URLSearchParams([['', text]]).toString().slice(1)];
}

function escapeForPattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}
