import type { Sql } from '../database/sql-pool.js';

/** Returns the statement that sends a notification for each payload of $1 when the surrounding transaction commits. */
export function notifySql(channel: string): string {
  return `select pg_notify('${channel}', payload) from unnest($1::text[]) as payload`;
}

/** Sends a notification for each payload with the text of `notifySql`. */
export async function notifyAll(sql: Sql, text: string, payloads: readonly string[]): Promise<void> {
  await sql.query(text, [payloads]);
}
