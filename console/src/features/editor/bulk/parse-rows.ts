import Papa from 'papaparse';
import { isObject, parseJson, textOf } from '@/shared/json/json-value';
import { type FormValues, formFaults, type InputField, inputOf } from '@/shared/run-form/input-fields';

/** Maximum runs that the service starts in one request. */
export const MAX_ROWS = 1_000;
/** The column, or member, with the idempotency key of a row. */
export const KEY_COLUMN = 'idempotency_key';

/** A run to start. */
export interface BulkRow {
  input: Record<string, unknown>;
  /** The idempotency key. Null: `useBulkStart` creates one. */
  key: string | null;
}

export interface ParsedRows {
  rows: BulkRow[];
  /** Why the text cannot be used, with the row. At most `MAX_FAULTS`. */
  faults: string[];
  /** Columns and members that do not name an input field. They are sent: placeholders can refer to them. */
  unknown: string[];
}

/** Enough to see a pattern in a text with many faults. */
const MAX_FAULTS = 5;

/**
 * Reads a JSON list of inputs, or a CSV text whose first line names the input fields. The service checks the values; only
 * required values of a CSV text are checked here.
 */
export function parseRows(text: string, fields: readonly InputField[]): ParsedRows {
  const trimmed = text.replace(/^\uFEFF/, '').trim();
  if (trimmed === '') return { rows: [], faults: [], unknown: [] };
  return trimmed.startsWith('[') ? parseList(trimmed, fields) : parseCsvRows(trimmed, fields);
}

function parseList(text: string, fields: readonly InputField[]): ParsedRows {
  const list = parseJson(text);
  if (!Array.isArray(list)) return { rows: [], faults: ['This is not a valid JSON list.'], unknown: [] };
  const faults: string[] = [];
  const rows = list.map((item: unknown, index): BulkRow => {
    if (!isObject(item)) {
      faults.push(`Row ${index + 1} is not a JSON object.`);
      return { input: {}, key: null };
    }
    const { [KEY_COLUMN]: key, ...input } = item;
    return { input, key: textOf(key) || null };
  });
  return checkRows(
    rows,
    faults,
    unknownNames(
      rows.flatMap(({ input }) => Object.keys(input)),
      fields,
    ),
  );
}

function parseCsvRows(text: string, fields: readonly InputField[]): ParsedRows {
  // Commas, semicolons or tabs, whichever the text uses.
  const { data, errors } = Papa.parse<string[]>(text, { skipEmptyLines: true, delimitersToGuess: [',', ';', '\t'] });
  const invalid = errors.filter(({ type }) => type === 'Quotes');
  if (invalid.length > 0) return { rows: [], faults: invalid.slice(0, MAX_FAULTS).map(csvFault), unknown: [] };
  const [header = [], ...lines] = data;
  const columns = header.map(name => name.trim());
  const byKey = new Map(fields.map(field => [field.key, field]));
  const faults: string[] = [];
  const rows = lines.map((cells, index): BulkRow => {
    const values: FormValues = {};
    const rest: Record<string, string> = {};
    let key: string | null = null;
    for (const [position, column] of columns.entries()) {
      const cell = cells[position] ?? '';
      const field = byKey.get(column);
      if (column === KEY_COLUMN) key = cell.trim() || null;
      else if (field) values[column] = cellValue(field, cell);
      else if (cell !== '') rest[column] = cell;
    }
    for (const [name, message] of Object.entries(formFaults(fields, values)))
      faults.push(`Row ${index + 1}, ${name}: ${message}`);
    return { input: { ...rest, ...inputOf(fields, values) }, key };
  });
  return checkRows(rows, faults, unknownNames(columns, fields));
}

/** `row` is that of Papa Parse, which counts the header as row 0. */
function csvFault({ code, row = 0 }: Papa.ParseError): string {
  const fault = code === 'MissingQuotes' ? 'a quote is not closed' : 'text follows a closing quote';
  return row === 0 ? `First line: ${fault}.` : `Row ${row}: ${fault}.`;
}

/** The value of a form element for a cell. Several choices are separated by semicolons. */
function cellValue({ element }: InputField, cell: string): FormValues[string] {
  if (element === 'switch') return /^(true|yes|1|x)$/i.test(cell.trim());
  if (element !== 'multiselect') return cell;
  return cell
    .split(';')
    .map(each => each.trim())
    .filter(each => each !== '');
}

/** Adds the faults of the list as a whole: too many rows, and keys that occur twice. */
function checkRows(rows: BulkRow[], faults: string[], unknown: string[]): ParsedRows {
  if (rows.length > MAX_ROWS) faults.unshift(`There are ${rows.length} rows; one request starts at most ${MAX_ROWS}.`);
  const keys = new Map<string, number>();
  for (const [index, { key }] of rows.entries()) {
    if (key === null) continue;
    const first = keys.get(key);
    if (first === undefined) keys.set(key, index);
    else faults.push(`Row ${index + 1} has the same ${KEY_COLUMN} as row ${first + 1}.`);
  }
  return { rows, faults: faults.slice(0, MAX_FAULTS), unknown };
}

function unknownNames(names: readonly string[], fields: readonly InputField[]): string[] {
  const known = new Set([KEY_COLUMN, ...fields.map(({ key }) => key)]);
  return [...new Set(names)].filter(name => !known.has(name));
}
