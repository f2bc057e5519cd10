/**
 * A column for the result of a statement whose commit need not be on disk when it is confirmed, because losing it in a crash of
 * PostgreSQL has no consequences. It takes effect when the statement has a result row. Within a transaction it applies to the
 * transaction.
 *
 * A later commit of any connection flushes this one too: the write-ahead log is flushed in its order.
 */
export const UNFLUSHED = `set_config('synchronous_commit', 'off', true) as unflushed`;
