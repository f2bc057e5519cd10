import { isObject, textOf } from '../json-value.js';
import { numberedName } from './numbered-name.js';

const MAX_CELLS = 1_000_000;
/** Cells that are read or written at once. */
const CELLS_AT_ONCE = 10_000;

/** A text that is not CSV, or too large. The message contains no text of the input. */
export class CsvError extends Error {}

/** Lets other work of the process proceed. Called between parts of a large text; rejects to end the work. */
export type Pause = () => Promise<void>;

/**
 * Parses CSV (RFC 4180) in one pass. Line breaks are CRLF, LF or CR. A leading byte order mark and an empty last line
 * are ignored. `delimiter`: one character. Throws a CsvError for an unclosed quote, text after a closing quote, or more
 * than a million cells.
 */
export async function parseCsv(text: string, delimiter: string, pause: Pause): Promise<string[][]> {
  const reader = new CsvReader(text.startsWith('\uFEFF') ? text.slice(1) : text, delimiter);
  while (!reader.readPart()) await pause();
  return reader.rows;
}

class CsvReader {
  readonly rows: string[][] = [];
  #row: string[] = [];
  #cells = 0;
  #at = 0;

  constructor(
    private readonly text: string,
    private readonly delimiter: string,
  ) {}

  /** Returns true at the end of the text. */
  readPart(): boolean {
    const until = this.#cells + CELLS_AT_ONCE;
    while (this.#at < this.text.length) {
      if (this.#cells >= until) return false;
      this.#add(this.text[this.#at] === '"' ? this.#readQuotedCell() : this.#readPlainCell());
      const next = this.text[this.#at];
      if (next === this.delimiter) {
        this.#at++;
        // A delimiter at the end of the text is followed by an empty cell.
        if (this.#at === this.text.length) this.#add('');
      } else this.#endRow(next);
    }
    if (this.#row.length > 0) this.#endRow(undefined);
    return true;
  }

  #add(cell: string): void {
    if (++this.#cells > MAX_CELLS) throw new CsvError(`the text has more than ${MAX_CELLS} cells`);
    this.#row.push(cell);
  }

  #endRow(lineBreak: string | undefined): void {
    this.#at += lineBreak === '\r' && this.text[this.#at + 1] === '\n' ? 2 : 1;
    this.rows.push(this.#row);
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
      if (quote < 0) throw new CsvError(`row ${this.rows.length + 1}: a quote is not closed`);
      parts.push(this.text.slice(from, quote));
      this.#at = quote + 1;
      if (this.text[this.#at] !== '"') break;
      parts.push('"');
      from = this.#at + 1;
    }
    if (this.#at < this.text.length && !this.#isEnd(this.text[this.#at]))
      throw new CsvError(`row ${this.rows.length + 1}: text follows a closing quote`);
    return parts.join('');
  }

  #isEnd(character: string | undefined): boolean {
    return character === this.delimiter || character === '\n' || character === '\r';
  }
}

/**
 * Returns rows as the JSON of objects with the first row as member names. Columns without a name, or with a repeated one,
 * are named `column_<number>`, from 1, with a suffix if another column has this name. Throws a CsvError if the objects
 * have more than a million members.
 */
export async function rowsToJson([header = [], ...rows]: readonly string[][], pause: Pause): Promise<string> {
  const width = rows.reduce((widest, row) => Math.max(widest, row.length), header.length);
  const count = rows.reduce((cells, row) => cells + Math.max(header.length, row.length), 0);
  if (count > MAX_CELLS) throw new CsvError(`the rows have more than ${MAX_CELLS} cells with those of the header`);
  const names = await columnNames(header, width, pause);
  const writer = new CellWriter(pause);
  for (const [index, row] of rows.entries()) {
    writer.add(index === 0 ? '{' : ',{');
    for (let column = 0; column < Math.max(header.length, row.length); column++) {
      const cell = `${names[column]}:${JSON.stringify(row[column] ?? '')}`;
      if (writer.addCell(column === 0 ? cell : `,${cell}`)) await writer.endPart();
    }
    writer.add('}');
  }
  return `[${writer.text}]`;
}

/** Returns rows as the JSON of lists. */
export async function listsToJson(rows: readonly string[][], pause: Pause): Promise<string> {
  const writer = new CellWriter(pause);
  for (const [index, row] of rows.entries()) {
    writer.add(index === 0 ? '[' : ',[');
    for (const [column, cell] of row.entries())
      if (writer.addCell(`${column === 0 ? '' : ','}${JSON.stringify(cell)}`)) await writer.endPart();
    writer.add(']');
  }
  return `[${writer.text}]`;
}

/** Joins cells in parts, because a text of a million pieces takes long to join. */
class CellWriter {
  #parts: string[] = [];
  #pieces: string[] = [];
  #cells = 0;

  constructor(private readonly pause: Pause) {}

  add(piece: string): void {
    this.#pieces.push(piece);
  }

  /** Returns true if `endPart` has to be called. */
  addCell(piece: string): boolean {
    this.#pieces.push(piece);
    return ++this.#cells % CELLS_AT_ONCE === 0;
  }

  async endPart(): Promise<void> {
    this.#parts.push(this.#pieces.join(''));
    this.#pieces = [];
    await this.pause();
  }

  get text(): string {
    return this.#parts.join('') + this.#pieces.join('');
  }
}

/** Returns the names as JSON. */
async function columnNames(header: readonly string[], count: number, pause: Pause): Promise<string[]> {
  const used = new Set<string>();
  const isUsed = (name: string) => used.has(name);
  const names: string[] = [];
  for (let index = 0; index < count; index++) {
    if (index % CELLS_AT_ONCE === CELLS_AT_ONCE - 1) await pause();
    const written = header[index]?.trim();
    const name = written && !isUsed(written) ? written : numberedName(`column_${index + 1}`, isUsed);
    used.add(name);
    names.push(JSON.stringify(name));
  }
  return names;
}

/**
 * Writes rows as CSV with CRLF. Objects become rows of their members, in the order in which the names first occur.
 * `delimiter`: one character. `hasHeader`: the first row contains the member names of the objects, if there are any.
 * Throws a CsvError for more than a million cells.
 */
export async function formatCsv(
  rows: readonly unknown[],
  delimiter: string,
  hasHeader: boolean,
  pause: Pause,
): Promise<string> {
  const columns = await memberNames(rows, pause);
  const cells = rows.reduce<number>((count, row) => count + (Array.isArray(row) ? row.length : 1), 0);
  if (columns.length * rows.length > MAX_CELLS || cells > MAX_CELLS)
    throw new CsvError(`the rows have more than ${MAX_CELLS} cells`);
  const writer = new CellWriter(pause);
  const writeLine = async (line: readonly unknown[]) => {
    for (const [index, cell] of line.entries()) {
      const text = quotedIfNeeded(cell, delimiter);
      if (writer.addCell(index === 0 ? text : delimiter + text)) await writer.endPart();
    }
    writer.add('\r\n');
  };
  if (hasHeader && columns.length > 0) await writeLine(columns);
  for (const row of rows) {
    if (Array.isArray(row)) await writeLine(row);
    else await writeLine(isObject(row) ? columns.map(name => (Object.hasOwn(row, name) ? row[name] : null)) : [row]);
  }
  return writer.text;
}

/** Returns the names of all members in the order in which they first occur. */
async function memberNames(rows: readonly unknown[], pause: Pause): Promise<string[]> {
  const names = new Set<string>();
  for (const [index, row] of rows.entries()) {
    if (index % 1000 === 999) await pause();
    if (isObject(row)) for (const name of Object.keys(row)) names.add(name);
  }
  return [...names];
}

function quotedIfNeeded(cell: unknown, delimiter: string): string {
  const text = cell === null || cell === undefined ? '' : textOf(cell);
  const isPlain = !text.includes(delimiter) && !text.includes('"') && !text.includes('\n') && !text.includes('\r');
  return isPlain && text === text.trim() ? text : `"${text.replaceAll('"', '""')}"`;
}
