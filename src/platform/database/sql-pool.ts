import { setTimeout } from 'node:timers/promises';
import pg from 'pg';
import type { Log } from '../logging/log.js';
import { growWhenWaiting } from './connection-growth.js';
import { type ConnectionGroup, DatabaseClient, type StatementConfig } from './database-client.js';
import { isSerializationFailure } from './database-errors.js';
import { NamedStatement, type Row } from './named-statement.js';

export type { Row } from './named-statement.js';

/** Runs statements: a pool, or the connection of a transaction. */
export interface Sql {
  query<T = Row>(text: string, values?: unknown[]): Promise<T[]>;
  /** Runs a frequent statement that finds rows by key, parsed and planned once per connection under its name. */
  byKey<T = Row>(name: string, text: string, values: unknown[]): Promise<T[]>;
}

/** Runs statements and transactions, such as the database or its pool for long statements. */
export interface TransactionalSql extends Sql {
  transaction<T>(work: (sql: Sql) => Promise<T>): Promise<T>;
}

/** Options that override those of the pool. */
export interface StatementOptions {
  /** Milliseconds after which the client closes the connection of the statement. Default: the deadline of the pool. */
  deadlineMs?: number;
}

/** Maximum attempts of a transaction with conflicts. Each conflict means that another transaction committed. */
const MAX_ATTEMPTS = 10;
const CONFLICT_DELAY_MS = 5;

/** Hooks of the transactions in progress. */
const commitHooks = new WeakMap<Sql, (() => void)[]>();

/**
 * Calls `hook` once the transaction of `sql` is committed. An attempt that is rolled back drops its hooks. `sql` must
 * be the connection of a transaction. `hook` must not throw.
 */
export function afterCommit(sql: Sql, hook: () => void): void {
  const hooks = commitHooks.get(sql);
  if (!hooks) throw new Error('afterCommit takes the connection of a transaction');
  hooks.push(hook);
}

/** Runs statements and transactions on the connections of one pool. */
export class SqlPool implements TransactionalSql {
  constructor(
    readonly connections: pg.Pool,
    /** Whether its connections plan for statements by key. Other pools do not use the names of statements. */
    private readonly plansByKey = false,
  ) {}

  query<T = Row>(text: string, values?: unknown[], options?: StatementOptions): Promise<T[]> {
    return retryConflicts(async () => rowsOf<T>(await this.connections.query(statementOf(text, options), values)));
  }

  byKey<T = Row>(name: string, text: string, values: unknown[], options?: StatementOptions): Promise<T[]> {
    if (!this.plansByKey) return this.query(text, values, options);
    return this.prepared(name, text, values, options);
  }

  /** Runs a statement of every request as a named prepared statement, parsed and planned once per connection. */
  prepared<T = Row>(name: string, text: string, values: unknown[], options?: StatementOptions): Promise<T[]> {
    return retryConflicts(() =>
      runNamed<T>(this.connections, new NamedStatement(name, text, values, options?.deadlineMs)),
    );
  }

  /**
   * Runs `work` on one connection between BEGIN and COMMIT, and rolls back if it throws. Repeats `work` after a
   * serialization failure or deadlock, so it must contain only repeatable statements.
   */
  transaction<T>(work: (sql: Sql) => Promise<T>, options?: StatementOptions): Promise<T> {
    return retryConflicts(() => this.#transaction(work, options));
  }

  async #transaction<T>(work: (sql: Sql) => Promise<T>, options?: StatementOptions): Promise<T> {
    const client = await this.connections.connect();
    const run = (text: string, values?: unknown[]) => client.query(statementOf(text, options), values);
    const sql: Sql = {
      query: async <R>(text: string, values?: unknown[]) => rowsOf<R>(await run(text, values)),
      byKey: async <R>(name: string, text: string, values: unknown[]) => {
        if (!this.plansByKey) return rowsOf<R>(await run(text, values));
        return runNamed<R>(client, new NamedStatement(name, text, values, options?.deadlineMs));
      },
    };
    const hooks: (() => void)[] = [];
    commitHooks.set(sql, hooks);
    let result: T;
    let broken: Error | undefined;
    try {
      await run('begin');
      result = await work(sql);
      await run('commit');
    } catch (error) {
      await run('rollback').catch(failure => {
        broken = failure;
      });
      throw error;
    } finally {
      client.release(broken);
    }
    for (const hook of hooks) hook();
    return result;
  }
}

/** Without a deadline of its own the statement stays a plain string. */
function statementOf(text: string, options: StatementOptions | undefined): string | StatementConfig {
  return options?.deadlineMs === undefined ? text : { text, deadlineMs: options.deadlineMs };
}

export interface PoolOptions {
  url: string;
  max: number;
  log: Log;
  /** Created by `connectionOptions`. */
  connection: { group: ConnectionGroup } & pg.ClientConfig;
}

/** A pool closes connections that are idle for this long, before PostgreSQL does (`IDLE_SESSION`). */
export const POOL_IDLE_MS = 10_000;

/** Creates a pool of connections with deadlines. */
export function createPool({ url, max, log, connection }: PoolOptions): pg.Pool {
  const options = {
    connectionString: url,
    max,
    idleTimeoutMillis: POOL_IDLE_MS,
    Client: DatabaseClient,
    ...connection,
  };
  const pool = new pg.Pool(options as unknown as pg.PoolConfig);
  pool.on('error', ({ message }) => log.warn({ reason: message }, 'idle database connection lost'));
  managePool(pool);
  return pool;
}

/** Makes a new pool open connections only while statements wait, and close stale ones on release. */
export function managePool(pool: pg.Pool): void {
  growWhenWaiting(pool);
  // A pool does not take back a connection that is closing.
  pool.on('release', (_error, client) => {
    const released = client as unknown as DatabaseClient;
    if (released.isStale) released.end(() => {});
  });
}

/** Repeats `work` after a serialization failure or deadlock, at most `MAX_ATTEMPTS` times. */
async function retryConflicts<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (!isSerializationFailure(error) || attempt === MAX_ATTEMPTS) throw error;
      // A random delay keeps conflicting transactions from colliding again.
      await setTimeout(Math.random() * attempt * CONFLICT_DELAY_MS);
    }
  }
}

/** A pool or client of the driver. Its types lack callbacks for statements that it has not created. */
interface StatementRunner {
  query(statement: NamedStatement, values: undefined, callback: NamedStatement['callback']): void;
}

async function runNamed<T>(connection: StatementRunner, statement: NamedStatement): Promise<T[]> {
  const { promise, resolve, reject } = Promise.withResolvers<T[]>();
  connection.query(statement, undefined, (error, result) => (error ? reject(error) : resolve(result?.rows as T[])));
  try {
    return await promise;
  } catch (error) {
    // As in the driver's promises, the trace leads to the caller instead of the socket.
    Error.captureStackTrace(error as Error);
    throw error;
  }
}

/** A text with several statements has one result for each. */
function rowsOf<T>(result: pg.QueryResult | pg.QueryResult[]): T[] {
  return (Array.isArray(result) ? result.flatMap(each => each.rows) : result.rows) as T[];
}
