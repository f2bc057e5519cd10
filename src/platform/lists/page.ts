import { InvalidInputError } from '../errors/errors.js';

/** Selects a part of a list. `page` counts from 1, `size` is 0-100 (default 10). A page past the end is empty. */
export interface PageArgs {
  page: number;
  size: number;
}

export interface Page<T> extends PageArgs {
  total: number;
  items: T[];
}

const MAX_SIZE = 100;

/** Converts a page to limit and offset. Throws if a number is out of range. */
export function toLimitOffset({ page, size }: PageArgs): { limit: number; offset: number } {
  const faults: Record<string, string[]> = {};
  if (page < 1) faults.page = ['Ensure this value is greater than or equal to 1.'];
  if (size < 0 || size > MAX_SIZE) faults.size = [`Ensure this value is between 0 and ${MAX_SIZE}.`];
  if (Object.keys(faults).length > 0) throw new InvalidInputError(faults);
  return { limit: size, offset: (page - 1) * size };
}

/** Returns an ILIKE pattern that matches `text` anywhere. `%` and `_` in it are literal. */
export function toContainsPattern(text: string): string {
  return `%${text.replace(/[\\%_]/g, '\\$&')}%`;
}
