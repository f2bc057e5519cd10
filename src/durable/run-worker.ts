import { type Database, LEASE_STATEMENT, whenReachable } from '../platform/database/database.js';
import { isRetryableDatabaseError } from '../platform/database/database-errors.js';
import type { Log } from '../platform/logging/log.js';
import type { Bus } from '../platform/messaging/bus.js';
import { Notifier } from '../platform/messaging/notifier.js';
import type { RunKind } from '../platform/metrics/metrics.js';
import { failpoint } from '../platform/testing/failpoint.js';
import type { Telemetry } from '../platform/tracing/telemetry.js';
import { withoutContext } from '../platform/tracing/work-context.js';
import type { RunSlots } from './assignment/run-slots.js';
import { fetchFairly, shareOf } from './fair-fetch.js';
import type { Claims } from './lease-token.js';
import { type FetchedJob, HEARTBEAT_SECONDS, leaseFromNow, type Queue } from './queue.js';
import { SlotForecast } from './slot-forecast.js';
import { type RunTelemetry, traceRun } from './trace-runs.js';
import { countWorkers } from './worker-count.js';

/** Polling interval for due jobs: the delay after a lost notification. It varies, so that workers do not all poll at once. */
const POLLING_MS = 1_000;
const POLLING_JITTER_MS = 100;
const RENEW_MS = (HEARTBEAT_SECONDS * 1_000) / 4;
/** A run that was started without a job gets one with the first renewal after this time. Most end before. */
const MIN_AGE_MS = 1_000;
/** Delay before a failed renewal is repeated. */
const RENEW_RETRY_MS = 500;
/** Waiting runs that are due later than this have no timer; polling finds them. */
const MAX_DUE_TIMER_MS = 2_000;

/** A suspended run is due after `dueInMs` milliseconds. Null: an external event resumes it. */
export interface Suspension {
  dueInMs: number | null;
}

/** The dependencies of a worker for one kind of run. */
export interface RunWorkerParts<Run> {
  queue: Queue;
  database: Database;
  bus: Bus;
  log: Log;
  telemetry: Telemetry;
  kind: RunKind;
  /** The maximum number of concurrent runs of this process. */
  concurrency: number;
  queueName: string;
  claims: Claims<Run>;
  /**
   * Executes a run. Resolves when the run ends, is suspended or belongs to another process. `signal` aborts the
   * execution without ending the run. It may call `freeSlot` when only the end of the run is left to be written:
   * another run executes meanwhile.
   */
  execute(run: Run, signal: AbortSignal, freeSlot: () => void): Promise<Suspension | undefined>;
  /** Returns the topic that announces the cancellation of a run. */
  cancelTopic(id: string): string;
}

/** A run that this process executes while its job is renewed. */
export type ClaimableRun = RunTelemetry & {
  projectId: number;
  /** End of the lease of the job, by the clock of this process (`performance.now()`). */
  leaseExpiresAt?: number;
};

interface ActiveRun<Run> {
  run: Run;
  /** Null when this process started the run without fetching its job. */
  job: FetchedJob | null;
  /** Whether the job exists: a run whose job was not fetched gets it with its first renewal. */
  hasJob: boolean;
  startedAt: number;
  abort: AbortController;
  done: Promise<void>;
}

/**
 * Executes runs of one kind. It fetches as many jobs as it has free slots, claims their runs and sends heartbeats
 * during execution. The transaction that ends a run removes its job.
 */
export class RunWorker<Run extends ClaimableRun> {
  readonly #active = new Map<string, ActiveRun<Run>>();
  /** The active runs that occupy a slot: all but those whose end is being written. */
  readonly #executing = new Set<ActiveRun<Run>>();
  #isStopping = false;
  /** Whether the last poll emptied the queue and no job has arrived since. */
  #isIdle = false;
  #hasArrivals = false;
  /** Slots reserved for runs that are being written. */
  #reserved = 0;
  #onNoneReserved: () => void = () => {};
  readonly #notifier = new Notifier();
  readonly #forecast: SlotForecast;
  #renewalTimer: NodeJS.Timeout | undefined;
  #loop: Promise<void> | undefined;
  /** Timers of waiting runs that are due soon. */
  readonly #dueTimers = new Map<string, NodeJS.Timeout>();
  #unsubscribe: () => void = () => {};

  constructor(private readonly parts: RunWorkerParts<Run>) {
    this.#forecast = new SlotForecast(async () => {
      const workers = await this.#logErrors('counting workers', () => countWorkers(parts.database));
      return workers === 1;
    });
  }

  get kind(): RunKind {
    return this.parts.kind;
  }

  start(): void {
    this.#unsubscribe = this.parts.queue.onArrival(this.parts.queueName, () => {
      this.#isIdle = false;
      this.#hasArrivals = true;
      this.#notifier.notify();
    });
    this.#loop = this.#work();
    this.#scheduleRenewal(RENEW_MS);
  }

  /** The number of runs in execution. */
  get active(): number {
    return this.#executing.size;
  }

  /** Whether `reserveSlots` would reserve a slot now. */
  get #hasFreeSlots(): boolean {
    return this.#isIdle && !this.#isStopping && this.#freeForOneProject > 0;
  }

  /** Whether a run that is written now gets a slot immediately or soon. */
  get startsSoon(): boolean {
    return this.#hasFreeSlots || (this.#forecast.expectsSlot && !this.#isStopping);
  }

  /**
   * Waits for a slot while one is expected soon. Returns how many of `count` new runs to write now: as many
   * as get a slot, or all if they have to be queued. A run that is queued costs twice as much: a worker fetches its
   * job, claims its row and reads its input again.
   */
  async admit(count: number): Promise<number> {
    for (;;) {
      if (this.#hasFreeSlots) return Math.min(count, this.#freeForOneProject);
      if (this.#isStopping || !(await this.#forecast.confirm())) return count;
      if (!this.#hasFreeSlots) await this.#forecast.nextChange();
    }
  }

  /**
   * Reserves slots for runs that this process is about to write. It reserves none while jobs are queued, because
   * the new runs would overtake them, and none after `stop`.
   */
  reserveSlots(limit: number): RunSlots<Run> {
    const count = this.#hasFreeSlots ? Math.min(limit, this.#freeForOneProject) : 0;
    if (count < limit) this.#isIdle = false;
    this.#reserved += count;
    const release = () => {
      this.#reserved -= count;
      this.#forecast.notify();
      if (this.#reserved === 0) this.#onNoneReserved();
    };
    return {
      count,
      start: runs => {
        for (const run of runs) this.startAssigned(run);
        release();
      },
      release,
    };
  }

  /** The slots that each other process may fill. A quarter, because several processes use the same offer. */
  get slotsToOffer(): number {
    return this.#hasFreeSlots ? Math.floor(this.#freeForOneProject / 4) : 0;
  }

  /** Executes a run that this process holds without a job. */
  startAssigned(run: Run): void {
    // This process has taken the run over since it was read.
    if (this.#active.has(run.id)) return;
    withoutContext(() => this.#start(run, null));
  }

  /** Counts jobs that this process is about to queue. */
  countQueued(count: number): void {
    this.#forecast.countQueued(count);
  }

  /** Free slots for the runs of one project. The reserved tenth is filled only by fair fetching. */
  get #freeForOneProject(): number {
    const { concurrency } = this.parts;
    return this.#free - (concurrency - shareOf(concurrency));
  }

  get #free(): number {
    return this.parts.concurrency - this.#executing.size - this.#reserved;
  }

  /** Stops claiming runs, waits up to `graceMs` for active runs, then returns the rest to the queue. */
  async stop(graceMs: number): Promise<void> {
    this.#isStopping = true;
    this.#unsubscribe();
    this.#notifier.notify();
    await this.#loop;
    if (this.#reserved > 0)
      await new Promise<void>(resolve => {
        this.#onNoneReserved = resolve;
      });
    let timer: NodeJS.Timeout | undefined;
    const grace = new Promise<void>(resolve => {
      timer = setTimeout(resolve, graceMs);
    });
    await Promise.race([Promise.all([...this.#active.values()].map(active => active.done)), grace]);
    clearTimeout(timer);
    await this.#returnActive();
    clearTimeout(this.#renewalTimer);
    this.#renewalTimer = undefined;
    for (const timer of this.#dueTimers.values()) clearTimeout(timer);
  }

  async #work(): Promise<void> {
    while (!this.#isStopping) {
      this.#notifier.listen();
      this.#hasArrivals = false;
      const free = this.#free;
      const claimed = free > 0 ? await this.#logErrors('claiming runs', () => this.#claim(free)) : undefined;
      this.#isIdle = claimed?.isDrained === true && !this.#hasArrivals;
      if (claimed) this.#forecast.countFetched(claimed);
      this.#forecast.notify();
      if (!claimed?.count || this.#isIdle || this.#free <= 0)
        await this.#notifier.wait(POLLING_MS - Math.random() * POLLING_JITTER_MS);
    }
  }

  async #claim(free: number): Promise<{ count: number; isDrained: boolean }> {
    const { queue, queueName, claims, concurrency, database } = this.parts;
    failpoint('claim.before');
    const leaseExpiresAt = leaseFromNow();
    const { jobs, isDrained } = await fetchFairly(queue, queueName, {
      busy: this.#executingByProject(),
      free,
      concurrency,
    });
    if (jobs.length === 0) return { count: 0, isDrained };
    failpoint('claim.fetched');
    const claimed = await claims.claim(jobs.map(job => job.id));
    failpoint('claim.after');
    const byId = new Map(jobs.map(job => [job.id, job]));
    for (const run of claimed) {
      run.leaseExpiresAt = leaseExpiresAt;
      this.#start(run, byId.get(run.id)!);
      byId.delete(run.id);
    }
    // Another process has ended or taken over these runs, so their jobs are obsolete.
    await queue.remove(queueName, [...byId.keys()], database);
    return { count: jobs.length, isDrained };
  }

  /** Counts runs in execution by project. */
  #executingByProject(): Map<number, number> {
    const busy = new Map<number, number>();
    for (const { run } of this.#executing) busy.set(run.projectId, (busy.get(run.projectId) ?? 0) + 1);
    return busy;
  }

  #start(run: Run, job: FetchedJob | null): void {
    // This process has claimed the run again: the lease of the earlier execution has expired, so it must not write.
    this.#active.get(run.id)?.abort.abort(new Error('the lease of the run was lost'));
    const abort = new AbortController();
    const { bus, cancelTopic, telemetry, kind } = this.parts;
    // A missed cancellation is noticed at the next renewal, because it replaces the token of the run.
    const unsubscribe = bus.subscribe(cancelTopic(run.id), () => abort.abort(new Error('the run was cancelled')));
    const startedAt = performance.now();
    const active: ActiveRun<Run> = { run, job, hasJob: job !== null, startedAt, abort, done: Promise.resolve() };
    // While the database is slow, ends keep their slots, so they do not accumulate.
    const freeSlot = () => {
      if (this.#active.size < 2 * this.parts.concurrency) this.#freeSlot(active);
    };
    this.#active.set(run.id, active);
    this.#executing.add(active);
    active.done = traceRun(telemetry, kind, run, () => this.parts.execute(run, abort.signal, freeSlot))
      .then(suspension => {
        if (suspension) this.#startDueTimer(run.id, suspension.dueInMs);
      })
      .catch(error => this.#handleFailure(run, error, abort.signal))
      .finally(() => {
        unsubscribe();
        if (this.#active.get(run.id) === active) this.#active.delete(run.id);
        this.#freeSlot(active);
      });
    this.#forecast.recordStart();
  }

  #freeSlot(active: ActiveRun<Run>): void {
    if (!this.#executing.delete(active)) return;
    this.#forecast.recordEnd();
    if (!this.#isIdle) this.#notifier.notify();
  }

  /** Schedules the next renewal. Renewals are sequential, so they do not accumulate while the database is slow. */
  #scheduleRenewal(ms: number): void {
    this.#renewalTimer = setTimeout(async () => {
      const isRenewed = await this.#logErrors('renewing leases', () => this.#renew().then(() => true));
      if (this.#renewalTimer !== undefined) this.#scheduleRenewal(isRenewed ? RENEW_MS : RENEW_RETRY_MS);
    }, ms);
  }

  /** Returns a run to the queue after a retryable database error. The failed attempt is not counted. */
  async #handleFailure(run: Run, error: unknown, signal: AbortSignal): Promise<void> {
    const { log } = this.parts;
    if (signal.aborted) return;
    if (!isRetryableDatabaseError(error)) return log.error({ err: error, runId: run.id }, 'run execution failed');
    log.warn({ err: error, runId: run.id }, 'database error; returning the run to the queue');
    await whenReachable(() => this.#release([run]), signal).catch(failure => {
      if (!signal.aborted) log.error({ err: failure, runId: run.id }, 'returning the run to the queue failed');
    });
  }

  async #release(runs: Run[]): Promise<void> {
    const { database, claims, queue, queueName } = this.parts;
    await database.transaction(async sql => {
      const heldIds = new Set(await claims.returnToQueue(runs, sql));
      await queue.release(
        queueName,
        runs.filter(run => heldIds.has(run.id)),
        sql,
      );
    }, LEASE_STATEMENT);
  }

  /** Renews the jobs of these runs. Returns the ids of the runs that this process still holds. */
  async renew(runs: readonly Run[]): Promise<Set<string>> {
    const wanted = new Set(runs);
    const held = [...this.#active.values()].filter(({ run }) => wanted.has(run));
    // Before the first statement, because a concurrent renewal may create the job of a run.
    const jobless = held.filter(({ hasJob }) => !hasJob);
    const heldIds = await this.#renewJobs(held.filter(({ hasJob }) => hasJob));
    // Last, because a failure must not prevent the renewal of the other runs.
    if (jobless.length > 0) await this.parts.claims.createJobs?.(jobless.map(({ run }) => run));
    for (const active of jobless) active.hasJob = true;
    return new Set([...heldIds, ...(await this.#renewJobs(jobless))]);
  }

  async #renewJobs(held: readonly ActiveRun<Run>[]): Promise<Set<string>> {
    const { queue, queueName, claims } = this.parts;
    const leaseExpiresAt = leaseFromNow();
    const fetched = held.flatMap(({ job }) => (job ? [job] : []));
    const unfetched = held.filter(({ job }) => job === null).map(({ run }) => run.id);
    const renewed = new Set([
      ...(fetched.length > 0 ? await queue.touch(queueName, fetched) : []),
      ...(unfetched.length > 0 ? await queue.postponeDirectStarts(queueName, unfetched) : []),
    ]);
    const current = held.map(({ run }) => run).filter(({ id }) => renewed.has(id));
    const heldIds = new Set(current.length > 0 ? await claims.findHeld(current) : []);
    for (const run of current) if (heldIds.has(run.id)) run.leaseExpiresAt = leaseExpiresAt;
    return heldIds;
  }

  async #renew(): Promise<void> {
    const limit = performance.now() - MIN_AGE_MS;
    const held = [...this.#active.values()].filter(({ hasJob, startedAt }) => hasJob || startedAt < limit);
    const heldIds = await this.renew(held.map(({ run }) => run));
    // A run that ended during the statement is no longer in the map. Only active runs can have lost their job.
    for (const { run, abort } of held) {
      if (heldIds.has(run.id) || this.#active.get(run.id)?.run !== run) continue;
      this.parts.telemetry.metrics.countLostLease(this.parts.kind);
      abort.abort(new Error('the lease of the run was lost'));
    }
  }

  /** Polls when a waiting run is due, if that is before the next regular poll. */
  #startDueTimer(id: string, dueInMs: number | null): void {
    if (dueInMs === null || dueInMs > MAX_DUE_TIMER_MS || this.#dueTimers.has(id) || this.#isStopping) return;
    const poll = () => {
      this.#dueTimers.delete(id);
      failpoint('wake.due');
      this.#notifier.notify();
    };
    // One millisecond late, because a poll before the due time finds nothing.
    this.#dueTimers.set(id, setTimeout(poll, Math.max(0, dueInMs) + 1));
  }

  async #returnActive(): Promise<void> {
    const remaining = [...this.#active.values()];
    if (remaining.length === 0) return;
    for (const { abort } of remaining) abort.abort(new Error('the worker stops'));
    await Promise.all(remaining.map(active => active.done));
    await this.#release(remaining.map(active => active.run)).catch((err: unknown) => {
      this.parts.log.warn({ err }, 'returning runs failed; other workers claim them when their leases expire');
    });
  }

  /** Logs an error instead of throwing it, for example while the database is unavailable. The loop must continue. */
  async #logErrors<T>(what: string, work: () => Promise<T>): Promise<T | undefined> {
    try {
      return await work();
    } catch (error) {
      this.parts.queue.recordDatabaseError(error);
      this.parts.log.warn({ err: error }, `${what} failed; trying again`);
      return undefined;
    }
  }
}
