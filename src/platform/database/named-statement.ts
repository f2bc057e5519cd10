import pg from 'pg';
import { prepareValue } from 'pg/lib/utils.js';

export type Row = Record<string, unknown>;

/** The columns of the rows of a statement. */
interface RowFormat {
  columns: readonly { name: string; parse(text: string): unknown }[];
  /** A row of nulls. Its copies share a hidden class. */
  empty: Row;
}

const NO_COLUMNS: RowFormat = { columns: [], empty: {} };

/** The members of the driver's connection that statements use. Its types lack some. */
interface Connection {
  readonly stream: { cork(): void; uncork(): void };
  /** Texts of the statements that the server has parsed, by name. The client adds them. */
  readonly parsedStatements: Record<string, string | undefined>;
  parse(statement: { name: string; text: string }): void;
  bind(values: { statement: string; values: readonly unknown[] }): void;
  describe(portal: { type: 'P' }): void;
  execute(): void;
  sync(): void;
}

/** The formats of the statements that a connection has described, by name. */
const formatsOf = new WeakMap<Connection, Map<string, RowFormat>>();

/**
 * Runs a prepared statement. Unlike `pg.Query`, it asks PostgreSQL for the columns only once per connection (ADR 0066):
 * PostgreSQL rejects a prepared statement whose columns have changed. The client calls the methods when messages arrive.
 */
export class NamedStatement implements pg.Submittable {
  /** The client sets it. */
  callback: ((error: Error | null, result?: { rows: Row[] }) => void) | undefined;
  readonly #values: readonly unknown[];
  readonly #rows: Row[] = [];
  #formats: Map<string, RowFormat> | undefined;
  #format: RowFormat | undefined;
  #failure: Error | undefined;

  /** @throws TypeError for a value that cannot become JSON */
  constructor(
    readonly name: string,
    readonly text: string,
    values: readonly unknown[],
    /** Milliseconds. Default: the deadline of the connection. */
    readonly deadlineMs?: number,
  ) {
    this.#values = values.map(prepareValue);
  }

  /** Sends all messages of the statement at once. Returns an error if the name belongs to another statement. */
  submit(driverConnection: unknown): Error | null {
    const connection = driverConnection as Connection;
    const { name, text } = this;
    const parsed = connection.parsedStatements[name];
    if (parsed !== undefined && parsed !== text) return new Error(`two prepared statements have the name '${name}'`);
    this.#formats = formatsOf.get(connection) ?? new Map();
    formatsOf.set(connection, this.#formats);
    this.#format = this.#formats.get(name);
    connection.stream.cork();
    if (parsed === undefined) connection.parse({ name, text });
    connection.bind({ statement: name, values: this.#values });
    if (!this.#format) connection.describe({ type: 'P' });
    connection.execute();
    connection.sync();
    connection.stream.uncork();
    return null;
  }

  handleRowDescription({ fields }: { fields: Pick<pg.FieldDef, 'name' | 'dataTypeID'>[] }): void {
    this.#keep({
      columns: fields.map(({ name, dataTypeID }) => ({ name, parse: pg.types.getTypeParser(dataTypeID) })),
      empty: Object.fromEntries(fields.map(({ name }) => [name, null])),
    });
  }

  #keep(format: RowFormat): void {
    this.#format = format;
    this.#formats?.set(this.name, format);
  }

  handleDataRow({ fields }: { fields: (string | null)[] }): void {
    try {
      this.#rows.push(rowOf(this.#format ?? NO_COLUMNS, fields));
    } catch (error) {
      this.#failure = error as Error;
    }
  }

  handleCommandComplete(): void {
    // A statement without rows has no description.
    if (!this.#format) this.#keep(NO_COLUMNS);
  }

  handleReadyForQuery(): void {
    if (this.#failure) this.callback?.(this.#failure);
    else this.callback?.(null, { rows: this.#rows });
  }

  handleError(error: Error): void {
    this.callback?.(error);
  }
}

function rowOf({ columns, empty }: RowFormat, values: readonly (string | null)[]): Row {
  const row = { ...empty };
  for (let index = 0; index < columns.length; index++) {
    const { name, parse } = columns[index]!;
    const value = values[index]!;
    if (value !== null) row[name] = parse(value);
  }
  return row;
}
