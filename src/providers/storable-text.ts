/** Replaces U+0000 and lone surrogates, which PostgreSQL cannot store, by replacement characters. */
export function storableText(text: string): string {
  return text.toWellFormed().replaceAll('\0', '\uFFFD');
}
