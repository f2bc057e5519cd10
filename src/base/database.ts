import { setTimeout } from 'node:timers/promises';
import { ReflectMetadataProvider } from '@mikro-orm/decorators/legacy';
import { type Migration, Migrator } from '@mikro-orm/migrations';
import { MikroORM } from '@mikro-orm/postgresql';
import pg from 'pg';
import { ADVISORY_LOCKS } from './advisory-locks.js';
import { isLockTimeout, isRetryableDatabaseError, isSerializationFailure } from './database-errors.js';
import type { Log } from './log.js';
import { acceptUnknownMigrations, assertKnownSchema } from './schema-version.js';

export type Row = Record<string, unknown>;

/** Anything that runs a statement: the pool, or the connection of a transaction. */
export interface Sql {
  query<T = Row>(text: string, values?: unknown[]): Promise<T[]>;
  /** The same for a hot statement that finds its rows by key: parsed and planned once a connection, under its name. */
  byKey<T = Row>(name: string, text: string, values: unknown[]): Promise<T[]>;
}

export interface DatabaseOptions {
  url: string;
  entities: NonNullable<Parameters<typeof MikroORM.init>[0]>['entities'];
  migrations: { name: string; class: typeof Migration }[];
  log: Log;
}

const RETRY_MS = 500;
const WAIT_MS = 200;
const CLOSE_MS = 5_000;
/** Of a transaction that keeps meeting others; each of them has gone through meanwhile. */
const MAX_ATTEMPTS = 10;
const MEETING_MS = 5;
/**
 * Nobody waits long for a connection. And a process that was stopped between two statements of a transaction loses its
 * session and with it the locks, as it has lost its leases by then.
 */
const CONNECTION = { connectionTimeoutMillis: 4_000 };
/** A statement and no start-up parameter: PgBouncer refuses those that it does not know. */
const SESSION = `set idle_in_transaction_session_timeout = '10s'`;
/** How long a migration makes others wait for a table that somebody holds, and how often it tries: some minutes in all. */
const MIGRATION_LOCK_MS = 1_000;
const MAX_MIGRATION_ATTEMPTS = 200;

/**
 * A plan that is kept may have been made while tables were empty: without a word about it PostgreSQL would keep to
 * reading them whole while they grow.
 */
const BY_KEY = `set plan_cache_mode = force_generic_plan; set enable_seqscan = off;
  set enable_hashjoin = off; set enable_mergejoin = off; set jit = off`;

// bigint columns (fencing tokens, counters, revisions) stay far below 2^53.
pg.types.setTypeParser(pg.types.builtins.INT8, Number);

/**
 * The one PostgreSQL behind everything: MikroORM for entities, migrations and colder paths, a plain pool for the
 * hot statements. Both speak to the same database.
 */
export class Database implements Sql {
  readonly #pool: pg.Pool;
  /** Of statements by key alone. */
  readonly #keyed: pg.Pool;

  private constructor(
    readonly url: string,
    readonly orm: MikroORM,
    /** Names of the migrations of this release, in order. */
    private readonly migrations: readonly string[],
    pools: { pool: pg.Pool; keyed: pg.Pool },
  ) {
    this.#pool = pools.pool;
    this.#keyed = pools.keyed;
  }

  static async open({ url, entities, migrations, log }: DatabaseOptions): Promise<Database> {
    const orm = (await MikroORM.init({
      clientUrl: url,
      entities: entities ?? [],
      metadataProvider: ReflectMetadataProvider,
      extensions: [Migrator],
      migrations: { migrationsList: migrations, snapshot: false, path: 'dist/src/migrations', silent: true },
      pool: { min: 0, max: 6 },
      driverOptions: { ...CONNECTION, onConnect: (client: pg.ClientBase) => client.query(SESSION) },
      ignoreUndefinedInQuery: true,
    } as unknown as Parameters<typeof MikroORM.init>[0])) as MikroORM;
    const pool = poolOf(url, 8, log, SESSION);
    const keyed = poolOf(url, 8, log, `${SESSION}; ${BY_KEY}`);
    return new Database(
      url,
      orm,
      migrations.map(({ name }) => name),
      { pool, keyed },
    );
  }

  /** Of the pools for statements: connections by what they do, and statements that wait for one. */
  get connections(): { busy: number; idle: number; waiting: number } {
    const sum = { busy: 0, idle: 0, waiting: 0 };
    for (const { totalCount, idleCount, waitingCount } of [this.#pool, this.#keyed]) {
      sum.busy += totalCount - idleCount;
      sum.idle += idleCount;
      sum.waiting += waitingCount;
    }
    return sum;
  }

  query<T = Row>(text: string, values?: unknown[]): Promise<T[]> {
    return again(async () => rowsOf<T>(await this.#pool.query(text, values)));
  }

  byKey<T = Row>(name: string, text: string, values: unknown[]): Promise<T[]> {
    return again(async () => rowsOf<T>(await this.#keyed.query({ name, text, values })));
  }

  /** The same for a statement of every request: each connection parses and plans it once, under its name. */
  prepared<T = Row>(name: string, text: string, values: unknown[]): Promise<T[]> {
    return again(async () => rowsOf<T>(await this.#pool.query({ name, text, values })));
  }

  /**
   * Runs `work` on one connection between BEGIN and COMMIT; rolls back when it throws. Runs it again when PostgreSQL undid
   * it because it met another transaction: `work` does nothing but statements that would not stand a second time.
   */
  transaction<T>(work: (sql: Sql) => Promise<T>): Promise<T> {
    return again(() => transactionOn(this.#pool, work));
  }

  /** The same where a statement by key is part of the transaction. */
  transactionByKey<T>(work: (sql: Sql) => Promise<T>): Promise<T> {
    return again(() => transactionOn(this.#keyed, work, { isByKey: true }));
  }

  /** Waits for a database that is still starting; throws what it met last when that takes too long. */
  async waitUntilReachable(withinMs: number, onFailure: (error: unknown) => void = () => {}): Promise<void> {
    const deadline = Date.now() + withinMs;
    for (;;) {
      try {
        await this.query('select 1');
        return;
      } catch (error) {
        if (!isRetryableDatabaseError(error) || Date.now() > deadline) throw error;
        onFailure(error);
        await setTimeout(RETRY_MS);
      }
    }
  }

  /**
   * Brings the schema up to date; of several processes that start together one does the work, the others wait. Throws a
   * StartError when the schema is newer than this release, unless `allowNewer`: then it is accepted for later starts.
   */
  async migrate({ allowNewer = false } = {}): Promise<void> {
    const client = new pg.Client({ connectionString: this.url });
    client.on('error', () => {});
    await client.connect();
    try {
      await client.query('select pg_advisory_lock($1)', [ADVISORY_LOCKS.migration]);
      if (!allowNewer) await assertKnownSchema(this, this.migrations);
      await this.#migrateBetweenRequests();
      if (allowNewer) await acceptUnknownMigrations(this, this.migrations);
    } finally {
      await client.end();
    }
  }

  /**
   * All that is pending in one transaction. One that waits for a table makes every later request wait behind it: it gives
   * up soon, lets them pass and tries again.
   */
  async #migrateBetweenRequests(): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      try {
        await this.orm.driver.getConnection().transactional(async transaction => {
          await this.orm.driver.execute(`set local lock_timeout = '${MIGRATION_LOCK_MS}ms'`, [], 'run', transaction);
          await this.orm.migrator.up({ transaction });
        });
        return;
      } catch (error) {
        if (!isLockTimeout(error) || attempt === MAX_MIGRATION_ATTEMPTS) throw error;
        await setTimeout(RETRY_MS);
      }
    }
  }

  async close(): Promise<void> {
    // The database may go down while the last sockets close: nobody needs to hear of that.
    const pools = [this.#pool, this.#keyed];
    for (const pool of pools) pool.removeAllListeners('error').on('error', () => {});
    // The ORM's driver loses a connection that is being made while it is closed, and would wait for it for ever.
    await Promise.race([this.orm.close(true), setTimeout(CLOSE_MS, undefined, { ref: false })]);
    await Promise.all(pools.map(pool => pool.end()));
  }
}

function poolOf(url: string, max: number, log: Log, settings: string): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max,
    idleTimeoutMillis: 30_000,
    ...CONNECTION,
    onConnect: client => client.query(settings),
  });
  pool.on('error', ({ message }) => log.warn({ reason: message }, 'an idle database connection was lost'));
  pool.on('connect', client => client.on('error', () => {}));
  return pool;
}

async function transactionOn<T>(
  pool: pg.Pool,
  work: (sql: Sql) => Promise<T>,
  { isByKey = false }: { isByKey?: boolean } = {},
): Promise<T> {
  const client = await pool.connect();
  const sql: Sql = {
    query: async <R>(text: string, values?: unknown[]) => rowsOf<R>(await client.query(text, values)),
    // Named on the connections that plan for it alone.
    byKey: async <R>(name: string, text: string, values: unknown[]) =>
      rowsOf<R>(await client.query(isByKey ? { name, text, values } : { text, values })),
  };
  let broken: Error | undefined;
  try {
    await client.query('begin');
    const result = await work(sql);
    await client.query('commit');
    return result;
  } catch (error) {
    await client.query('rollback').catch(failure => {
      broken = failure;
    });
    throw error;
  } finally {
    client.release(broken);
  }
}

async function again<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (!isSerializationFailure(error) || attempt === MAX_ATTEMPTS) throw error;
      // Those that met do not meet again at once.
      await setTimeout(Math.random() * attempt * MEETING_MS);
    }
  }
}

/** A text of several statements answers with a result for each. */
function rowsOf<T>(result: pg.QueryResult | pg.QueryResult[]): T[] {
  return (Array.isArray(result) ? result.flatMap(each => each.rows) : result.rows) as T[];
}

/**
 * Does `work` again for as long as the database is away: what serves a run that is under way waits for it and does not
 * fail. `work` may be done twice. A `signal` ends the waiting.
 */
export async function onceReachable<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!isRetryableDatabaseError(error) || signal?.aborted) throw error;
      await setTimeout(WAIT_MS);
    }
  }
}
