/** Returns the text with an upper-case first letter. Used where a fragment of the engine becomes a sentence of a message. */
export function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
