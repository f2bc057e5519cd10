import { isNumeral } from '../conditions/compare.js';
import { isObject, type JsonObject, MAX_DEPTH } from '../json-value.js';
import { type Reference, TemplateError } from './expression.js';
import type { Args, Scope } from './scope.js';
import { TYPE_NAMES } from './value-types.js';

/** Maximum number of characters of all texts in one rendered value. */
export const MAX_RENDERED = 8 * 1024 * 1024;
/** Maximum number of steps of one expression: one for each part, list item and 256 characters that it processes. */
export const MAX_STEPS = 100_000;
/** Maximum number of steps of all expressions of one rendering. */
const MAX_RENDERING_STEPS = 1_000_000;
/** Maximum number of characters that one expression creates. */
const MAX_CREATED = 4 * MAX_RENDERED;

/** State of one rendering: its scope and the remaining part of its limits. */
export class Evaluation {
  /** Characters that rendered texts may still have. */
  remainingCharacters = MAX_RENDERED;
  /** The last reference without a value. */
  missing: Reference | undefined;
  /** The dotted path of the rendered text in its configuration. Empty: the text is the whole configuration. */
  path = '';
  /** Values of the parameters of functions that are being called. */
  readonly slots: unknown[] = [];
  #steps = 0;
  #stepsOfRendering = 0;
  #created = 0;
  #uuids = 0;

  constructor(
    readonly scope: Scope,
    readonly args?: Args,
  ) {}

  /** Begins the next expression of the rendering. */
  beginExpression(): void {
    this.#stepsOfRendering += this.#steps;
    this.#steps = 0;
    this.#created = 0;
    this.missing = undefined;
  }

  /** Counts the work of an operation. Throws a TemplateError above the limit. */
  charge(steps = 1): void {
    this.#steps += steps;
    if (this.#steps <= MAX_STEPS && this.#stepsOfRendering + this.#steps <= MAX_RENDERING_STEPS) return;
    throw new TemplateError('expression_failed', `an expression took more than ${MAX_STEPS} steps`);
  }

  /** Counts the work on a text. */
  chargeText(length: number): void {
    this.charge(1 + (length >> 8));
  }

  /** Counts a text before it is created. Throws a TemplateError above the limit. */
  chargeCreatedText(length: number): void {
    this.#created += length;
    if (this.#created > MAX_CREATED) {
      throw this.tooLarge(`an expression created more than ${MAX_CREATED} characters`);
    }
    this.chargeText(length);
  }

  /** Returns the number of members of a map, which takes time in proportion to it. */
  countMembers(map: JsonObject): number {
    const { length } = Object.keys(map);
    this.charge(length);
    return length;
  }

  /** Null, false, 0, the empty text, the empty list and the empty map count as false. */
  isTrue(value: unknown): boolean {
    if (Array.isArray(value)) return value.length > 0;
    if (isObject(value)) return this.countMembers(value) > 0;
    return Boolean(value);
  }

  /** Converts a value to text: texts are unchanged, everything else becomes JSON. */
  toText(value: unknown): string {
    if (typeof value === 'string') return value;
    if (typeof value !== 'object' || value === null) return String(value ?? null);
    this.chargeCreatedText(this.measure(value));
    return JSON.stringify(value);
  }

  /**
   * Returns the approximate length of the JSON text. Parts of a value may be shared, so it can be much longer than the
   * memory of the value. Throws a TemplateError if it is too long, nested too deep or has a number that is not finite.
   */
  measure(value: unknown): number {
    let length = 0;
    let parts = 0;
    const visit = (part: unknown, depth: number): void => {
      parts++;
      length += typeof part === 'string' ? part.length + 2 : 8;
      if (typeof part === 'number') assertFinite(part, 'an expression');
      if (length > MAX_RENDERED)
        throw this.tooLarge(`the value of an expression has more than ${MAX_RENDERED} characters`);
      if (typeof part !== 'object' || part === null) return;
      if (depth > MAX_DEPTH) throw new TemplateError('template_too_large', `must be nested at most ${MAX_DEPTH} deep`);
      if (Array.isArray(part)) {
        for (const item of part) visit(item, depth + 1);
        return;
      }
      for (const [key, member] of Object.entries(part)) {
        length += key.length;
        visit(member, depth + 1);
      }
    };
    visit(value, 0);
    this.charge(1 + (length >> 8) + (parts >> 2));
    return length;
  }

  /** Returns the error of a limit of characters. It names the rendered text and a remedy. */
  tooLarge(message: string): TemplateError {
    const place = this.path === '' ? 'the template' : JSON.stringify(this.path);
    return new TemplateError(
      'template_too_large',
      `${message}: shorten the values in ${place}, for example with the filter truncate or slice`,
    );
  }

  /** Returns the number of UUIDs that the rendering has created before. A repeated rendering counts the same. */
  nextUuidIndex(): number {
    return this.#uuids++;
  }
}

/** Creates the error of an operation with unsuitable values. */
export function failure(message: string): TemplateError {
  return new TemplateError('expression_failed', message);
}

/** Returns the number; for a text the number that it contains. Throws a TemplateError that names `subject` for other values. */
export function toNumber(value: unknown, subject: string): number {
  if (typeof value === 'number') return value;
  if (typeof value === 'string' && value.length <= MAX_NUMERAL && isNumeral(value.trim())) {
    return assertFinite(Number(value), subject);
  }
  throw failure(`${subject} takes ${TYPE_NAMES.number}`);
}

/** Longer texts are not numbers. It bounds the cost of the pattern. */
const MAX_NUMERAL = 400;

/** Returns the number. Throws a TemplateError that names `subject` for infinity and NaN. */
export function assertFinite(value: number, subject: string): number {
  if (Number.isFinite(value)) return value;
  throw failure(`the result of ${subject} is not a finite number`);
}
