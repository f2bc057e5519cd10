import { type FetchOptions, type JobInsert, PgBoss } from 'pg-boss';
import type { Database, Sql } from '../platform/database/database.js';
import { isRetryableDatabaseError } from '../platform/database/database-errors.js';
import type { Log } from '../platform/logging/log.js';
import type { Bus } from '../platform/messaging/bus.js';
import { captureJobStatements, type JobStatements } from './job-statements.js';
import { createExecutor, createLeaseExecutor, type Executor, hasStartedWithin } from './queue.sql.js';

/** The options of a pg-boss queue. */
export type QueueOptions = NonNullable<Parameters<PgBoss['createQueue']>[1]>;

/** Time in seconds after which pg-boss reassigns a job without a heartbeat. This is the minimum that pg-boss allows. */
export const HEARTBEAT_SECONDS = 10;
const DAY_SECONDS = 86_400;

/** Options of a queue with at most one job per unfinished run. The job of a dead worker is retried. */
export const RUN_JOBS: QueueOptions = {
  notify: true,
  heartbeatSeconds: HEARTBEAT_SECONDS,
  // The run counts its own attempts and fails with `worker_lost`, so the job itself never fails permanently.
  retryLimit: 1_000_000,
  retryDelay: 0,
  // The maximum of pg-boss is below one day. A longer job is retried, and its run continues from its journal.
  expireInSeconds: DAY_SECONDS - 1,
  retentionSeconds: 365 * DAY_SECONDS,
};

/**
 * Options of a queue whose jobs only mark the time at which other work is due. Such a job takes far less than a second, so one that is
 * active for longer than `expireInSeconds` belongs to a dead worker.
 */
export const DUE_TIME_QUEUE: QueueOptions = {
  notify: true,
  retryLimit: 1_000,
  retryDelay: 0,
  expireInSeconds: 8,
  retentionSeconds: 30 * DAY_SECONDS,
};

/** The run for which a job is created. */
export interface RunReference {
  /** The id of the job: the id of a workflow run, the `billing_id` of scenario and keyword runs, `jobIdOf(id)` of recognition runs. */
  id: string;
  /** The project, used as the group of the job for fair fetching. */
  projectId: number;
  /**
   * Number of queued runs of the project ahead of this one. Jobs are ordered by it, so projects alternate. Default:
   * 0.
   */
  runsAhead?: number;
}

/**
 * A job that this process has fetched. pg-boss increases `retryCount` with each fetch, so it serves as a fencing
 * token.
 */
export interface FetchedJob {
  id: string;
  retryCount: number;
}

/** Priority of jobs of started runs. They are fetched before jobs of new runs. */
const STARTED_RUN_PRIORITY = 1;
/**
 * Settings of the job of a run that a process executes without having fetched it. The process keeps postponing the
 * job. After `HEARTBEAT_SECONDS` without that, the job is due and another process takes the run over.
 */
export const DIRECT_START_JOB = { priority: STARTED_RUN_PRIORITY, startAfter: HEARTBEAT_SECONDS };
/**
 * Delay before a process takes over jobs of other processes, so that live holders can renew first. It applies after
 * a database error of this process (read-only, timeout, lock, unreachable) and after a restart of PostgreSQL.
 */
const TAKEOVER_DELAY_MS = 5_000;
const SUPERVISE_MS = 1_000;
const MONITOR_SECONDS = 2;
const MAINTENANCE_SECONDS = 30;

/**
 * Runs pg-boss on the service's own connection pool and LISTEN connection. A job starts within milliseconds of the
 * commit that sent it. A job sent inside a transaction exists only if that transaction commits.
 */
export class Queue {
  readonly boss: PgBoss;
  readonly #arrivalListeners = new Map<string, Set<() => void>>();
  readonly #statements = new Map<string, JobStatements>();
  /**
   * Executes statements that fetch and renew jobs, with a deadline. A lost statement is repeated before another
   * process can take the job.
   */
  readonly #leases: Executor;
  /** Timers of the next passes of `superviseWith`. */
  readonly #supervisionTimers = new Map<string, NodeJS.Timeout>();
  /** Time of the last database error by `performance.now()`. */
  #databaseErrorAt = Number.NEGATIVE_INFINITY;
  /** The last check whether PostgreSQL has started recently. Concurrent callers wait for the same one. */
  #startCheck: Promise<boolean> = Promise.resolve(false);
  /** Time of the next check by `performance.now()`. */
  #nextStartCheckAt = 0;

  constructor(
    private readonly database: Database,
    bus: Bus,
    private readonly log: Log,
    private readonly options: {
      /** Whether this process fetches jobs and supervises the queues. A process that only sends jobs does neither. */
      fetchesJobs: boolean;
    },
  ) {
    const { fetchesJobs } = options;
    this.#leases = createLeaseExecutor(database);
    this.boss = new PgBoss({
      db: {
        executeSql: (text: string, values?: unknown[]) =>
          createExecutor(isMaintenance(text) ? database.longRunning : database).executeSql(text, values),
        listen: (channel, onPayload, onReconnect) =>
          bus.listen(
            channel,
            queue => {
              onPayload(queue);
              for (const listener of this.#arrivalListeners.get(queue) ?? []) listener();
            },
            () => {
              onReconnect();
              for (const listeners of this.#arrivalListeners.values()) for (const listener of listeners) listener();
            },
          ),
      },
      schema: 'pgboss',
      useListenNotify: fetchesJobs,
      // `#scheduleSupervision` supervises instead: after a database failure, workers must be able to renew their jobs
      // first.
      supervise: false,
      schedule: fetchesJobs,
      monitorIntervalSeconds: MONITOR_SECONDS,
      maintenanceIntervalSeconds: MAINTENANCE_SECONDS,
    });
    this.boss.on('error', error => log.error({ err: error }, 'queue'));
    this.boss.on('warning', warning => log.warn({ warning }, 'queue'));
  }

  async start(): Promise<void> {
    await this.boss.start();
    if (this.options.fetchesJobs) this.superviseWith('supervising the queues', () => this.boss.supervise());
  }

  async stop(): Promise<void> {
    for (const timer of this.#supervisionTimers.values()) clearTimeout(timer);
    this.#supervisionTimers.clear();
    await this.boss.stop({ graceful: true, timeout: 5_000 });
  }

  /**
   * Prepares the statements of a queue. Must be called once per queue before its first use, because inside a
   * transaction pg-boss would wait for a second connection.
   */
  async prepare(name: string): Promise<void> {
    this.#statements.set(name, await captureJobStatements(this.boss, name));
  }

  /**
   * Returns the statements that create and remove jobs of this queue as part of another statement. Throws if the
   * queue is not prepared.
   */
  statements(name: string): JobStatements {
    const statements = this.#statements.get(name);
    if (!statements) throw new Error(`the queue ${name} is not prepared: call prepare() at startup`);
    return statements;
  }

  /** Sends jobs inside the caller's transaction. A job whose id exists already remains unchanged. */
  async send(name: string, jobs: JobInsert[], sql: Sql): Promise<void> {
    if (jobs.length > 0) await this.boss.insert(name, jobs, { db: createExecutor(sql) });
  }

  /**
   * Creates the jobs of accepted runs. The first run of each project comes ahead of the second run of any other
   * project.
   */
  accept(name: string, runs: readonly RunReference[], sql: Sql): Promise<void> {
    return this.send(
      name,
      runs.map(({ id, projectId, runsAhead = 0 }) => ({ id, group: groupOf(projectId), priority: -runsAhead })),
      sql,
    );
  }

  /**
   * Postpones the jobs of runs that this process executes without having fetched them (`DIRECT_START_JOB`). Returns the ids of
   * jobs that no other process has fetched.
   */
  async postponeDirectStarts(name: string, ids: readonly string[]): Promise<string[]> {
    const renewed: string[] = [];
    for (const id of ids) {
      const { jobs } = await this.boss.update(name, undefined, { id, startAfter: HEARTBEAT_SECONDS, db: this.#leases });
      renewed.push(...jobs);
    }
    return renewed;
  }

  /** Sends heartbeats for fetched jobs. Returns the ids of the jobs that this process still holds. */
  async touch(name: string, jobs: FetchedJob[]): Promise<string[]> {
    const { settled } = (await this.boss.touch(name, jobs, { db: this.#leases })) as { settled?: string[] };
    return settled ?? [];
  }

  /** Makes jobs due immediately, and creates missing ones, in the transaction that changes their runs. */
  async wake(name: string, runs: readonly RunReference[], sql: Sql): Promise<void> {
    for (const run of runs)
      await this.boss.upsert(name, null, { ...startedRunJob(run), startAfter: 0, db: createExecutor(sql) });
  }

  /** Replaces jobs of this process by jobs that are due at `startAfter`. Default: immediately. */
  async release(name: string, runs: readonly RunReference[], sql: Sql, startAfter?: Date): Promise<void> {
    if (runs.length === 0) return;
    await this.remove(
      name,
      runs.map(run => run.id),
      sql,
    );
    const jobs = runs.map(run => ({ ...startedRunJob(run), ...(startAfter ? { startAfter } : {}) }));
    await this.send(name, jobs, sql);
  }

  /**
   * Removes jobs without remaining work, such as those of runs that end in this transaction, whether a worker has
   * fetched them or not. Returns the number of removed jobs.
   */
  async remove(name: string, ids: string[], sql: Sql): Promise<number> {
    if (ids.length === 0) return 0;
    const { affected } = (await this.boss.deleteJob(name, ids, { db: createExecutor(sql) })) as { affected?: number };
    return affected ?? 0;
  }

  /** Removes jobs that this process has fetched, except those that another process has fetched since. */
  async removeFetched(name: string, jobs: FetchedJob[], sql: Sql): Promise<void> {
    if (jobs.length > 0) await this.boss.deleteJob(name, jobs, { db: createExecutor(sql) });
  }

  /** Fetches at most `batchSize` due jobs of projects other than `ignoredProjects`. */
  async fetchJobs(name: string, batchSize: number, ignoredProjects: readonly number[]): Promise<FetchedJob[]> {
    const options: FetchOptions = { batchSize, ignoreGroups: ignoredProjects.map(String), db: this.#leases };
    // While takeovers are delayed, only jobs of new runs are fetched: the holders of started runs cannot renew them.
    const jobs = await this.boss.fetch(
      name,
      (await this.#isTakeoverDelayed()) ? { ...options, maxPriority: STARTED_RUN_PRIORITY - 1 } : options,
    );
    return jobs as unknown as FetchedJob[];
  }

  /** Calls `listener` whenever a job may have arrived in the queue `name`. Returns a function that unsubscribes. */
  onArrival(name: string, listener: () => void): () => void {
    const listeners = this.#arrivalListeners.get(name) ?? new Set();
    this.#arrivalListeners.set(name, listeners.add(listener));
    return () => listeners.delete(listener);
  }

  /** Records a database error of a statement about runs, if the error is retryable. */
  recordDatabaseError(error: unknown): void {
    if (isRetryableDatabaseError(error)) this.#databaseErrorAt = performance.now();
  }

  /**
   * Calls `pass` every second until `stop`, except while the holders of jobs have to renew them first. Meanwhile it calls `probe`,
   * whose errors also show that the holders cannot renew. Passes are sequential, so they do not accumulate while the database is slow.
   */
  superviseWith(what: string, pass: () => Promise<void>, probe = async () => {}): void {
    const timer = setTimeout(async () => {
      try {
        await ((await this.#isTakeoverDelayed()) ? probe() : pass());
      } catch (error) {
        this.recordDatabaseError(error);
        this.log.warn({ err: error }, `${what} failed; trying again`);
      }
      if (this.#supervisionTimers.get(what) === timer) this.superviseWith(what, pass, probe);
    }, SUPERVISE_MS);
    this.#supervisionTimers.set(what, timer);
  }

  async #recordingErrors<T>(work: Promise<T>): Promise<T> {
    try {
      return await work;
    } catch (error) {
      this.recordDatabaseError(error);
      throw error;
    }
  }

  /** Returns whether job holders may not have had time to renew since the database recovered. */
  async #isTakeoverDelayed(): Promise<boolean> {
    const now = performance.now();
    if (now - this.#databaseErrorAt < TAKEOVER_DELAY_MS) return true;
    if (now >= this.#nextStartCheckAt) {
      this.#nextStartCheckAt = now + SUPERVISE_MS;
      this.#startCheck = this.#recordingErrors(hasStartedWithin(this.database, TAKEOVER_DELAY_MS));
    }
    return this.#startCheck;
  }
}

function groupOf(projectId: number) {
  return { id: String(projectId) };
}

/** Returns the job of a run that has started, or that starts when it is accepted. */
function startedRunJob({ id, projectId }: RunReference) {
  return { id, group: groupOf(projectId), priority: STARTED_RUN_PRIORITY };
}

/**
 * Returns whether a statement covers whole tables, such as a pg-boss transaction under its locks or the rebuild of
 * an index.
 */
function isMaintenance(text: string): boolean {
  return /^\s*(?:begin|create|drop|reindex)\b/i.test(text);
}

/** Returns the end of a lease that is renewed now, by `performance.now()`. */
export function leaseFromNow(): number {
  return performance.now() + HEARTBEAT_SECONDS * 1_000;
}
