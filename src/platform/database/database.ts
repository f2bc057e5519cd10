import { setTimeout } from 'node:timers/promises';
import { ReflectMetadataProvider } from '@mikro-orm/decorators/legacy';
import { type Migration, Migrator } from '@mikro-orm/migrations';
import { MikroORM } from '@mikro-orm/postgresql';
import pg from 'pg';
import { waitAtMost } from '../async/wait-at-most.js';
import type { Log } from '../logging/log.js';
import { ADVISORY_LOCKS } from '../sql/advisory-locks.js';
import { currentContext } from '../tracing/work-context.js';
import {
  abandonConnections,
  type ConnectionGroup,
  connectClient,
  connectionOptions,
  DatabaseClient,
  IDLE_SESSION,
} from './database-client.js';
import { isRetryableDatabaseError } from './database-errors.js';
import { assertSessions } from './pooler-check.js';
import { retryLockTimeouts } from './retry-lock-timeouts.js';
import { acceptUnknownMigrations, isSchemaCurrent } from './schema-version.js';
import {
  createPool,
  managePool,
  POOL_IDLE_MS,
  type Row,
  type Sql,
  SqlPool,
  type StatementOptions,
} from './sql-pool.js';

export type { Row, Sql, StatementOptions } from './sql-pool.js';

export interface DatabaseOptions {
  url: string;
  entities: ConstructorParameters<typeof MikroORM>[0]['entities'];
  migrations: { name: string; class: typeof Migration }[];
  log: Log;
  /** A statement without effect that fails when the tables of the service are not writable. */
  writeProbe?: string;
}

const RETRY_MS = 500;
const WAIT_MS = 200;
const CLOSE_MS = 5_000;
/**
 * PostgreSQL cancels a statement after the timeout, so that no work remains on the server. After the deadline the
 * client closes the connection. The deadline is shorter than a lease (`HEARTBEAT_SECONDS`).
 */
const STATEMENT_TIMEOUT_MS = 7_500;
const STATEMENT_DEADLINE_MS = 9_000;
/** Limits for long statements: retention, reconciliation and queue maintenance. */
const LONG_STATEMENT_TIMEOUT_MS = 840_000;
const LONG_STATEMENT_DEADLINE_MS = 900_000;
/** Limits for a migration, which may build an index of a large table. */
const MIGRATION_STATEMENT_TIMEOUT_MS = 3_540_000;
const MIGRATION_STATEMENT_DEADLINE_MS = 3_600_000;
/** Options for statements that acquire, renew and release leases. A lost one is repeated before the lease expires. */
export const LEASE_STATEMENT: StatementOptions = { deadlineMs: 4_000 };
/** A process that is suspended within a transaction loses its session and its locks, as it loses its leases. */
const IDLE_IN_TRANSACTION_MS = 10_000;
/** How long a migration may block others while it waits for a table lock. Its attempts last a few minutes in total. */
const MIGRATION_LOCK_MS = 1_000;
const MIGRATION_RETRIES = { attempts: 200, pauseMs: RETRY_MS };
const MIGRATION_SETTINGS = `
  select set_config('lock_timeout', '${MIGRATION_LOCK_MS}', true),
         set_config('statement_timeout', '${MIGRATION_STATEMENT_TIMEOUT_MS}', true)`;

/**
 * Settings are set by a statement because poolers such as PgBouncer reject unknown startup parameters. A stricter
 * `statement_timeout` of the role or the database is kept.
 */
const SESSION = `
  select set_config('idle_in_transaction_session_timeout', '${IDLE_IN_TRANSACTION_MS}', false), ${IDLE_SESSION},
         case when current_setting('statement_timeout')::interval not between '1 ms' and '${STATEMENT_TIMEOUT_MS} ms'
              then set_config('statement_timeout', '${STATEMENT_TIMEOUT_MS}', false) end;`;
const LONG_SESSION = `
  select set_config('idle_in_transaction_session_timeout', '${IDLE_IN_TRANSACTION_MS}', false), ${IDLE_SESSION},
         set_config('statement_timeout', '${LONG_STATEMENT_TIMEOUT_MS}', false);`;
/**
 * A cached plan may have been created while tables were empty. Without these settings PostgreSQL would keep scanning
 * whole tables while they grow.
 */
const BY_KEY_SESSION = `${SESSION} set plan_cache_mode = force_generic_plan; set enable_seqscan = off;
  set enable_hashjoin = off; set enable_mergejoin = off; set enable_material = off; set jit = off`;

// Values of bigint columns (fencing tokens, counters, revisions) stay far below 2^53.
pg.types.setTypeParser(pg.types.builtins.INT8, Number);

/**
 * Access to the PostgreSQL database. MikroORM serves entities, migrations and less frequent paths. Plain pools serve
 * frequent statements.
 */
export class Database implements Sql {
  /** For long statements: few connections with high timeouts. */
  readonly longRunning: SqlPool;
  readonly #main: SqlPool;
  /** Only for statements that find rows by key. */
  readonly #keyed: SqlPool;
  readonly #pools: readonly pg.Pool[];

  private constructor(
    readonly url: string,
    readonly orm: MikroORM,
    private readonly parts: DatabaseParts,
    /** Names of this release's migrations, in order. */
    private readonly migrations: readonly string[],
  ) {
    this.longRunning = new SqlPool(parts.long);
    this.#main = new SqlPool(parts.main);
    this.#keyed = new SqlPool(parts.keyed, true);
    this.#pools = [parts.main, parts.keyed, parts.long];
  }

  static async open({ url, entities, migrations, log, writeProbe = 'select 1' }: DatabaseOptions): Promise<Database> {
    const onTimeout = (error: Error) =>
      log.warn({ reason: error.message }, 'database connection closed after a statement timeout');
    const options = (settings: string, deadlineMs = STATEMENT_DEADLINE_MS) =>
      connectionOptions({ deadlineMs, settings, onTimeout });
    const ormConnection = options(SESSION);
    const ormPools: pg.Pool[] = [];
    const onPoolCreated = (pool: pg.Pool) => {
      managePool(pool);
      ormPools.push(pool);
    };
    // `MikroORM.init` would search for optional extensions, and load this one and the whole ORM again outside the bundle.
    const orm = new MikroORM({
      clientUrl: url,
      entities: entities ?? [],
      metadataProvider: ReflectMetadataProvider,
      extensions: [Migrator],
      migrations: { migrationsList: migrations, snapshot: false, path: 'dist/src/migrations', silent: true },
      pool: { min: 0, max: 6, idleTimeoutMillis: POOL_IDLE_MS },
      driverOptions: { ...ormConnection, Client: DatabaseClient, onPoolCreated },
      ignoreUndefinedInQuery: true,
    } as unknown as ConstructorParameters<typeof MikroORM>[0]) as MikroORM;
    const main = createPool({ url, max: 8, log, connection: options(SESSION) });
    const keyed = createPool({ url, max: 8, log, connection: options(BY_KEY_SESSION) });
    const longSession = options(LONG_SESSION, LONG_STATEMENT_DEADLINE_MS);
    const long = createPool({ url, max: 2, log, connection: longSession });
    const parts = { main, keyed, long, ormPools, ormGroup: ormConnection.group, writeProbe };
    const names = migrations.map(({ name }) => name);
    return new Database(url, orm, parts, names);
  }

  /** Busy and idle connections of the statement pools, and statements that wait for a connection. */
  get connections(): { busy: number; idle: number; waiting: number } {
    const sum = { busy: 0, idle: 0, waiting: 0 };
    for (const { totalCount, idleCount, waitingCount } of this.#pools) {
      sum.busy += totalCount - idleCount;
      sum.idle += idleCount;
      sum.waiting += waitingCount;
    }
    return sum;
  }

  /** The pools that requests and runs need. They are monitored from outside. */
  get servingPools(): pg.Pool[] {
    return [this.parts.main, this.parts.keyed, ...this.parts.ormPools];
  }

  query<T = Row>(text: string, values?: unknown[], options?: StatementOptions): Promise<T[]> {
    return this.#main.query(text, values, options);
  }

  byKey<T = Row>(name: string, text: string, values: unknown[], options?: StatementOptions): Promise<T[]> {
    return this.#keyed.byKey(name, text, values, options);
  }

  /** Runs a statement of every request as a named prepared statement, parsed and planned once per connection. */
  prepared<T = Row>(name: string, text: string, values: unknown[]): Promise<T[]> {
    return this.#main.prepared(name, text, values);
  }

  /**
   * Runs `work` on one connection between BEGIN and COMMIT, and rolls back if it throws. Repeats `work` after a
   * serialization failure or deadlock, so it must contain only repeatable statements.
   */
  transaction<T>(work: (sql: Sql) => Promise<T>, options?: StatementOptions): Promise<T> {
    return this.#main.transaction(work, options);
  }

  /** Runs a transaction on a connection for statements by key, which are planned once per connection. */
  transactionByKey<T>(work: (sql: Sql) => Promise<T>, options?: StatementOptions): Promise<T> {
    return this.#keyed.transaction(work, options);
  }

  /** Resolves if the database accepts writes of the service. Throws the reason otherwise, such as 25006 (read-only). */
  async checkWrites(): Promise<void> {
    await this.#main.query(this.parts.writeProbe);
  }

  /** Waits for a database that is starting. Throws the last error after `withinMs` milliseconds. */
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

  /** Throws a StartError if `url` points to a connection pooler without sessions. */
  assertSessions(): Promise<void> {
    return assertSessions(this.parts.main, this.url);
  }

  /**
   * Applies pending migrations. Without any, only their names are read. If several processes start together, one migrates and the
   * others wait. Throws a StartError if the schema is newer than this release. With `allowNewer`, it accepts the schema for later starts.
   */
  async migrate({ allowNewer = false } = {}): Promise<void> {
    if (!allowNewer && (await isSchemaCurrent(this, this.migrations))) return;
    const policy = { deadlineMs: STATEMENT_DEADLINE_MS, keepsSession: true };
    const client = await connectClient(this.url, { policy });
    const { ormGroup } = this.parts;
    try {
      // Polled, because a blocking wait for the lock has no deadline of its own.
      while (!(await hasLock(client))) await setTimeout(RETRY_MS);
      // Another process may have migrated meanwhile.
      if (!allowNewer && (await isSchemaCurrent(this, this.migrations))) return;
      ormGroup.deadlineMs = MIGRATION_STATEMENT_DEADLINE_MS;
      await this.#migrateBetweenRequests();
      if (allowNewer) await acceptUnknownMigrations(this, this.migrations);
    } finally {
      ormGroup.deadlineMs = ormGroup.policy.deadlineMs;
      await client.end();
    }
  }

  /**
   * Applies all pending migrations in one transaction. A migration that waits for a table lock blocks all later
   * requests for the table. It therefore times out quickly, lets them pass and retries.
   */
  async #migrateBetweenRequests(): Promise<void> {
    await retryLockTimeouts(MIGRATION_RETRIES, () =>
      this.orm.driver.getConnection().transactional(async transaction => {
        await this.orm.driver.execute(MIGRATION_SETTINGS, [], 'run', transaction);
        await this.orm.migrator.up({ transaction });
      }),
    );
  }

  async close(): Promise<void> {
    // The database may stop while the last sockets close. Errors of these connections are irrelevant.
    for (const pool of this.#pools) pool.removeAllListeners('error').on('error', () => {});
    // The ORM's driver loses a connection that is opening while it closes, and would wait for it forever. A pool also
    // waits forever for work that never releases its connection.
    const closed = Promise.all([this.orm.close(true), ...this.#pools.map(pool => pool.end())]);
    await waitAtMost(CLOSE_MS, closed);
    abandonConnections(this.parts.ormGroup);
  }
}

interface DatabaseParts {
  main: pg.Pool;
  keyed: pg.Pool;
  long: pg.Pool;
  /** MikroORM's own pools, added when MikroORM creates them. */
  ormPools: readonly pg.Pool[];
  ormGroup: ConnectionGroup;
  writeProbe: string;
}

async function hasLock(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query('select pg_try_advisory_lock($1) as taken', [ADVISORY_LOCKS.migration]);
  return rows[0].taken;
}

/**
 * Repeats `work` while the database is unreachable, so that an active run waits and does not fail. `work` may run more
 * than once. `signal` ends the retries. The time from the first rejection does not count against the time limit of the current call.
 */
export async function whenReachable<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!isRetryableDatabaseError(error) || signal?.aborted) throw error;
  }
  const retries = retryUntilReachable(work, signal);
  const { waitFor } = currentContext() ?? {};
  return waitFor ? waitFor(retries) : retries;
}

async function retryUntilReachable<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
  for (;;) {
    await setTimeout(WAIT_MS);
    try {
      return await work();
    } catch (error) {
      if (!isRetryableDatabaseError(error) || signal?.aborted) throw error;
    }
  }
}
