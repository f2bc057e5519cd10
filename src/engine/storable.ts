/**
 * Makes a text storable: PostgreSQL rejects null characters and unpaired surrogates, so each becomes the replacement
 * character.
 */
export function storable(text: string): string {
  const whole = text.isWellFormed() ? text : text.toWellFormed();
  return whole.includes('\0') ? whole.replaceAll('\0', '\ufffd') : whole;
}
