import { setTimeout } from 'node:timers/promises';
import { ReflectMetadataProvider } from '@mikro-orm/decorators/legacy';
import { type Migration, Migrator } from '@mikro-orm/migrations';
import { MikroORM } from '@mikro-orm/postgresql';
import pg from 'pg';
import type { Log } from '../logging/log.js';
import { ADVISORY_LOCKS } from '../sql/advisory-locks.js';
import {
  abandonConnections,
  type ConnectionGroup,
  connectClient,
  connectionOptions,
  DatabaseClient,
  IDLE_SESSION,
} from './database-client.js';
import { isLockTimeout, isRetryableDatabaseError } from './database-errors.js';
import { acceptUnknownMigrations, assertKnownSchema } from './schema-version.js';
import {
  closeStaleConnections,
  createPool,
  POOL_IDLE_MS,
  type Row,
  type Sql,
  SqlPool,
  type StatementOptions,
} from './sql-pool.js';

export type { Row, Sql, StatementOptions } from './sql-pool.js';

export interface DatabaseOptions {
  url: string;
  entities: NonNullable<Parameters<typeof MikroORM.init>[0]>['entities'];
  migrations: { name: string; class: typeof Migration }[];
  log: Log;
  /** A statement that succeeds as long as what the service writes can be written, and changes nothing. */
  writeProbe?: string;
}

const RETRY_MS = 500;
const WAIT_MS = 200;
const CLOSE_MS = 5_000;
/**
 * A statement is cancelled by PostgreSQL after the first, so that nothing of it is left there. After the second it is given
 * up from this side, connection and all: sooner than a lease lapses (`LEASE_SECONDS`).
 */
const STATEMENT_TIMEOUT_MS = 7_500;
const STATEMENT_DEADLINE_MS = 9_000;
/** The same for what takes long by nature: retention, reconciliation, housekeeping of the queue. */
const LONG_STATEMENT_TIMEOUT_MS = 840_000;
const LONG_STATEMENT_DEADLINE_MS = 900_000;
/** The same for a migration: it may build an index of a large table. */
const MIGRATION_STATEMENT_TIMEOUT_MS = 3_540_000;
const MIGRATION_STATEMENT_DEADLINE_MS = 3_600_000;
/** Of statements that take, renew and give back leases: one that was lost is asked again before the lease lapses. */
export const LEASE_STATEMENT: StatementOptions = { deadlineMs: 4_000 };
/**
 * A process that was stopped between two statements of a transaction loses its session and with it the locks, as it has
 * lost its leases by then.
 */
const IDLE_IN_TRANSACTION_MS = 10_000;
/** How long a migration makes others wait for a table that somebody holds, and how often it tries: some minutes in all. */
const MIGRATION_LOCK_MS = 1_000;
const MAX_MIGRATION_ATTEMPTS = 200;
const MIGRATION_SETTINGS = `
  select set_config('lock_timeout', '${MIGRATION_LOCK_MS}', true),
         set_config('statement_timeout', '${MIGRATION_STATEMENT_TIMEOUT_MS}', true)`;

/**
 * Settings are made by a statement: poolers such as PgBouncer refuse start-up parameters that they do not know. A stricter
 * `statement_timeout` of the role or the database stays.
 */
const SESSION = `
  select set_config('idle_in_transaction_session_timeout', '${IDLE_IN_TRANSACTION_MS}', false), ${IDLE_SESSION},
         case when current_setting('statement_timeout')::interval not between '1 ms' and '${STATEMENT_TIMEOUT_MS} ms'
              then set_config('statement_timeout', '${STATEMENT_TIMEOUT_MS}', false) end;`;
const LONG_SESSION = `
  select set_config('idle_in_transaction_session_timeout', '${IDLE_IN_TRANSACTION_MS}', false), ${IDLE_SESSION},
         set_config('statement_timeout', '${LONG_STATEMENT_TIMEOUT_MS}', false);`;
/**
 * A plan that is kept may have been made while tables were empty: without a word about it PostgreSQL would keep to
 * reading them whole while they grow.
 */
const BY_KEY_SESSION = `${SESSION} set plan_cache_mode = force_generic_plan; set enable_seqscan = off;
  set enable_hashjoin = off; set enable_mergejoin = off; set jit = off`;

// bigint columns (fencing tokens, counters, revisions) stay far below 2^53.
pg.types.setTypeParser(pg.types.builtins.INT8, Number);

/**
 * The one PostgreSQL behind everything: MikroORM for entities, migrations and colder paths, a plain pool for the
 * hot statements. Both speak to the same database.
 */
export class Database implements Sql {
  /** For statements that take long by nature: few connections, much time. */
  readonly longRunning: SqlPool;
  readonly #main: SqlPool;
  /** Of statements by key only. */
  readonly #keyed: SqlPool;
  readonly #pools: readonly pg.Pool[];

  private constructor(
    readonly url: string,
    readonly orm: MikroORM,
    private readonly parts: DatabaseParts,
    /** Names of the migrations of this release, in order. */
    private readonly migrations: readonly string[],
  ) {
    this.longRunning = new SqlPool(parts.long);
    this.#main = new SqlPool(parts.main);
    this.#keyed = new SqlPool(parts.keyed, true);
    this.#pools = [parts.main, parts.keyed, parts.long];
  }

  static async open({ url, entities, migrations, log, writeProbe = 'select 1' }: DatabaseOptions): Promise<Database> {
    const onTimeout = (error: Error) => log.warn({ reason: error.message }, 'a database connection was given up');
    const options = (settings: string, deadlineMs = STATEMENT_DEADLINE_MS) =>
      connectionOptions({ deadlineMs, settings, onTimeout });
    const ormConnection = options(SESSION);
    const ormPools: pg.Pool[] = [];
    const onPoolCreated = (pool: pg.Pool) => {
      closeStaleConnections(pool);
      ormPools.push(pool);
    };
    const orm = (await MikroORM.init({
      clientUrl: url,
      entities: entities ?? [],
      metadataProvider: ReflectMetadataProvider,
      extensions: [Migrator],
      migrations: { migrationsList: migrations, snapshot: false, path: 'dist/src/migrations', silent: true },
      pool: { min: 0, max: 6, idleTimeoutMillis: POOL_IDLE_MS },
      driverOptions: { ...ormConnection, Client: DatabaseClient, onPoolCreated },
      ignoreUndefinedInQuery: true,
    } as unknown as Parameters<typeof MikroORM.init>[0])) as MikroORM;
    const main = createPool({ url, max: 8, log, connection: options(SESSION) });
    const keyed = createPool({ url, max: 8, log, connection: options(BY_KEY_SESSION) });
    const longSession = options(LONG_SESSION, LONG_STATEMENT_DEADLINE_MS);
    const long = createPool({ url, max: 2, log, connection: longSession });
    const parts = { main, keyed, long, ormPools, ormGroup: ormConnection.group, writeProbe };
    const names = migrations.map(({ name }) => name);
    return new Database(url, orm, parts, names);
  }

  /** Of the pools for statements: connections by what they do, and statements that wait for one. */
  get connections(): { busy: number; idle: number; waiting: number } {
    const sum = { busy: 0, idle: 0, waiting: 0 };
    for (const { totalCount, idleCount, waitingCount } of this.#pools) {
      sum.busy += totalCount - idleCount;
      sum.idle += idleCount;
      sum.waiting += waitingCount;
    }
    return sum;
  }

  /** The pools that requests and runs need, to be watched from outside. */
  get servingPools(): pg.Pool[] {
    return [this.parts.main, this.parts.keyed, ...this.parts.ormPools];
  }

  query<T = Row>(text: string, values?: unknown[], options?: StatementOptions): Promise<T[]> {
    return this.#main.query(text, values, options);
  }

  byKey<T = Row>(name: string, text: string, values: unknown[], options?: StatementOptions): Promise<T[]> {
    return this.#keyed.byKey(name, text, values, options);
  }

  /** The same for a statement of every request: each connection parses and plans it once, under its name. */
  prepared<T = Row>(name: string, text: string, values: unknown[]): Promise<T[]> {
    return this.#main.prepared(name, text, values);
  }

  /**
   * Runs `work` on one connection between BEGIN and COMMIT; rolls back when it throws. Runs it again when PostgreSQL undid
   * it because it met another transaction: `work` does nothing but statements that would not stand a second time.
   */
  transaction<T>(work: (sql: Sql) => Promise<T>, options?: StatementOptions): Promise<T> {
    return this.#main.transaction(work, options);
  }

  /** The same on a connection for statements by key, which are planned once there too. */
  transactionByKey<T>(work: (sql: Sql) => Promise<T>, options?: StatementOptions): Promise<T> {
    return this.#keyed.transaction(work, options);
  }

  /** Resolves when the database takes what the service writes; throws why it does not, such as 25006 (read-only). */
  async checkWrites(): Promise<void> {
    await this.#main.query(this.parts.writeProbe);
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
    const policy = { deadlineMs: STATEMENT_DEADLINE_MS, keepsSession: true };
    const client = await connectClient(this.url, { policy });
    const { ormGroup } = this.parts;
    try {
      // Asked for again and again: a wait for a lock has no end of its own.
      while (!(await hasLock(client))) await setTimeout(RETRY_MS);
      if (!allowNewer) await assertKnownSchema(this, this.migrations);
      ormGroup.deadlineMs = MIGRATION_STATEMENT_DEADLINE_MS;
      await this.#migrateBetweenRequests();
      if (allowNewer) await acceptUnknownMigrations(this, this.migrations);
    } finally {
      ormGroup.deadlineMs = ormGroup.policy.deadlineMs;
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
          await this.orm.driver.execute(MIGRATION_SETTINGS, [], 'run', transaction);
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
    for (const pool of this.#pools) pool.removeAllListeners('error').on('error', () => {});
    // The ORM's driver loses a connection that is being made while it is closed, and would wait for it for ever. So would a
    // pool for work that never gives its connection back.
    const closed = Promise.all([this.orm.close(true), ...this.#pools.map(pool => pool.end())]);
    await Promise.race([closed, setTimeout(CLOSE_MS, undefined, { ref: false })]);
    abandonConnections(this.parts.ormGroup);
  }
}

interface DatabaseParts {
  main: pg.Pool;
  keyed: pg.Pool;
  long: pg.Pool;
  /** MikroORM's own, from the moment when it has made it. */
  ormPools: readonly pg.Pool[];
  ormGroup: ConnectionGroup;
  writeProbe: string;
}

async function hasLock(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query('select pg_try_advisory_lock($1) as taken', [ADVISORY_LOCKS.migration]);
  return rows[0].taken;
}

/**
 * Does `work` again for as long as the database is away: what serves a run that is under way waits for it and does not
 * fail. `work` may be done twice. A `signal` ends the waiting.
 */
export async function whenReachable<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!isRetryableDatabaseError(error) || signal?.aborted) throw error;
      await setTimeout(WAIT_MS);
    }
  }
}
