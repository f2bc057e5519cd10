/** RFC 4180. Texts that a spreadsheet would run as a formula begin with an apostrophe. */
function field(value: unknown): string {
  const text = value === null || value === undefined ? '' : String(value);
  const isFormula = typeof value === 'string' && /^[=+\-@\t\r]/.test(text) && Number.isNaN(Number(text));
  const safe = isFormula ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** A header and rows as the text of a CSV file. */
export function toCsv(header: readonly string[], rows: readonly (readonly unknown[])[]): string {
  return `${[header, ...rows].map(row => row.map(field).join(',')).join('\r\n')}\r\n`;
}
