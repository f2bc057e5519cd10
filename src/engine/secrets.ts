import { ExcerptSearch } from './excerpt-search.js';
import { isObject, type JsonObject, setOwn, textOf } from './json-value.js';
import { type Interval, mergeIntervals, PhraseSearch } from './phrase-search.js';

/** Text that replaces a secret in responses. */
export const MASK = '********';

/** Maximum UTF-8 bytes of one secret and of all secrets of a run. Larger ones are rejected. */
const MAX_SECRET_BYTES = 16_384;
export const MAX_SECRETS_BYTES = 65_536;

/** Plaintext values of secret fields, by field id. */
export type Secrets = Record<string, string>;

/** Shorter values occur in texts by chance. They are masked only at the position of their field. */
export const MIN_MASKED_BY_VALUE = 6;
/** For secrets longer than this, excerpts are masked as well, because messages may be truncated inside a secret. */
const LONG = 512;

/** Returns true for a secret input field. Form submissions may send the flag as a text or number. */
export function isSecretField(field: JsonObject): boolean {
  return field.is_secret === true || field.is_secret === 1 || field.is_secret === 'true';
}

/**
 * Replaces the secret default values of all triggers in a workflow's `data`, including nested ones, by the mask.
 * Returns the extracted values.
 */
export function maskSecrets(data: JsonObject): { data: JsonObject; secrets: Secrets } {
  return replaceDefaults(data, { secrets: {} });
}

/**
 * Like `maskSecrets`, for an update: the mask on a secret field keeps the stored value of that field id. A field that
 * becomes public while its value is the mask loses its value.
 */
export function restoreSecrets(
  data: JsonObject,
  stored: { readonly secrets: Readonly<Secrets> },
): { data: JsonObject; secrets: Secrets } {
  return replaceDefaults(data, stored);
}

function replaceDefaults(data: JsonObject, { secrets: stored }: { readonly secrets: Readonly<Secrets> }) {
  const secrets: Secrets = {};
  const usedKeys = new Set<string>();
  const addSecret = (id: string, node: string, value: string): void => {
    const place = keyWithin(node, id);
    // A run reads only the first field with a given id in a trigger, so a second one is not stored.
    if (usedKeys.has(place)) return;
    usedKeys.add(place);
    const isUsed = Object.hasOwn(secrets, id) && secrets[id] !== value;
    setOwn(secrets, isUsed ? place : id, value);
  };
  const masked = mapFields(data, (field, node) => {
    const { id, default_value: value } = field;
    const storedSecret = typeof id === 'string' ? storedValue(stored, id, node) : undefined;
    if (!isSecretField(field))
      return value === MASK && storedSecret !== undefined ? { ...field, default_value: '' } : field;
    if (value === undefined || value === null || value === '') return field;
    // A run cannot read a field without an id, so its value is not stored.
    if (typeof id === 'string') addSecret(id, node, value === MASK ? (storedSecret ?? MASK) : textOf(value));
    return { ...field, default_value: MASK };
  });
  return { data: masked as JsonObject, secrets };
}

/** Storage key of a secret whose field id another trigger already uses for a different secret. */
function keyWithin(node: string, field: string): string {
  return JSON.stringify([node, field]);
}

function storedValue(stored: Readonly<Secrets>, field: string, node: string): string | undefined {
  for (const key of [keyWithin(node, field), field]) if (Object.hasOwn(stored, key)) return stored[key];
  return undefined;
}

/** Returns the secrets of one trigger by field id. If two triggers use one id, returns the trigger's own. */
export function secretsOfTrigger(trigger: { id: string; data: JsonObject }, stored: Readonly<Secrets> = {}): Secrets {
  const node = typeof trigger.data.id === 'string' ? trigger.data.id : trigger.id;
  const own: Secrets = {};
  for (const id of Object.keys(stored)) setOwn(own, id, storedValue(stored, id, node));
  return own;
}

/** Returns `data` with each input field replaced. Unchanged parts are shared, not copied. */
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

/** Returns every input field in `data`, with the id of the node that declares it. */
export function inputFieldsWithin(data: unknown): { field: JsonObject; node: string }[] {
  const fields: { field: JsonObject; node: string }[] = [];
  mapFields(data, (field, node) => {
    fields.push({ field, node });
    return field;
  });
  return fields;
}

function mapMembers(list: readonly unknown[], change: (item: unknown) => unknown): unknown {
  const changed = list.map(change);
  return changed.every((item, index) => item === list[index]) ? list : changed;
}

/** Returns the input of a run with the values of secret fields masked. */
export function maskInput(input: Readonly<JsonObject>, secretFields: Iterable<string>): JsonObject {
  const masked: JsonObject = { ...input };
  for (const id of secretFields) {
    if (Object.hasOwn(input, id) && input[id] !== null && input[id] !== '') setOwn(masked, id, MASK);
  }
  return masked;
}

/**
 * Replaces masks in a run's input by the original input of a re-run, otherwise by the stored default. A mask without a
 * known value is kept as text.
 */
export function restoreInput(
  input: Readonly<JsonObject>,
  secretFields: Iterable<string>,
  sources: { defaults: Readonly<Secrets>; original?: Readonly<JsonObject> },
): JsonObject {
  const restored: JsonObject = { ...input };
  for (const id of secretFields) {
    if (!Object.hasOwn(input, id) || input[id] !== MASK) continue;
    for (const source of [sources.original, sources.defaults]) {
      if (source && Object.hasOwn(source, id)) {
        setOwn(restored, id, source[id]);
        break;
      }
    }
  }
  return restored;
}

/** Returns an error text if the value is too long for a secret, otherwise undefined. */
export function secretSizeFault(value: unknown): string | undefined {
  return secretBytes(value) > MAX_SECRET_BYTES ? 'a secret takes at most 16,384 bytes of UTF-8' : undefined;
}

/** Returns an error text if a secret of a run's input, or their total, is too large. Returns undefined otherwise. */
export function secretInputFault(input: Readonly<JsonObject>, secretFields: readonly string[]): string | undefined {
  let sum = 0;
  for (const id of secretFields) {
    if (!Object.hasOwn(input, id)) continue;
    const fault = secretSizeFault(input[id]);
    if (fault !== undefined) return `The input field ${JSON.stringify(id)} is too long: ${fault}.`;
    sum += secretBytes(input[id]);
    if (sum > MAX_SECRETS_BYTES)
      return `The input field ${JSON.stringify(id)} is too long: the secrets of a run take at most 65,536 bytes together.`;
  }
  return undefined;
}

/** Returns the UTF-8 bytes of a secret as text. */
export function secretBytes(value: unknown): number {
  if (value === null || value === undefined) return 0;
  const text = textOf(value);
  // Every character takes at least one byte. Much longer texts need not be encoded to be counted.
  return text.length > MAX_SECRETS_BYTES ? text.length : new TextEncoder().encode(text).length;
}

/** Returns all texts to mask: the values of the secret fields and the texts inside them. */
export function secretValues(values: Iterable<unknown>): string[] {
  const texts = new Set<string>();
  const collect = (value: unknown): void => {
    if (value === MASK || value === null || value === undefined || typeof value === 'boolean') return;
    texts.add(textOf(value));
    if (typeof value === 'object') for (const member of Object.values(value)) collect(member);
  };
  for (const value of values) collect(value);
  return [...texts];
}

/**
 * Returns a predicate that is true if a value contains one of the secrets in any form that would be masked. Short
 * secrets match at any position.
 */
export function secretFinder(secrets: readonly string[]): (value: unknown) => boolean {
  const mask = valueMasker(secrets);
  const short = secrets.filter(secret => secret !== '' && secret.trim().length < MIN_MASKED_BY_VALUE);
  return value => {
    const text = JSON.stringify(value) ?? '';
    return (
      JSON.stringify(mask(value)) !== text || short.some(secret => text.includes(JSON.stringify(secret).slice(1, -1)))
    );
  };
}

/** Masks the secrets in a value, in its texts and property names. */
export function maskValues<T>(value: T, secrets: Iterable<string>): T {
  return valueMasker(secrets)(value);
}

/** Returns the spellings of secrets that are masked by value. */
export function secretForms(secrets: Iterable<string>): Set<string> {
  const forms = new Set<string>();
  for (const secret of secrets) for (const form of formsOf(secret)) forms.add(form);
  return forms;
}

/** Returns a function that finds the forms in a text, and excerpts of long ones. */
export function formsSearch(forms: readonly string[]): (text: string) => Interval[] {
  const whole = new PhraseSearch(forms.filter(form => form.length <= LONG));
  const long = forms.filter(form => form.length > LONG);
  const excerpts = long.length === 0 ? undefined : new ExcerptSearch(long);
  return text => mergeIntervals(whole.findCovered(text), excerpts?.findCovered(text) ?? []);
}

/** Returns a reusable `maskValues` for these secrets. */
export function valueMasker(secrets: Iterable<string>): <T>(value: T) => T {
  const forms = secretForms(secrets);
  if (forms.size === 0) return value => value;
  const find = formsSearch([...forms]);
  const maskText = (text: string): string => (text.length < MIN_MASKED_BY_VALUE ? text : withMasks(text, find(text)));
  const mask = (value: unknown): unknown => {
    if (typeof value === 'string') return maskText(value);
    if (typeof value === 'number') return forms.has(String(value)) ? MASK : value;
    if (Array.isArray(value)) return value.map(mask);
    if (!isObject(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [maskText(key), mask(member)]));
  };
  return <T>(value: T) => mask(value) as T;
}

/** Returns the spellings of a secret that common functions of expressions produce, in each encoding. */
function formsOf(secret: string): string[] {
  const bare = secret.trim();
  const written = [secret, bare, bare.toUpperCase(), bare.toLowerCase()];
  const base64 = [secret, bare].filter(form => form.length >= MIN_ENCODED).flatMap(base64FormsOf);
  return [...written.filter(form => form.length >= MIN_MASKED_BY_VALUE).flatMap(encodingsOf), ...base64];
}

/** The base64 of a shorter secret inside another text has too few characters of its own. */
const MIN_ENCODED = 8;

/**
 * The characters that the base64 of any text with the secret inside contains, such as that of `user:secret`, for each
 * of the three positions in a group of bytes. In the URL-safe alphabet they differ.
 */
function base64FormsOf(secret: string): string[] {
  const bytes = new TextEncoder().encode(secret);
  return [0, 1, 2].flatMap(offset => {
    const shifted = new Uint8Array(offset + bytes.length);
    shifted.set(bytes, offset);
    const text = Buffer.from(shifted).toString('base64');
    // The characters at both ends also contain bits of the neighboring bytes.
    const form = text.slice(Math.ceil((offset * 4) / 3), Math.floor((shifted.length * 4) / 3));
    return [form, form.replaceAll('+', '-').replaceAll('/', '_')];
  });
}

/** Encodes a secret as plain text, inside JSON, inside JSON within JSON, and inside a URL. */
function encodingsOf(secret: string): string[] {
  const jsonText = JSON.stringify(secret).slice(1, -1);
  const doubleJsonText = JSON.stringify(jsonText).slice(1, -1);
  const text = secret.toWellFormed();
  return [
    secret,
    jsonText,
    doubleJsonText,
    encodeURIComponent(text),
    new URLSearchParams([['', text]]).toString().slice(1),
  ];
}

function withMasks(text: string, hidden: readonly Interval[]): string {
  if (hidden.length === 0) return text;
  let masked = '';
  let end = 0;
  for (const [from, to] of hidden) {
    masked += text.slice(end, from) + MASK;
    end = to;
  }
  return masked + text.slice(end);
}
