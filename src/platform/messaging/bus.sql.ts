import type { Sql } from '../database/sql-pool.js';

/** The statement that sends a notification for each payload of $1, once the surrounding transaction commits. */
export function notifySql(channel: string): string {
  return `select pg_notify('${channel}', payload) from unnest($1::text[]) as payload`;
}

/** Sends a notification for each payload by the text of `notifySql`. */
export async function notifyAll(sql: Sql, text: string, payloads: readonly string[]): Promise<void> {
  await sql.query(text, [payloads]);
}
