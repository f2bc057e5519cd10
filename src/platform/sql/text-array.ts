import { ArrayType } from '@mikro-orm/core';

/**
 * An element of an array literal. Each text is quoted, because an unquoted `null` means NULL. Only quotes and backslashes are
 * escaped, because array literals have no other escapes.
 */
export function quotedElement(text: string): string {
  return `"${text.replace(/["\\]/g, '\\$&')}"`;
}

/** A column of type `text[]`. */
export class TextArray extends ArrayType<string> {
  override convertToDatabaseValue(words: string[] | null): string | null {
    return words && `{${words.map(quotedElement).join(',')}}`;
  }
}
