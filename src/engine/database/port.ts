/** A statement for a database that a workflow names. */
export interface DatabaseRequest {
  /** PostgreSQL URL, which `parseDatabaseUrl` accepts. Empty if `connectionId` is set. */
  connection: string;
  /** Connection to the database. Absent: `connection` is set. */
  connectionId?: number;
  query: string;
  parameters: readonly (string | null)[];
  isReadOnly: boolean;
  /** Maximum number of returned rows. */
  maxRows: number;
  /** Time limit of the statement in milliseconds. */
  timeoutMs: number;
}

/** The result of a statement. */
export interface DatabaseAnswer {
  rows: Record<string, unknown>[];
  /** Number of `rows`; of a statement without rows, of those it changed. */
  rowCount: number;
  columns: string[];
  /** True if there were more than `maxRows`. */
  isTruncated: boolean;
}

/** Executes statements in databases outside of the service. Each call has a connection of its own. */
export interface DatabaseCaller {
  query(request: DatabaseRequest, call: { signal: AbortSignal }): Promise<DatabaseAnswer>;
}
