import { type JsonObject, setOwn, textOf } from '../json-value.js';

const MAX_CELLS = 1_000_000;

/** A text that is not CSV, or too large. The message contains no text of the input. */
export class CsvError extends Error {}

/**
 * Parses CSV (RFC 4180) in one pass. Line breaks are CRLF, LF or CR, and an empty last line is ignored. Throws a
 * CsvError for an unclosed quote, text after a closing quote, or more than a million cells.
 */
export function parseCsv(text: string, delimiter: string): string[][] {
  const reader = new CsvReader(text.startsWith('\uFEFF') ? text.slice(1) : text, delimiter);
  return reader.read();
}

class CsvReader {
  readonly #rows: string[][] = [];
  #row: string[] = [];
  #cells = 0;
  #at = 0;

  constructor(
    private readonly text: string,
    private readonly delimiter: string,
  ) {}

  read(): string[][] {
    while (this.#at < this.text.length) {
      this.#add(this.text[this.#at] === '"' ? this.#quoted() : this.#plain());
      const next = this.text[this.#at];
      if (next === this.delimiter) {
        this.#at++;
        // A delimiter at the end of the text is followed by an empty cell.
        if (this.#at === this.text.length) this.#add('');
      } else this.#endRow(next);
    }
    if (this.#row.length > 0) this.#endRow(undefined);
    return this.#rows;
  }

  #add(cell: string): void {
    if (++this.#cells > MAX_CELLS) throw new CsvError(`the text has more than ${MAX_CELLS} cells`);
    this.#row.push(cell);
  }

  #endRow(mark: string | undefined): void {
    this.#at += mark === '\r' && this.text[this.#at + 1] === '\n' ? 2 : 1;
    this.#rows.push(this.#row);
    this.#row = [];
  }

  #plain(): string {
    const from = this.#at;
    while (this.#at < this.text.length && !this.#isEnd(this.text[this.#at])) this.#at++;
    return this.text.slice(from, this.#at);
  }

  #quoted(): string {
    const parts: string[] = [];
    let from = this.#at + 1;
    for (;;) {
      const quote = this.text.indexOf('"', from);
      if (quote < 0) throw new CsvError(`row ${this.#rows.length + 1}: a quote is not closed`);
      parts.push(this.text.slice(from, quote));
      this.#at = quote + 1;
      if (this.text[this.#at] !== '"') break;
      parts.push('"');
      from = this.#at + 1;
    }
    if (this.#at < this.text.length && !this.#isEnd(this.text[this.#at]))
      throw new CsvError(`row ${this.#rows.length + 1}: text follows a closing quote`);
    return parts.join('');
  }

  #isEnd(character: string | undefined): boolean {
    return character === this.delimiter || character === '\n' || character === '\r';
  }
}

/** Converts rows to objects by the names in the first row. Cells without a name get `column_<number>`. */
export function rowsToObjects([header = [], ...rows]: readonly string[][]): JsonObject[] {
  const names: string[] = [];
  const used = new Set<string>();
  const nameOf = (index: number): string => {
    for (let at = names.length; at <= index; at++) {
      const written = header[at]?.trim();
      const name = written && !used.has(written) ? written : `column_${at + 1}`;
      used.add(name);
      names.push(name);
    }
    return names[index] ?? '';
  };
  header.forEach((_, index) => {
    nameOf(index);
  });
  return rows.map(row => {
    const object: JsonObject = {};
    const width = Math.max(header.length, row.length);
    for (let index = 0; index < width; index++) setOwn(object, nameOf(index), row[index] ?? '');
    return object;
  });
}

/** Writes rows as CSV with CRLF. Objects become rows of their members, in the order in which the names first occur. */
export function formatCsv(rows: readonly unknown[], delimiter: string, hasHeader: boolean): string {
  const names = new Set<string>();
  for (const row of rows) if (isRecord(row)) for (const name of Object.keys(row)) names.add(name);
  if (names.size * rows.length > MAX_CELLS) throw new CsvError(`the rows have more than ${MAX_CELLS} cells`);
  const columns = [...names];
  const lines = rows.map(row => {
    if (Array.isArray(row)) return row;
    return isRecord(row) ? columns.map(name => (Object.hasOwn(row, name) ? row[name] : null)) : [row];
  });
  const written = hasHeader && columns.length > 0 ? [columns, ...lines] : lines;
  return written.map(line => `${line.map(cell => quotedIfNeeded(cell, delimiter)).join(delimiter)}\r\n`).join('');
}

function isRecord(row: unknown): row is JsonObject {
  return typeof row === 'object' && row !== null && !Array.isArray(row);
}

function quotedIfNeeded(cell: unknown, delimiter: string): string {
  const text = cell === null || cell === undefined ? '' : textOf(cell);
  const isPlain = !text.includes(delimiter) && !text.includes('"') && !text.includes('\n') && !text.includes('\r');
  return isPlain && text === text.trim() ? text : `"${text.replaceAll('"', '""')}"`;
}
