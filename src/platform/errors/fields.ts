import { isBetween, normalize } from '../money/money.js';
import { InvalidInputError } from './errors.js';

const LANGUAGE = /^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8}){0,3}$/;

/** The message for a member that is null but requires a value. */
export const NOT_NULL = 'This field may not be null.';

/** Collects all faults of an input, so that the caller gets them in one response. */
export class Faults {
  /** A map, because a field may have a name that every object inherits, such as `constructor`. */
  readonly #fields = new Map<string, string[]>();

  add(field: string, message: string): void {
    const messages = this.#fields.get(field);
    if (messages) messages.push(message);
    else this.#fields.set(field, [message]);
  }

  /** Adds the faults of the part of the input at `path`. */
  addWithin(path: string, part: Faults): void {
    for (const [field, messages] of part.#fields) for (const message of messages) this.add(`${path}.${field}`, message);
  }

  /**
   * Checks that a text can be stored and has at most `max` characters. With `min` 1, null and blank texts are faults as
   * well. Undefined passes, because an update omits unchanged members: the GraphQL type of an input or the caller checks
   * that a member is present.
   */
  text(field: string, value: string | null | undefined, { min = 0, max }: { min?: 0 | 1; max: number }): void {
    if (value === undefined) return;
    if (value === null) {
      if (min === 1) this.add(field, NOT_NULL);
      return;
    }
    if (hasUnstorableText(value)) return this.add(field, 'Null characters and lone surrogates are not allowed.');
    if (min === 1 && value.trim() === '') return this.add(field, 'This field may not be blank.');
    if (value.length > max) this.add(field, `Ensure this field has no more than ${max} characters.`);
  }

  integer(field: string, value: number | null | undefined, { min, max }: { min: number; max: number }): void {
    if (value === undefined || value === null) return;
    if (value < min || value > max) this.add(field, `Ensure this value is between ${min} and ${max}.`);
  }

  /** Checks that an amount of money is between 0 and `max` and has at most `places` decimal places. */
  amount(field: string, value: string, { max, places }: { max: string; places: number }): void {
    const [, decimals = ''] = normalize(value).split('.');
    if (!isBetween(value, '0', max)) this.add(field, `Ensure this value is between 0 and ${max}.`);
    else if (decimals.length > places) this.add(field, `Ensure that there are no more than ${places} decimal places.`);
  }

  httpUrl(field: string, value: string | null | undefined): void {
    if (value === undefined || value === null || value === '') return;
    const parsed = URL.canParse(value) ? new URL(value) : null;
    if (!parsed || !/^https?:$/.test(parsed.protocol) || parsed.username || parsed.password || value.length > 2048)
      this.add(field, 'Enter a valid http or https URL, without credentials, of at most 2048 characters.');
  }

  /** Checks at most 100 language codes such as `en` or `pt-BR`. */
  languageCodes(field: string, codes: readonly string[] | null | undefined): void {
    if ((codes?.length ?? 0) > 100) this.add(field, 'Ensure this list has no more than 100 codes.');
    else if (codes?.some(code => !LANGUAGE.test(code))) this.add(field, 'Language codes look like en or pt-BR.');
  }

  get areAny(): boolean {
    return this.#fields.size > 0;
  }

  throwIfAny(): void {
    if (this.areAny) throw new InvalidInputError(Object.fromEntries(this.#fields));
  }
}

/** Returns true for texts that PostgreSQL cannot store: with U+0000 or an unpaired surrogate. */
export function hasUnstorableText(text: string): boolean {
  return text.includes('\u0000') || !text.isWellFormed();
}

/** Maximum nesting depth of JSON values. Equals MAX_DEPTH of the engine, which this layer cannot import. */
export const MAX_JSON_DEPTH = 64;

/**
 * Returns true if a JSON value contains text that cannot be stored or nests deeper than `maxDepth`. `1e999` parses as
 * Infinity, which would be stored as null. Not recursive, so deep values cannot overflow the stack.
 */
export function isUnstorableJson(value: unknown, maxDepth = MAX_JSON_DEPTH): boolean {
  const open: [unknown, number][] = [[value, 1]];
  for (let next = open.pop(); next; next = open.pop()) {
    const [current, depth] = next;
    if (typeof current === 'string' && hasUnstorableText(current)) return true;
    if (typeof current === 'number' && !Number.isFinite(current)) return true;
    if (typeof current !== 'object' || current === null) continue;
    if (depth > maxDepth) return true;
    for (const [key, member] of Object.entries(current)) {
      if (hasUnstorableText(key)) return true;
      open.push([member, depth + 1]);
    }
  }
  return false;
}
