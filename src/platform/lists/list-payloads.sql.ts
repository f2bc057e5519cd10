import type { Sql } from '../database/sql-pool.js';
import { expression, type SelectQueryBuilder } from '../database/typed-queries.js';

interface PayloadColumns {
  table: string;
  key: { column: string; type: 'int' | 'uuid' };
  columns: Readonly<Record<string, string>>;
}

/**
 * Returns two statements: one for the sizes of payloads and for payloads up to `smallBytes`, one for whole payloads.
 */
export function payloadTexts(
  { table, key, columns }: PayloadColumns,
  smallBytes: number,
): { sizes: string; read: string } {
  const entries = Object.entries(columns);
  const bytes = entries.map(([, column]) => `coalesce(octet_length(${column}::text), 0)`).join(' + ');
  const members = entries.map(([member, column]) => `${column} as "${member}"`);
  const small = entries.map(([member, column]) => `case when bytes <= ${smallBytes} then ${column} end as "${member}"`);
  const selected = `where ${key.column} = any($1::${key.type}[])`;
  return {
    // `offset 0` prevents PostgreSQL from computing the sizes once per column.
    sizes: `
      select ${key.column} as key, bytes, ${small.join(', ')}
        from (select ${[key.column, ...Object.values(columns)].join(', ')}, ${bytes} as bytes
                from ${table} ${selected} offset 0) item`,
    read: `select ${key.column} as key, ${members.join(', ')} from ${table} ${selected}`,
  };
}

/** Reads rows with a text of `payloadTexts`, prepared under `name`. */
export function readPayloads<T>(
  sql: Sql,
  { name, text, keys }: { name: string; text: string; keys: readonly (number | string)[] },
): Promise<T[]> {
  return sql.byKey(name, text, [keys]);
}

/** The payload of a list row: its size, and its members if it is small; otherwise they are null. */
export type RowPayload<P> = P & { payloadBytes: number };

/**
 * Adds to a query of rows `t` the size of the payload as `payloadBytes`, and its members if it has at most `maxBytes`.
 * `columns` has the column names by member.
 */
export function selectSmallPayload<T>(
  // biome-ignore lint/suspicious/noExplicitAny: each list has its own tables.
  query: SelectQueryBuilder<any, any, T>,
  columns: Readonly<Record<string, string>>,
  maxBytes: number,
): typeof query {
  const sizes = Object.values(columns).map(
    column => expression<number>`coalesce(octet_length(${expression.ref(`t.${column}`)}::text), 0)`,
  );
  const bytes = expression<number>`(${expression.join(sizes, expression` + `)})`;
  const members = Object.entries(columns).map(([member, column]) =>
    expression`case when ${bytes} <= ${expression.lit(maxBytes)} then ${expression.ref(`t.${column}`)} end`.as(member),
  );
  return query.select([bytes.as('payloadBytes'), ...members]).$castTo<T>();
}
