/** A value as a field of CSV (RFC 4180). A text that a spreadsheet would run as a formula gets an apostrophe in front of it. */
function toField(value: unknown): string {
  const text = value === null || value === undefined ? '' : String(value);
  const isFormula = typeof value === 'string' && /^[=+\-@\t\r]/.test(text) && Number.isNaN(Number(text));
  const safe = isFormula ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** A header and rows as the text of a CSV file. */
export function toCsv(header: readonly string[], rows: readonly (readonly unknown[])[]): string {
  return `${[header, ...rows].map(row => row.map(toField).join(',')).join('\r\n')}\r\n`;
}
