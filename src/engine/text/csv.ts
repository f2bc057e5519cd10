import { isObject, type JsonObject, setOwn, textOf } from '../json-value.js';
import { numberedName } from './numbered-name.js';

const MAX_CELLS = 1_000_000;

/** A text that is not CSV, or too large. The message contains no text of the input. */
export class CsvError extends Error {}

/**
 * Parses CSV (RFC 4180) in one pass. Line breaks are CRLF, LF or CR. A leading byte order mark and an empty last line
 * are ignored. `delimiter`: one character. Throws a CsvError for an unclosed quote, text after a closing quote, or more
 * than a million cells.
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
      this.#add(this.text[this.#at] === '"' ? this.#readQuotedCell() : this.#readPlainCell());
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

  #endRow(lineBreak: string | undefined): void {
    this.#at += lineBreak === '\r' && this.text[this.#at + 1] === '\n' ? 2 : 1;
    this.#rows.push(this.#row);
    this.#row = [];
  }

  #readPlainCell(): string {
    const from = this.#at;
    while (this.#at < this.text.length && !this.#isEnd(this.text[this.#at])) this.#at++;
    return this.text.slice(from, this.#at);
  }

  #readQuotedCell(): string {
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

/**
 * Converts rows to objects with the first row as member names. Columns without a name, or with a repeated one, are named
 * `column_<number>`, from 1, with a suffix if another column has this name.
 */
export function rowsToObjects([header = [], ...rows]: readonly string[][]): JsonObject[] {
  const width = rows.reduce((widest, row) => Math.max(widest, row.length), header.length);
  const names = columnNames(header, width);
  return rows.map(row => {
    const object: JsonObject = {};
    const columns = names.slice(0, Math.max(header.length, row.length));
    for (const [index, name] of columns.entries()) setOwn(object, name, row[index] ?? '');
    return object;
  });
}

function columnNames(header: readonly string[], count: number): string[] {
  const used = new Set<string>();
  return Array.from({ length: count }, (_, index) => {
    const written = header[index]?.trim();
    const isUsed = (name: string) => used.has(name);
    const name = written && !isUsed(written) ? written : numberedName(`column_${index + 1}`, isUsed);
    used.add(name);
    return name;
  });
}

/**
 * Writes rows as CSV with CRLF. Objects become rows of their members, in the order in which the names first occur.
 * `delimiter`: one character. `hasHeader`: the first row contains the member names of the objects, if there are any.
 * Throws a CsvError for more than a million cells.
 */
export function formatCsv(rows: readonly unknown[], delimiter: string, hasHeader: boolean): string {
  const names = new Set<string>();
  for (const row of rows) if (isObject(row)) for (const name of Object.keys(row)) names.add(name);
  if (names.size * rows.length > MAX_CELLS) throw new CsvError(`the rows have more than ${MAX_CELLS} cells`);
  const columns = [...names];
  const lines = rows.map(row => {
    if (Array.isArray(row)) return row;
    return isObject(row) ? columns.map(name => (Object.hasOwn(row, name) ? row[name] : null)) : [row];
  });
  const written = hasHeader && columns.length > 0 ? [columns, ...lines] : lines;
  return written.map(line => `${line.map(cell => quotedIfNeeded(cell, delimiter)).join(delimiter)}\r\n`).join('');
}

function quotedIfNeeded(cell: unknown, delimiter: string): string {
  const text = cell === null || cell === undefined ? '' : textOf(cell);
  const isPlain = !text.includes(delimiter) && !text.includes('"') && !text.includes('\n') && !text.includes('\r');
  return isPlain && text === text.trim() ? text : `"${text.replaceAll('"', '""')}"`;
}
