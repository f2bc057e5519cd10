import type { Socket } from 'node:net';
import pg from 'pg';

/** How often connections are looked at: a deadline is met this much late at most. */
const SWEEP_MS = 250;
/** A goodbye that the server does not answer within this ends with the socket destroyed. */
const END_MS = 2_000;
const CONNECT_MS = 4_000;
/** The operating system asks a peer that has been silent for so long whether it is there (once a second, ten times). */
const KEEPALIVE_MS = 5_000;
/** A connection younger than this is kept when another one meets a read-only server: it has met the same server. */
const RENEWAL_AGE_MS = 5_000;
const READ_ONLY_SQL_TRANSACTION = '25006';

/** A statement was not answered within its deadline; its connection is gone, and whether it was done is unknown. */
export class StatementTimeoutError extends Error {
  /** Classified with the network errors: the same statement may succeed on another connection. */
  readonly code = 'ETIMEDOUT';

  constructor(address: string, deadlineMs: number) {
    super(`PostgreSQL at ${address} did not answer a statement within ${deadlineMs} ms; the connection was closed.`);
    this.name = 'StatementTimeoutError';
  }
}

/** Why a connection was closed that was not asked anything. */
class RetiredConnectionError extends Error {
  readonly code = 'ECONNRESET';
}

export interface ConnectionPolicy {
  /** Milliseconds that a statement may take, seen from this side. May be changed for later statements. */
  deadlineMs: number;
  /** A statement that sets the session up, before anybody else has the connection. */
  settings?: string;
  /** The session itself is what counts, such as its advisory locks: it is never exchanged for a fresh one. */
  keepsSession?: boolean;
  onTimeout?(error: StatementTimeoutError): void;
}

/**
 * SQL: PostgreSQL closes a session that is not used for this long. The service closes or uses its own sooner: what is left are
 * sessions whose network was lost. PostgreSQL does not notice that, and they would use up its connections.
 */
export const IDLE_SESSION = `set_config('idle_session_timeout', '25s', false)`;

/** What the connections of one pool have in common. A class: MikroORM copies plain objects. */
export class ConnectionGroup {
  deadlineMs: number;
  /** Statements that PostgreSQL has answered, whatever it said. */
  answered = 0;

  constructor(readonly policy: ConnectionPolicy) {
    this.deadlineMs = policy.deadlineMs;
  }
}

export interface DatabaseClientConfig extends pg.ClientConfig {
  group: ConnectionGroup;
}

/** Options of every connection, whatever makes it. */
export function connectionOptions(policy: ConnectionPolicy) {
  return {
    connectionTimeoutMillis: CONNECT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEPALIVE_MS,
    group: new ConnectionGroup(policy),
  };
}

/** A connected client outside of any pool. */
export async function connectClient(
  url: string,
  { policy, ...config }: { policy: ConnectionPolicy } & pg.ClientConfig,
): Promise<pg.Client> {
  const client = new DatabaseClient({ connectionString: url, ...connectionOptions(policy), ...config });
  await client.connect();
  return client;
}

/** A statement with a deadline of its own, in milliseconds. */
export interface StatementConfig extends pg.QueryConfig {
  deadlineMs?: number | undefined;
}

type Callback = (error?: Error | null) => void;

/**
 * A connection on which nothing waits for ever: connecting, every statement and the goodbye have a deadline, kept by one
 * timer for all connections of the process, so that a statement costs no timer of its own. A connection that misses a
 * deadline is destroyed with all that waits on it, and so are those to the same server that have been silent as long.
 */
export class DatabaseClient extends pg.Client {
  readonly #group: ConnectionGroup;
  readonly #address: string;
  #underWay = 0;
  #since = 0;
  #deadlineMs = 0;
  #endingSince: number | undefined;
  #openedAt = 0;
  #heardAt = 0;
  #bytesRead = 0;
  #isStale = false;

  constructor(config: DatabaseClientConfig) {
    super(config);
    this.#group = config.group;
    this.#address = `${this.host}:${this.port}`;
    // The pending statements reject with the error; an error event without a listener would end the process.
    this.on('error', () => {});
    const { connection } = this;
    // Before the driver's own listener, which hands the connection on.
    connection.on('readyForQuery', () => {
      if (this.#underWay === 0) return;
      this.#underWay--;
      this.#since = clockMs;
      this.#group.answered++;
    });
    connection.on('errorMessage', ({ code }: { code?: string }) => {
      if (code === READ_ONLY_SQL_TRANSACTION) renewConnections(this.#address, this);
    });
    // Statements that the driver itself refused were never sent.
    this.on('drain', () => {
      this.#underWay = 0;
    });
    this.on('end', () => forget(this));
  }

  /** Whether the pool replaces it by a fresh connection as soon as it is idle. */
  get isStale(): boolean {
    return this.#isStale;
  }

  override connect(callback?: (...given: never[]) => void): never {
    const whenOpen = callback as Callback | undefined;
    if (!whenOpen)
      return new Promise<void>((resolve, reject) => {
        this.connect((error?: Error | null) => (error ? reject(error) : resolve()));
      }) as never;
    this.#openedAt = this.#heardAt = clockMs;
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

  override query(...given: unknown[]): never {
    if (this.#underWay++ === 0) {
      this.#since = clockMs;
      this.#deadlineMs = (given[0] as StatementConfig).deadlineMs ?? this.#group.deadlineMs;
    }
    return (super.query as (...given: unknown[]) => never).apply(this, given);
  }

  override end(callback?: (...given: never[]) => void): never {
    this.#endingSince ??= clockMs;
    return (super.end as (callback?: (...given: never[]) => void) => never).call(this, callback);
  }

  /** One look at the connection: destroys it when a deadline has passed. */
  sweep(): void {
    const { bytesRead } = this.connection.stream as Socket;
    if (bytesRead !== this.#bytesRead) this.#heardAt = previousMs;
    this.#bytesRead = bytesRead;
    if (this.#endingSince !== undefined && clockMs - this.#endingSince > END_MS) return this.#destroy();
    if (this.#underWay === 0 || clockMs - this.#since <= this.#deadlineMs) return;
    const error = new StatementTimeoutError(this.#address, this.#deadlineMs);
    this.#group.policy.onTimeout?.(error);
    // A statement that was given less time than usual says nothing of others that are at work.
    const isUsual = this.#deadlineMs >= this.#group.deadlineMs;
    const since = this.#since;
    this.#destroy(error);
    discardSilent(this.#address, since, isUsual);
  }

  /** Destroys it when it has not been heard from since; one that is at work only with `withBusy`. */
  discardIfSilent(address: string, since: number, withBusy: boolean): void {
    if (address !== this.#address || this.#group.policy.keepsSession || this.#heardAt > since) return;
    const isBusy = this.#underWay > 0 || this.#isInTransaction;
    if (isBusy && !(withBusy && this.#underWay > 0)) return;
    this.#destroy(new RetiredConnectionError('The database connection was as silent as one that missed its deadline.'));
  }

  /** Exchanges it for a fresh connection, at once or when it is released. */
  renew(address: string, origin: DatabaseClient): void {
    if (address !== this.#address || this.#group.policy.keepsSession) return;
    if (this !== origin && clockMs - this.#openedAt < RENEWAL_AGE_MS) return;
    this.#isStale = true;
    if (this.#underWay === 0 && !this.#isInTransaction)
      this.#destroy(new RetiredConnectionError('The database connection was closed because its server is read-only.'));
  }

  get #isInTransaction(): boolean {
    const status = this.getTransactionStatus();
    return status !== null && status !== 'I';
  }

  /** Destroys it when it is of this group. */
  abandon(group: ConnectionGroup): void {
    if (group === this.#group) this.#destroy();
  }

  /** The driver tells everybody who waits on it; without `error` only that it ended. */
  #destroy(error?: Error): void {
    this.connection.stream.destroy(error);
  }
}

const open = new Set<DatabaseClient>();
let timer: NodeJS.Timeout | undefined;
/**
 * Time as the sweeps see it. A process that was stopped or busy for long adds only a moment of it: answers that came
 * meanwhile are read before a deadline is missed.
 */
let clockMs = 0;
/** The same before the last sweep: what was read since then is at least this young. */
let previousMs = 0;
let lastSweep = 0;

/** Destroys the connections of a group that are still open. */
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

/** Its name may stand for another server by now, or its session for settings that have changed. */
function renewConnections(address: string, origin: DatabaseClient): void {
  for (const client of open) client.renew(address, origin);
}
