import type { Socket } from 'node:net';
import pg from 'pg';

/** Interval of the deadline checks. A deadline is detected at most this late. */
const SWEEP_MS = 250;
/** Time for the server to close the connection. Then the socket is destroyed. */
const END_MS = 2_000;
const CONNECT_MS = 4_000;
/** Idle time before the operating system sends TCP keepalive probes. */
const KEEPALIVE_MS = 5_000;
/** Younger connections are kept when another connection finds its server read-only: they reached the same server. */
const RENEWAL_AGE_MS = 5_000;
const READ_ONLY_SQL_TRANSACTION = '25006';

/**
 * A statement exceeded its deadline. Its connection is closed, and it is unknown whether the statement was executed.
 */
export class StatementTimeoutError extends Error {
  /** Classified as a network error: the same statement may succeed on another connection. */
  readonly code = 'ETIMEDOUT';

  constructor(address: string, deadlineMs: number) {
    super(`PostgreSQL at ${address} did not answer a statement within ${deadlineMs} ms; the connection was closed.`);
    this.name = 'StatementTimeoutError';
  }
}

/** The reason for closing a connection without a failed statement of its own. */
class RetiredConnectionError extends Error {
  readonly code = 'ECONNRESET';
}

export interface ConnectionPolicy {
  /** Client-side deadline of a statement in milliseconds. Can be changed for later statements. */
  deadlineMs: number;
  /** A statement that configures the session before its first use. */
  settings?: string;
  /** The session holds state, such as advisory locks, so it is never replaced by a fresh connection. */
  keepsSession?: boolean;
  onTimeout?(error: StatementTimeoutError): void;
}

/**
 * SQL: PostgreSQL closes a session that is idle for this long. The service closes or uses its own sessions earlier. The
 * timeout removes sessions whose network was lost, which would otherwise use up the server's connections.
 */
export const IDLE_SESSION = `set_config('idle_session_timeout', '25s', false)`;

/** Shared state of the connections of one pool. It is a class because MikroORM copies plain objects. */
export class ConnectionGroup {
  deadlineMs: number;
  /** Number of statements that PostgreSQL answered, including with an error. */
  answered = 0;

  constructor(readonly policy: ConnectionPolicy) {
    this.deadlineMs = policy.deadlineMs;
  }
}

export interface DatabaseClientConfig extends pg.ClientConfig {
  group: ConnectionGroup;
}

/** Returns the options that all connections share. */
export function connectionOptions(policy: ConnectionPolicy) {
  return {
    connectionTimeoutMillis: CONNECT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEPALIVE_MS,
    group: new ConnectionGroup(policy),
  };
}

/** Connects a client outside of any pool. Rejects with the driver's error. */
export async function connectClient(
  url: string,
  { policy, ...config }: { policy: ConnectionPolicy } & pg.ClientConfig,
): Promise<pg.Client> {
  const client = new DatabaseClient({ connectionString: url, ...connectionOptions(policy), ...config });
  await client.connect();
  return client;
}

/** A statement with its own deadline in milliseconds. */
export interface StatementConfig extends pg.QueryConfig {
  deadlineMs?: number | undefined;
}

type Callback = (error?: Error | null) => void;

/**
 * A connection on which no operation waits forever. Connecting, each statement and closing have a deadline. One timer
 * checks all connections of the process, so a statement needs no timer. If a connection misses a deadline, it is
 * destroyed together with connections to the same server that were silent for as long.
 */
export class DatabaseClient extends pg.Client {
  readonly #group: ConnectionGroup;
  readonly #address: string;
  #openStatements = 0;
  #since = 0;
  #deadlineMs = 0;
  #endingSince: number | undefined;
  #openedAt = 0;
  #lastReceivedAt = 0;
  #bytesRead = 0;
  #isStale = false;

  constructor(config: DatabaseClientConfig) {
    super(config);
    this.#group = config.group;
    this.#address = `${this.host}:${this.port}`;
    // Pending statements reject with the error. Without a listener, an error event would end the process.
    this.on('error', () => {});
    const { connection } = this;
    // Registered before the driver's own listener, which returns the connection to the pool.
    connection.on('readyForQuery', () => {
      if (this.#openStatements === 0) return;
      this.#openStatements--;
      this.#since = clockMs;
      this.#group.answered++;
    });
    connection.on('errorMessage', ({ code }: { code?: string }) => {
      if (code === READ_ONLY_SQL_TRANSACTION) renewConnections(this.#address, this);
    });
    // The driver rejects some statements without sending them, so no `readyForQuery` follows.
    this.on('drain', () => {
      this.#openStatements = 0;
    });
    this.on('end', () => forget(this));
  }

  /** Whether the pool must replace the connection as soon as it is idle. */
  get isStale(): boolean {
    return this.#isStale;
  }

  override connect(callback?: (...args: never[]) => void): never {
    const whenOpen = callback as Callback | undefined;
    if (!whenOpen)
      return new Promise<void>((resolve, reject) => {
        this.connect((error?: Error | null) => (error ? reject(error) : resolve()));
      }) as never;
    this.#openedAt = this.#lastReceivedAt = clockMs;
    watch(this);
    super.connect((error?: Error | null) => {
      const { settings } = this.#group.policy;
      if (error || settings === undefined) return whenOpen(error);
      this.query(settings, (failure: Error | null) => {
        if (failure) this.#destroy();
        whenOpen(failure);
      });
    });
    return undefined as never;
  }

  override query(...args: unknown[]): never {
    if (this.#openStatements++ === 0) {
      this.#since = clockMs;
      this.#deadlineMs = (args[0] as StatementConfig).deadlineMs ?? this.#group.deadlineMs;
    }
    return (super.query as (...args: unknown[]) => never).apply(this, args);
  }

  override end(callback?: (...args: never[]) => void): never {
    this.#endingSince ??= clockMs;
    return (super.end as (callback?: (...args: never[]) => void) => never).call(this, callback);
  }

  /** Checks the connection once and destroys it if a deadline has passed. */
  sweep(): void {
    const { bytesRead } = this.connection.stream as Socket;
    if (bytesRead !== this.#bytesRead) this.#lastReceivedAt = previousMs;
    this.#bytesRead = bytesRead;
    if (this.#endingSince !== undefined && clockMs - this.#endingSince > END_MS) return this.#destroy();
    if (this.#openStatements === 0 || clockMs - this.#since <= this.#deadlineMs) return;
    const error = new StatementTimeoutError(this.#address, this.#deadlineMs);
    this.#group.policy.onTimeout?.(error);
    // A statement with a shorter deadline than usual says nothing about other busy connections.
    const isUsual = this.#deadlineMs >= this.#group.deadlineMs;
    const since = this.#since;
    this.#destroy(error);
    discardSilent(this.#address, since, isUsual);
  }

  /**
   * Destroys the connection if it received nothing since `since`. A busy connection is destroyed only with `withBusy`.
   */
  discardIfSilent(address: string, since: number, withBusy: boolean): void {
    if (address !== this.#address || this.#group.policy.keepsSession || this.#lastReceivedAt > since) return;
    const isBusy = this.#openStatements > 0 || this.#isInTransaction;
    if (isBusy && !(withBusy && this.#openStatements > 0)) return;
    this.#destroy(
      new RetiredConnectionError(
        'The database connection was closed because another one to the same server missed its deadline.',
      ),
    );
  }

  /** Replaces the connection with a fresh one, now if it is idle, otherwise when it is released. */
  renew(address: string, origin: DatabaseClient): void {
    if (address !== this.#address || this.#group.policy.keepsSession) return;
    if (this !== origin && clockMs - this.#openedAt < RENEWAL_AGE_MS) return;
    this.#isStale = true;
    if (this.#openStatements === 0 && !this.#isInTransaction)
      this.#destroy(new RetiredConnectionError('The database connection was closed because its server is read-only.'));
  }

  get #isInTransaction(): boolean {
    const status = this.getTransactionStatus();
    return status !== null && status !== 'I';
  }

  /** Destroys the connection if it belongs to the group. */
  abandon(group: ConnectionGroup): void {
    if (group === this.#group) this.#destroy();
  }

  /** The driver rejects all pending statements, with `error` if it is set. */
  #destroy(error?: Error): void {
    this.connection.stream.destroy(error);
  }
}

const open = new Set<DatabaseClient>();
let timer: NodeJS.Timeout | undefined;
/**
 * Time as the sweeps count it, in milliseconds. A process that was stopped or blocked adds at most two intervals, so
 * that responses received meanwhile are read before a deadline is missed.
 */
let clockMs = 0;
/** `clockMs` at the previous sweep: a lower bound for the time of data read since then. */
let previousMs = 0;
let lastSweep = 0;

/** Destroys the open connections of a group. */
export function abandonConnections(group: ConnectionGroup): void {
  for (const client of open) client.abandon(group);
}

function watch(client: DatabaseClient): void {
  open.add(client);
  if (timer) return;
  lastSweep = performance.now();
  timer = setInterval(sweep, SWEEP_MS).unref();
}

function forget(client: DatabaseClient): void {
  open.delete(client);
  if (open.size > 0) return;
  clearInterval(timer);
  timer = undefined;
}

function sweep(): void {
  const now = performance.now();
  previousMs = clockMs;
  clockMs += Math.min(now - lastSweep, 2 * SWEEP_MS);
  lastSweep = now;
  for (const client of open) client.sweep();
}

function discardSilent(address: string, since: number, withBusy: boolean): void {
  for (const client of open) client.discardIfSilent(address, since, withBusy);
}

/**
 * Replaces the connections to a server that rejected a write as read-only. The host name may resolve to another server
 * now, or the settings of the sessions may be outdated.
 */
function renewConnections(address: string, origin: DatabaseClient): void {
  for (const client of open) client.renew(address, origin);
}
