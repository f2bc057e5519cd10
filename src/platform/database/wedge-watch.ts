import { setTimeout } from 'node:timers/promises';
import type pg from 'pg';
import type { Log } from '../logging/log.js';
import { connectClient } from './database-client.js';

/** Number of checks within the time after which a process counts as wedged. */
const CHECKS = 6;
const DIRECT_DEADLINE_MS = 2_000;
/** Longer than connecting and one statement of a pool may take. */
const PROBE_MS = 15_000;

interface WatchedDatabase {
  readonly url: string;
  readonly servingPools: pg.Pool[];
}

/**
 * Detects a wedged pool: it has answered no statement for `wedgedAfterMs` although a new connection reaches the
 * database. Restarting the process helps in this case, but not if the database is unreachable.
 */
export class WedgeWatch {
  #since: number | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isChecking = false;

  constructor(
    private readonly database: WatchedDatabase,
    private readonly wedgedAfterMs: number,
    private readonly log: Log,
  ) {}

  get isWedged(): boolean {
    return this.#since !== undefined && performance.now() - this.#since >= this.wedgedAfterMs;
  }

  start(): void {
    this.#timer = setInterval(() => void this.#check(), this.wedgedAfterMs / CHECKS).unref();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  async #check(): Promise<void> {
    if (this.#isChecking) return;
    this.#isChecking = true;
    const startedAt = performance.now();
    const responses = await Promise.all(this.database.servingPools.map(respondsToStatements));
    const isWedged = responses.includes(false) && (await this.#isReachable());
    if (isWedged && this.#since === undefined)
      this.log.warn({}, 'connection pool does not respond although the database is reachable');
    this.#since = isWedged ? (this.#since ?? startedAt) : undefined;
    this.#isChecking = false;
  }

  async #isReachable(): Promise<boolean> {
    try {
      const client = await connectClient(this.database.url, { policy: { deadlineMs: DIRECT_DEADLINE_MS } });
      await client.query('select 1').finally(() => client.end());
      return true;
    } catch {
      return false;
    }
  }
}

/** An error response of PostgreSQL counts as an answer. An error of the driver does not. */
async function respondsToStatements(pool: pg.Pool): Promise<boolean> {
  const response = pool.query('select 1').then(
    () => true,
    (error: { severity?: unknown }) => error.severity !== undefined,
  );
  return Promise.race([response, setTimeout(PROBE_MS, false, { ref: false })]);
}
