/** What a note quotes as code, with the ends of its lines taken as blanks. */
export function codesOf(markdown: string): string[] {
  return [...markdown.matchAll(/`([^`]+)`/g)].map(([, text = '']) => text.replaceAll(/\s+/g, ' ').trim());
}
