import { quotedElement } from './text-array.js';

/** Types of columns that `columnArrays` encodes. */
export type ColumnType = 'bigint' | 'boolean' | 'int' | 'json' | 'numeric' | 'text' | 'timestamptz' | 'uuid';

/** The columns of rows that a statement receives as one array per column. */
export type ColumnTypes<Row> = { readonly [Name in keyof Row & string]-?: ColumnType };

/**
 * Returns a table expression for the rows of `columnArrays`, with the number of each row, from 1, as the column `nth`. Its
 * parameters begin at `$first`. `json_to_recordset` takes longer, because it parses each JSON value again (ADR 0062).
 */
export function columnsTable(columns: Readonly<Record<string, ColumnType>>, alias: string, first = 1): string {
  const arrays = Object.values(columns).map((type, index) => `$${first + index}::${type}[]`);
  const names = Object.keys(columns).map(name => `"${name}"`);
  return `unnest(${arrays.join(', ')}) with ordinality as ${alias}(${names.join(', ')}, nth)`;
}

/** Encodes rows as the parameters of `columnsTable`. Undefined members become null. */
export function columnArrays<Row>(columns: ColumnTypes<Row>, rows: readonly Row[]): (string | Buffer)[] {
  return (Object.entries(columns) as [keyof Row, ColumnType][]).map(([name, type]) => {
    const values = rows.map(row => row[name]);
    return type === 'json' ? jsonArray(values) : `{${values.map(value => literal(value, type)).join(',')}}`;
  });
}

function literal(value: unknown, type: ColumnType): string {
  if (value === null || value === undefined) return 'NULL';
  if (value instanceof Date) return quotedElement(value.toISOString());
  return type === 'text' || type === 'timestamptz' ? quotedElement(String(value)) : String(value);
}

const JSON_OID = 114;
const HEADER_BYTES = 20;
const LENGTH_BYTES = 4;

/** An array of JSON values in the binary format, in which nothing is escaped. */
function jsonArray(values: readonly unknown[]): Buffer {
  const texts = values.map(value => (value === null || value === undefined ? null : JSON.stringify(value)));
  const bytes = texts.reduce((sum, text) => sum + LENGTH_BYTES + (text === null ? 0 : Buffer.byteLength(text)), 0);
  const buffer = Buffer.allocUnsafe(HEADER_BYTES + bytes);
  const hasNulls = texts.includes(null) ? 1 : 0;
  // Dimensions, whether there are nulls, the type of elements, the length, and the first index.
  let offset = 0;
  for (const field of [1, hasNulls, JSON_OID, texts.length, 1]) offset = buffer.writeInt32BE(field, offset);
  for (const text of texts) {
    const length = text === null ? -1 : buffer.write(text, offset + LENGTH_BYTES);
    offset = buffer.writeInt32BE(length, offset) + Math.max(length, 0);
  }
  return buffer;
}
