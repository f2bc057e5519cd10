import type { Row, Sql, StatementOptions } from './sql-pool.js';

interface SqlWithOptions {
  query<T = Row>(text: string, values?: unknown[], options?: StatementOptions): Promise<T[]>;
  byKey<T = Row>(name: string, text: string, values: unknown[], options?: StatementOptions): Promise<T[]>;
}

/** Returns an `Sql` that runs every statement with `options`, for the query builder, which cannot pass them. */
export function withDeadline(sql: SqlWithOptions, options: StatementOptions): Sql {
  return {
    query: (text, values) => sql.query(text, values, options),
    byKey: (name, text, values) => sql.byKey(name, text, values, options),
  };
}
