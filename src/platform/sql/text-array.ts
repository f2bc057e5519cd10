import { ArrayType } from '@mikro-orm/core';

/**
 * A column of type `text[]`. All elements are quoted, because an unquoted `null` means NULL. Only quotes and backslashes are
 * escaped, because array literals have no other escapes.
 */
export class TextArray extends ArrayType<string> {
  override convertToDatabaseValue(words: string[] | null): string | null {
    return words && `{${words.map(word => `"${word.replace(/["\\]/g, '\\$&')}"`).join(',')}}`;
  }
}
