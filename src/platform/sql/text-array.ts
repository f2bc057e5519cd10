import { ArrayType } from '@mikro-orm/core';

/**
 * A column of type `text[]`. All elements are quoted, because an unquoted `null` means NULL. Of the JSON escapes,
 * PostgreSQL supports only two in array texts.
 */
export class TextArray extends ArrayType<string> {
  override convertToDatabaseValue(words: string[] | null): string | null {
    return words && `{${words.map(word => `"${word.replace(/["\\]/g, '\\$&')}"`).join(',')}}`;
  }
}
