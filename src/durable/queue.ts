import { type FetchOptions, type JobInsert, PgBoss } from 'pg-boss';
import type { Database, Sql } from '../platform/database/database.js';
import { isRetryableDatabaseError } from '../platform/database/database-errors.js';
import type { Log } from '../platform/logging/log.js';
import type { Bus } from '../platform/messaging/bus.js';
import { type JobStatements, jobStatementsOf } from './job-statements.js';
import { type Executor, executorOf, leaseExecutorOf, startedWithin } from './queue.sql.js';

/** How pg-boss keeps the jobs of one queue. */
export type QueueOptions = NonNullable<Parameters<PgBoss['createQueue']>[1]>;

/** How long a job stays its worker's without a heartbeat. The least that pg-boss allows. */
export const HEARTBEAT_SECONDS = 10;
const DAY_SECONDS = 86_400;

/** A queue with one job for each run that is accepted and has not ended. A dead worker's job is retried. */
export const RUN_JOBS: QueueOptions = {
  notify: true,
  heartbeatSeconds: HEARTBEAT_SECONDS,
  // The run counts how often a worker has begun it, and ends with `worker_lost`: a job never fails for good.
  retryLimit: 1_000_000,
  retryDelay: 0,
  // pg-boss accepts less than a day; a job that is executed for longer is retried, and the run goes on from its journal.
  expireInSeconds: DAY_SECONDS - 1,
  retentionSeconds: 365 * DAY_SECONDS,
  deleteAfterSeconds: 60,
};

/** A queue of wake-ups: one that stays active for longer than this belongs to a dead worker. */
export const WAKE_UP_QUEUE: QueueOptions = {
  notify: true,
  retryLimit: 1_000,
  retryDelay: 0,
  expireInSeconds: 8,
  retentionSeconds: 30 * DAY_SECONDS,
};

/** What a job is created from. */
export interface RunReference {
  /** The id of the job: of a run of a workflow its id, of other runs their `billing_id`. */
  id: string;
  /** The group of the job: projects share workers. */
  projectId: number;
  /** How many runs of the project it comes after: projects take turns. Absent: none. */
  turn?: number;
}

/** A job that this process has fetched. `retryCount` fences it: pg-boss raises it with each fetch. */
export interface FetchedJob {
  id: string;
  retryCount: number;
}

/** Jobs of runs that have begun come before jobs of runs that have not. */
const RESTARTED = 1;
/**
 * The job of a run that a process begins without fetching it. It is due once the process has not put it off for
 * `HEARTBEAT_SECONDS`: then another one takes the run over.
 */
export const HELD_JOB = { priority: RESTARTED, startAfter: HEARTBEAT_SECONDS };
/**
 * A process that met a database that refused (read-only, timing out, locked, away) and every process after a restart of
 * PostgreSQL wait this long before they take over what others hold: the holders are alive, and renew first.
 */
const HOLDERS_FIRST_MS = 5_000;
const SUPERVISE_MS = 1_000;
const MONITOR_SECONDS = 2;
const MAINTENANCE_SECONDS = 30;

/**
 * pg-boss on the service's own pool and LISTEN connection: a job starts within milliseconds of the commit that sent
 * it, and a job sent inside a transaction exists if and only if that transaction commits.
 */
export class Queue {
  readonly boss: PgBoss;
  readonly #wakers = new Map<string, Set<() => void>>();
  readonly #statements = new Map<string, JobStatements>();
  /** Of statements that take and renew jobs: one that was lost is asked again before another process takes the job. */
  readonly #leases: Executor;
  #supervising: NodeJS.Timeout | undefined;
  /** When the database last refused a statement, by `performance.now()`. */
  #refusedAt = Number.NEGATIVE_INFINITY;
  /** Until when PostgreSQL is known to have started lately, and when it is asked again, by `performance.now()`. */
  #youngUntil = 0;
  #lookAgainAt = 0;

  constructor(
    private readonly database: Database,
    bus: Bus,
    private readonly log: Log,
    private readonly options: {
      /** Fetches jobs and supervises the queues. A process that only sends does neither. */
      works: boolean;
    },
  ) {
    const { works } = options;
    this.#leases = leaseExecutorOf(database);
    this.boss = new PgBoss({
      db: {
        executeSql: (text: string, values?: unknown[]) =>
          executorOf(isHousekeeping(text) ? database.longRunning : database).executeSql(text, values),
        listen: (channel, onPayload, onReconnect) =>
          bus.listen(
            channel,
            queue => {
              onPayload(queue);
              for (const wake of this.#wakers.get(queue) ?? []) wake();
            },
            () => {
              onReconnect();
              for (const wakers of this.#wakers.values()) for (const wake of wakers) wake();
            },
          ),
      },
      schema: 'pgboss',
      useListenNotify: works,
      // See `#superviseIn`: its jobs must not be taken from workers that only lost the database.
      supervise: false,
      schedule: works,
      monitorIntervalSeconds: MONITOR_SECONDS,
      maintenanceIntervalSeconds: MAINTENANCE_SECONDS,
    });
    this.boss.on('error', error => log.error({ err: error }, 'queue'));
    this.boss.on('warning', warning => log.warn({ warning }, 'queue'));
  }

  async start(): Promise<void> {
    await this.boss.start();
    if (this.options.works) this.#superviseIn(SUPERVISE_MS);
  }

  async stop(): Promise<void> {
    clearTimeout(this.#supervising);
    this.#supervising = undefined;
    await this.boss.stop({ graceful: true, timeout: 5_000 });
  }

  /** To be called once for each queue before it is used: inside a transaction pg-boss would wait for a second connection. */
  async prepare(name: string): Promise<void> {
    this.#statements.set(name, await jobStatementsOf(this.boss, name));
  }

  /** What creates and completes jobs of this queue as part of another statement. */
  statements(name: string): JobStatements {
    const statements = this.#statements.get(name);
    if (!statements) throw new Error(`the queue ${name} was not prepared`);
    return statements;
  }

  /** Sends jobs inside the caller's transaction. A job whose id is already known is left as it is. */
  async send(name: string, jobs: JobInsert[], sql: Sql): Promise<void> {
    if (jobs.length > 0) await this.boss.insert(name, jobs, { db: executorOf(sql) });
  }

  /** Creates the jobs of runs that were accepted. The first run of each project comes before the second of any other. */
  accept(name: string, runs: readonly RunReference[], sql: Sql): Promise<void> {
    return this.send(
      name,
      runs.map(({ id, projectId, turn = 0 }) => ({ id, group: groupOf(projectId), priority: -turn })),
      sql,
    );
  }

  /** Puts off the jobs of runs that this process began without fetching them (`HELD_JOB`). Returns the ids of jobs that no other process has fetched. */
  async renewHeld(name: string, ids: readonly string[]): Promise<string[]> {
    const renewed: string[] = [];
    for (const id of ids) {
      const { jobs } = await this.boss.update(name, undefined, { id, startAfter: HEARTBEAT_SECONDS, db: this.#leases });
      renewed.push(...jobs);
    }
    return renewed;
  }

  /** Sends the heartbeats of fetched jobs. Returns the ids of those that are still this process's. */
  async touch(name: string, jobs: FetchedJob[]): Promise<string[]> {
    const { settled } = (await this.boss.touch(name, jobs, { db: this.#leases })) as { settled?: string[] };
    return settled ?? [];
  }

  /** Makes jobs due at once; creates those that do not exist. In the transaction that changed their runs. */
  async wake(name: string, runs: readonly RunReference[], sql: Sql): Promise<void> {
    for (const run of runs)
      await this.boss.upsert(name, null, { ...restartedJob(run), startAfter: 0, db: executorOf(sql) });
  }

  /** Replaces jobs that this process holds by jobs that are due at `startAfter`; absent: at once. */
  async release(name: string, runs: readonly RunReference[], sql: Sql, startAfter?: Date): Promise<void> {
    if (runs.length === 0) return;
    await this.remove(
      name,
      runs.map(run => run.id),
      sql,
    );
    const jobs = runs.map(run => ({ ...restartedJob(run), ...(startAfter ? { startAfter } : {}) }));
    await this.send(name, jobs, sql);
  }

  /** Removes jobs that nothing is to be done for. Returns how many there were. */
  async remove(name: string, ids: string[], sql: Sql): Promise<number> {
    if (ids.length === 0) return 0;
    const { affected } = (await this.boss.deleteJob(name, ids, { db: executorOf(sql) })) as { affected?: number };
    return affected ?? 0;
  }

  /** Removes jobs that this process has fetched, unless another one has fetched them since. */
  async removeHeld(name: string, jobs: FetchedJob[], sql: Sql): Promise<void> {
    if (jobs.length > 0) await this.boss.deleteJob(name, jobs, { db: executorOf(sql) });
  }

  /** Completes the jobs of runs in the transaction that ends them, also when another process has fetched them. */
  async complete(name: string, ids: string[], sql: Sql): Promise<void> {
    if (ids.length > 0) await this.boss.complete(name, ids, null, { db: executorOf(sql), includeQueued: true });
  }

  /** Fetches at most `batchSize` jobs that are due, of projects other than `ignoredProjects`. */
  async fetchJobs(name: string, batchSize: number, ignoredProjects: readonly number[]): Promise<FetchedJob[]> {
    const options: FetchOptions = { batchSize, ignoreGroups: ignoredProjects.map(String), db: this.#leases };
    const jobs = await this.boss.fetch(
      name,
      (await this.#holdersComeFirst()) ? { ...options, maxPriority: 0 } : options,
    );
    return jobs as unknown as FetchedJob[];
  }

  /** Calls `wake` when a job may have arrived on `name`. */
  onArrival(name: string, wake: () => void): () => void {
    const wakers = this.#wakers.get(name) ?? new Set();
    this.#wakers.set(name, wakers.add(wake));
    return () => wakers.delete(wake);
  }

  /** Notes that the database refused a statement about runs. */
  noteRefusal(error: unknown): void {
    if (isRetryableDatabaseError(error)) this.#refusedAt = performance.now();
  }

  /** pg-boss fails jobs without a heartbeat. One pass follows another: none piles up while the database is slow. */
  #superviseIn(ms: number): void {
    this.#supervising = setTimeout(async () => {
      try {
        if (!(await this.#holdersComeFirst())) await this.boss.supervise();
      } catch (error) {
        this.noteRefusal(error);
        this.log.warn({ err: error }, 'supervising the queues failed; trying again');
      }
      if (this.#supervising !== undefined) this.#superviseIn(SUPERVISE_MS);
    }, ms);
  }

  /** Whether holders of jobs may not have had the time to renew them since the database came back. */
  async #holdersComeFirst(): Promise<boolean> {
    const now = performance.now();
    if (now - this.#refusedAt < HOLDERS_FIRST_MS || now < this.#youngUntil) return true;
    if (now < this.#lookAgainAt) return false;
    this.#lookAgainAt = now + SUPERVISE_MS;
    const isYoung = await startedWithin(this.database, HOLDERS_FIRST_MS);
    if (isYoung) this.#youngUntil = now + SUPERVISE_MS;
    return isYoung;
  }
}

function groupOf(projectId: number) {
  return { id: String(projectId) };
}

/** The job of a run that has begun, or is begun as it is accepted. */
function restartedJob({ id, projectId }: RunReference) {
  return { id, group: groupOf(projectId), priority: RESTARTED };
}

/** Statements over whole tables: pg-boss makes them transactions under its locks, or builds an index anew. */
function isHousekeeping(text: string): boolean {
  return /^\s*(?:begin|create|drop|reindex)\b/i.test(text);
}
