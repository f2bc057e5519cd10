import { isBetween, normalized } from '../money/money.js';
import { type FieldErrors, InvalidInputError } from './errors.js';

const LANGUAGE = /^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8}){0,3}$/;

/** The message of a member that is null and must hold a value. */
export const NOT_NULL = 'This field may not be null.';

/** Gathers what is wrong with an input, so that a caller hears of every fault at once. */
export class Faults {
  readonly #fields: FieldErrors = {};

  add(field: string, message: string): void {
    const messages = this.#fields[field];
    if (messages) messages.push(message);
    else this.#fields[field] = [message];
  }

  /** Takes over what is wrong with a part of the input that stands at `place`. */
  addWithin(place: string, part: Faults): void {
    for (const [field, messages] of Object.entries(part.#fields))
      for (const message of messages) this.add(`${place}.${field}`, message);
  }

  /** A text between `min` and `max` characters; null and absent pass where `min` is 0 or the member optional. */
  text(field: string, value: string | null | undefined, { min = 0, max }: { min?: number; max: number }): void {
    if (value === undefined) return;
    if (value === null) {
      if (min > 0) this.add(field, NOT_NULL);
      return;
    }
    if (hasUnstorableText(value)) return this.add(field, 'Null characters and lone surrogates are not allowed.');
    if (min > 0 && value.trim() === '') return this.add(field, 'This field may not be blank.');
    if (value.length > max) this.add(field, `Ensure this field has no more than ${max} characters.`);
  }

  integer(field: string, value: number | null | undefined, { min, max }: { min: number; max: number }): void {
    if (value === undefined || value === null) return;
    if (value < min || value > max) this.add(field, `Ensure this value is between ${min} and ${max}.`);
  }

  /** An amount of money between 0 and `max`, of at most `places` decimal places. */
  amount(field: string, value: string, { max, places }: { max: string; places: number }): void {
    const [, decimals = ''] = normalized(value).split('.');
    if (!isBetween(value, '0', max)) this.add(field, `Ensure this value is between 0 and ${max}.`);
    else if (decimals.length > places) this.add(field, `Ensure that there are no more than ${places} decimal places.`);
  }

  httpUrl(field: string, value: string | null | undefined): void {
    if (value === undefined || value === null || value === '') return;
    const parsed = URL.canParse(value) ? new URL(value) : null;
    if (!parsed || !/^https?:$/.test(parsed.protocol) || parsed.username || parsed.password || value.length > 2048)
      this.add(field, 'Enter a valid http or https URL, without credentials, of at most 2048 characters.');
  }

  /** Codes such as `en` or `pt-BR`, at most 100. */
  languageCodes(field: string, codes: readonly string[] | null | undefined): void {
    if ((codes?.length ?? 0) > 100) this.add(field, 'Ensure this list has no more than 100 codes.');
    else if (codes?.some(code => !LANGUAGE.test(code))) this.add(field, 'Language codes look like en or pt-BR.');
  }

  get areAny(): boolean {
    return Object.keys(this.#fields).length > 0;
  }

  throwIfAny(): void {
    if (this.areAny) throw new InvalidInputError(this.#fields);
  }
}

/** PostgreSQL stores neither U+0000 nor half of a surrogate pair. */
export function hasUnstorableText(text: string): boolean {
  return text.includes('\u0000') || !text.isWellFormed();
}

/**
 * True when anything in a JSON value cannot be stored, or it nests deeper than `maxDepth`. `1e999` is read as infinite
 * and would be stored as null. Walks without recursion.
 */
export function isUnstorableJson(value: unknown, maxDepth = 64): boolean {
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
