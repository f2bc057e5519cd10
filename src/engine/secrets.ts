import { ExcerptSearch } from './excerpt-search.js';
import { isObject, type JsonObject, setOwn, textOf } from './json-value.js';
import { type Interval, PhraseSearch, union } from './phrase-search.js';

export const MASK = '********';

/** Of one secret, in bytes of UTF-8, and of all that a run has: what is longer is refused. */
const MAX_SECRET_BYTES = 16_384;
export const MAX_SECRETS_BYTES = 65_536;

/** Values of secret fields by field id, in clear. */
export type Secrets = Record<string, string>;

/** Shorter values turn up in texts by chance; they are masked where their field stands, and there alone. */
const MIN_MASKED_BY_VALUE = 6;
/** Of a longer secret, excerpts are hidden as well: a message may be cut off in the middle of it. */
const LONG = 512;

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
  const keep = (id: string, node: string, value: string): void => {
    const place = keyWithin(node, id);
    // No run asks for a second field of that id in a trigger: there is nothing to keep.
    if (places.has(place)) return;
    places.add(place);
    const isTaken = Object.hasOwn(secrets, id) && secrets[id] !== value;
    setOwn(secrets, isTaken ? place : id, value);
  };
  const masked = mapFields(data, (field, node) => {
    const { id, default_value: value } = field;
    const known = typeof id === 'string' ? storedValue(stored, id, node) : undefined;
    if (!isSecretField(field)) return value === MASK && known !== undefined ? { ...field, default_value: '' } : field;
    if (value === undefined || value === null || value === '') return field;
    // No run asks for a field without an id.
    if (typeof id === 'string') keep(id, node, value === MASK ? (known ?? MASK) : textOf(value));
    return { ...field, default_value: MASK };
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

/** Every input field below `data`, with the id of the node that declares it. */
export function inputFieldsWithin(data: unknown): { field: JsonObject; node: string }[] {
  const found: { field: JsonObject; node: string }[] = [];
  mapFields(data, (field, node) => {
    found.push({ field, node });
    return field;
  });
  return found;
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

/** Why a value is too long for a secret; undefined: it is not. */
export function secretSizeFault(value: unknown): string | undefined {
  return secretBytes(value) > MAX_SECRET_BYTES ? 'a secret takes at most 16,384 bytes of UTF-8' : undefined;
}

/** What is wrong with the size of the secrets that a run is given, by the field that it is about; undefined: nothing. */
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

function secretBytes(value: unknown): number {
  if (value === null || value === undefined) return 0;
  const text = textOf(value);
  // No character takes less than a byte: what is far too long is not encoded to be counted.
  return text.length > MAX_SECRETS_BYTES ? text.length : new TextEncoder().encode(text).length;
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

/** Tells whether a value holds one of the secrets, in any form that would be masked; a short one counts wherever it stands. */
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

/** Hides the secrets in a value: in its texts and in the names of its members. */
export function maskValues<T>(value: T, secrets: Iterable<string>): T {
  return valueMasker(secrets)(value);
}

/** The same, made ready once for many values. */
export function valueMasker(secrets: Iterable<string>): <T>(value: T) => T {
  const forms = new Set<string>();
  for (const secret of secrets) for (const form of formsOf(secret)) forms.add(form);
  if (forms.size === 0) return value => value;
  const all = [...forms];
  const whole = new PhraseSearch(all.filter(form => form.length <= LONG));
  const long = all.filter(form => form.length > LONG);
  const excerpts = long.length === 0 ? undefined : new ExcerptSearch(long);
  const maskText = (text: string): string => {
    if (text.length < MIN_MASKED_BY_VALUE) return text;
    return withMasks(text, union(whole.covered(text), excerpts?.covered(text) ?? []));
  };
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

function withMasks(text: string, hidden: readonly Interval[]): string {
  if (hidden.length === 0) return text;
  let shown = '';
  let end = 0;
  for (const [from, to] of hidden) {
    shown += text.slice(end, from) + MASK;
    end = to;
  }
  return shown + text.slice(end);
}
