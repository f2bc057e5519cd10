/** Text from outside as PostgreSQL can store it: U+0000 and lone surrogates become replacement characters. */
export function storableText(text: string): string {
  return text.toWellFormed().replaceAll('\0', '\uFFFD');
}
