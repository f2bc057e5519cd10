/**
 * Cuts a text at `maxBytes` of UTF-8, with a note at its end. If the limit is shorter than the note, only the note is left.
 * `subject` is the noun of the note.
 */
export function cutText(text: string, maxBytes: number, subject = 'text'): string {
  // Each UTF-16 unit takes at most three bytes.
  if (text.length * 3 <= maxBytes) return text;
  const bytes = Buffer.from(text);
  if (bytes.length <= maxBytes) return text;
  const note = `\n[truncated: the ${subject} has more than ${maxBytes} bytes]`;
  // An incomplete character at the end is dropped.
  const kept = bytes.subarray(0, Math.max(0, maxBytes - note.length));
  return new TextDecoder().decode(kept, { stream: true }) + note;
}
