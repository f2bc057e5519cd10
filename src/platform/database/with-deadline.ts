import type { Row, Sql, StatementOptions } from './sql-pool.js';

interface TimedSql {
  query<T = Row>(text: string, values?: unknown[], options?: StatementOptions): Promise<T[]>;
  byKey<T = Row>(name: string, text: string, values: unknown[], options?: StatementOptions): Promise<T[]>;
}

/** Returns `sql` with a deadline for typed queries. */
export function withDeadline(sql: TimedSql, options: StatementOptions): Sql {
  return {
    query: (text, values) => sql.query(text, values, options),
    byKey: (name, text, values) => sql.byKey(name, text, values, options),
  };
}
