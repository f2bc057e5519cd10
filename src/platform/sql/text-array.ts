import { ArrayType } from '@mikro-orm/core';

/**
 * A column of type `text[]`. Every word is quoted: an unquoted `null` would be read as NULL, and of the escapes of
 * JSON PostgreSQL knows two alone.
 */
export class TextArray extends ArrayType<string> {
  override convertToDatabaseValue(words: string[] | null): string | null {
    return words && `{${words.map(word => `"${word.replace(/["\\]/g, '\\$&')}"`).join(',')}}`;
  }
}
