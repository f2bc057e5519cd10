/** The code spans of a Markdown text, with line ends as spaces. */
export function codesOf(markdown: string): string[] {
  return [...markdown.matchAll(/`([^`]+)`/g)].map(([, text = '']) => text.replaceAll(/\s+/g, ' ').trim());
}
