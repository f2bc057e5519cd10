import { type Database, LEASE_STATEMENT, type Sql, whenReachable } from '../platform/database/database.js';
import { isRetryableDatabaseError } from '../platform/database/database-errors.js';
import type { Log } from '../platform/logging/log.js';
import type { Bus } from '../platform/messaging/bus.js';
import { Notifier } from '../platform/messaging/notifier.js';
import type { RunKind } from '../platform/metrics/metrics.js';
import { failpoint } from '../platform/testing/failpoint.js';
import type { Telemetry } from '../platform/tracing/telemetry.js';
import { withoutContext } from '../platform/tracing/work-context.js';
import { fetchFairly, shareOf } from './fair-fetch.js';
import { type FetchedJob, HEARTBEAT_SECONDS, type Queue } from './queue.js';
import { type RunTelemetry, traceRun } from './trace-runs.js';

/** Whoever waits is looked for this often even when nothing rang: a lost notification costs no more than this. */
const BACKSTOP_MS = 1_000;
const RENEW_MS = (HEARTBEAT_SECONDS * 1_000) / 4;
/** After a renewal that failed. */
const RENEW_AGAIN_MS = 500;
/** Runs that are due later than this are left to the next look at the queue. */
const LONGEST_ALARM_MS = 2_000;

/** A run that waits is to be executed again after this; `dueInMs` null: when something wakes it. */
export interface Suspension {
  dueInMs: number | null;
}

/** Who executes the runs of one kind: rows with a fencing token. */
export interface Claims<Run> {
  /** Takes the runs of fetched jobs. Runs that have ended, and those that another process executes, are left out. */
  claim(ids: string[]): Promise<Run[]>;
  /** The ids of the runs whose fencing tokens are still ours. After a fail-over two workers may have fetched the same job. */
  ours(runs: Run[]): Promise<string[]>;
  /** Gives runs back to the queue; the answer holds the ids that were still ours to give. */
  handBack(runs: Run[], sql: Sql): Promise<string[]>;
}

export interface RunWorkerParts<Run> {
  queue: Queue;
  database: Database;
  bus: Bus;
  log: Log;
  telemetry: Telemetry;
  kind: RunKind;
  /** Runs that this process executes at the same time. */
  concurrency: number;
  queueName: string;
  claims: Claims<Run>;
  /** Resolves when the run has ended, waits or is no longer ours; `signal` aborts it without an end. */
  execute(run: Run, signal: AbortSignal): Promise<Suspension | undefined>;
  /** The topic on which the worker hears that the run was cancelled. */
  cancelTopic(id: string): string;
}

/** Places kept for runs that are about to be written as claimed by this process. One of the two ends it. */
export interface RunSlots<Run> {
  count: number;
  /** Executes the runs, which are written: at most `count`. */
  begin(runs: readonly Run[]): void;
  release(): void;
}

/** A run that this process executes as long as its job is renewed. */
export type ClaimableRun = RunTelemetry & {
  projectId: number;
  /** Until then the job is ours, by this process's own clock (`performance.now()`). */
  heldUntil?: number;
};

interface ActiveRun<Run> {
  run: Run;
  /** Null: this process began the run without fetching its job. */
  job: FetchedJob | null;
  abort: AbortController;
  done: Promise<void>;
}

/**
 * Executes runs of one kind: fetches as many jobs as it has free places, claims their runs, sends heartbeats while they are
 * executed, and lets go of them. A run completes its job in the transaction that ends it.
 */
export class RunWorker<Run extends ClaimableRun> {
  readonly #active = new Map<string, ActiveRun<Run>>();
  #stopping = false;
  /** Whether the queue had nothing more to give when it was last looked at, and nothing has arrived since. */
  #isIdle = false;
  #hasArrivals = false;
  /** Places kept for runs that are being written. */
  #kept = 0;
  #whenNoneKept: () => void = () => {};
  readonly #bell = new Notifier();
  #renewing: NodeJS.Timeout | undefined;
  #loop: Promise<void> | undefined;
  /** Waiting runs whose time comes soon. */
  readonly #alarms = new Map<string, NodeJS.Timeout>();
  #unsubscribe: () => void = () => {};

  constructor(private readonly parts: RunWorkerParts<Run>) {}

  get kind(): RunKind {
    return this.parts.kind;
  }

  start(): void {
    this.#unsubscribe = this.parts.queue.onArrival(this.parts.queueName, () => {
      this.#isIdle = false;
      this.#hasArrivals = true;
      this.#bell.notify();
    });
    this.#loop = this.#work();
    this.#renewIn(RENEW_MS);
  }

  /** Runs under way now. */
  get active(): number {
    return this.#active.size;
  }

  /** Whether somebody who asked for a place now would be kept one. */
  get hasPlaces(): boolean {
    return this.#isIdle && !this.#stopping && this.#freeForOne > 0;
  }

  /**
   * Keeps places for runs that this process is about to write: as many as are free while nobody waits in the queue, whom
   * they would overtake. A worker that is not there or stops keeps none.
   */
  keepPlaces(most: number): RunSlots<Run> {
    const count = this.hasPlaces ? Math.min(most, this.#freeForOne) : 0;
    if (count < most) this.#isIdle = false;
    this.#kept += count;
    const release = () => {
      this.#kept -= count;
      if (this.#kept === 0) this.#whenNoneKept();
    };
    return {
      count,
      begin: runs => {
        withoutContext(() => {
          for (const run of runs) this.#begin(run, null);
        });
        release();
      },
      release,
    };
  }

  /** The places beyond one project's share are given by turns alone. */
  get #freeForOne(): number {
    const { concurrency } = this.parts;
    return this.#free - (concurrency - shareOf(concurrency));
  }

  get #free(): number {
    return this.parts.concurrency - this.#active.size - this.#kept;
  }

  /** Takes no more runs, lets those under way finish within `graceMs`, then hands the rest back to the queue. */
  async stop(graceMs: number): Promise<void> {
    this.#stopping = true;
    this.#unsubscribe();
    this.#bell.notify();
    await this.#loop;
    if (this.#kept > 0)
      await new Promise<void>(resolve => {
        this.#whenNoneKept = resolve;
      });
    let timer: NodeJS.Timeout | undefined;
    const grace = new Promise<void>(resolve => {
      timer = setTimeout(resolve, graceMs);
    });
    await Promise.race([Promise.all([...this.#active.values()].map(active => active.done)), grace]);
    clearTimeout(timer);
    await this.#handBack();
    clearTimeout(this.#renewing);
    this.#renewing = undefined;
    for (const alarm of this.#alarms.values()) clearTimeout(alarm);
  }

  async #work(): Promise<void> {
    while (!this.#stopping) {
      this.#bell.listen();
      this.#hasArrivals = false;
      const free = this.#free;
      const taken = free > 0 ? await this.#guarded('claiming runs', () => this.#take(free)) : undefined;
      this.#isIdle = taken?.isDrained === true && !this.#hasArrivals;
      if (!taken?.count || this.#free <= 0) await this.#bell.wait(BACKSTOP_MS);
    }
  }

  async #take(free: number): Promise<{ count: number; isDrained: boolean }> {
    const { queue, queueName, claims, concurrency, database } = this.parts;
    failpoint('claim.before');
    const heldUntil = leaseFromNow();
    const { jobs, isDrained } = await fetchFairly(queue, queueName, { busy: this.#busy(), free, concurrency });
    if (jobs.length === 0) return { count: 0, isDrained };
    failpoint('claim.fetched');
    const claimed = await claims.claim(jobs.map(job => job.id));
    failpoint('claim.after');
    const byId = new Map(jobs.map(job => [job.id, job]));
    for (const run of claimed) {
      run.heldUntil = heldUntil;
      this.#begin(run, byId.get(run.id)!);
      byId.delete(run.id);
    }
    // The job of a run that another process ended or took over is done.
    await queue.complete(queueName, [...byId.keys()], database);
    return { count: jobs.length, isDrained };
  }

  /** Runs under way, by project. */
  #busy(): Map<number, number> {
    const busy = new Map<number, number>();
    for (const { run } of this.#active.values()) busy.set(run.projectId, (busy.get(run.projectId) ?? 0) + 1);
    return busy;
  }

  #begin(run: Run, job: FetchedJob | null): void {
    // Claimed again by ourselves: the earlier execution outlived its lease and may write no more.
    this.#active.get(run.id)?.abort.abort(new Error('the lease of the run was lost'));
    const abort = new AbortController();
    const { bus, cancelTopic, telemetry, kind } = this.parts;
    const unsubscribe = bus.subscribe(cancelTopic(run.id), () => abort.abort(new Error('the run was cancelled')));
    const done = traceRun(telemetry, kind, run, () => this.parts.execute(run, abort.signal))
      .then(suspension => {
        if (suspension) this.#wakeIn(run.id, suspension.dueInMs);
      })
      .catch(error => this.#givenUp(run, error, abort.signal))
      .finally(() => {
        unsubscribe();
        if (this.#active.get(run.id)?.run === run) this.#active.delete(run.id);
        if (!this.#isIdle) this.#bell.notify();
      });
    this.#active.set(run.id, { run, job, abort, done });
  }

  /** One renewal follows another: while the database holds up the one, no more of them wait for it. */
  #renewIn(ms: number): void {
    this.#renewing = setTimeout(async () => {
      const isRenewed = await this.#guarded('renewing leases', () => this.#renew().then(() => true));
      if (this.#renewing !== undefined) this.#renewIn(isRenewed ? RENEW_MS : RENEW_AGAIN_MS);
    }, ms);
  }

  /** A run that the database got in the way of goes back to the queue, and its attempt does not count. */
  async #givenUp(run: Run, error: unknown, signal: AbortSignal): Promise<void> {
    const { log } = this.parts;
    if (signal.aborted) return;
    if (!isRetryableDatabaseError(error)) return log.error({ err: error, runId: run.id }, 'a run was given up');
    log.warn({ err: error, runId: run.id }, 'the database refused; a run goes back to the queue');
    await whenReachable(() => this.#release([run]), signal).catch(failure => {
      if (!signal.aborted) log.error({ err: failure, runId: run.id }, 'a run was given up');
    });
  }

  async #release(runs: Run[]): Promise<void> {
    const { database, claims, queue, queueName } = this.parts;
    await database.transaction(async sql => {
      const ours = new Set(await claims.handBack(runs, sql));
      await queue.release(
        queueName,
        runs.filter(run => ours.has(run.id)),
        sql,
      );
    }, LEASE_STATEMENT);
  }

  /** Renews the jobs of these runs. Returns the ids of those that are still ours. */
  async renew(runs: readonly Run[]): Promise<Set<string>> {
    const { queue, queueName, claims } = this.parts;
    const heldUntil = leaseFromNow();
    const held = runs.flatMap(run => {
      const active = this.#active.get(run.id);
      return active?.run === run ? [active] : [];
    });
    const fetched = held.flatMap(({ job }) => (job ? [job] : []));
    const begun = held.filter(({ job }) => job === null).map(({ run }) => run.id);
    const renewed = new Set([
      ...(fetched.length > 0 ? await queue.touch(queueName, fetched) : []),
      ...(begun.length > 0 ? await queue.renewHeld(queueName, begun) : []),
    ]);
    const ours = new Set(await claims.ours(held.map(({ run }) => run).filter(({ id }) => renewed.has(id))));
    for (const { run } of held) if (ours.has(run.id)) run.heldUntil = heldUntil;
    return ours;
  }

  async #renew(): Promise<void> {
    const held = [...this.#active.values()];
    if (held.length === 0) return;
    const ours = await this.renew(held.map(({ run }) => run));
    // A run that ended while the statement ran is no longer in the map: only those still active have lost their job.
    for (const { run, abort } of held) {
      if (ours.has(run.id) || this.#active.get(run.id)?.run !== run) continue;
      this.parts.telemetry.metrics.countLostLease(this.parts.kind);
      abort.abort(new Error('the lease of the run was lost'));
    }
  }

  /** Looks for a waiting run at its time when that comes before the next look at all of them. */
  #wakeIn(id: string, dueInMs: number | null): void {
    if (dueInMs === null || dueInMs > LONGEST_ALARM_MS || this.#alarms.has(id) || this.#stopping) return;
    const ring = () => {
      this.#alarms.delete(id);
      failpoint('wake.due');
      this.#bell.notify();
    };
    // A little late rather than early: one that is looked for before its time is not claimed.
    this.#alarms.set(id, setTimeout(ring, Math.max(0, dueInMs) + 1));
  }

  async #handBack(): Promise<void> {
    const rest = [...this.#active.values()];
    if (rest.length === 0) return;
    for (const { abort } of rest) abort.abort(new Error('the worker stops'));
    await Promise.all(rest.map(active => active.done));
    await this.#release(rest.map(active => active.run));
  }

  /** A fault of one round (the database is away) must not end the loop: the next round tries again. */
  async #guarded<T>(what: string, work: () => Promise<T>): Promise<T | undefined> {
    try {
      return await work();
    } catch (error) {
      this.parts.queue.noteRefusal(error);
      this.parts.log.warn({ err: error }, `${what} failed; trying again`);
      return undefined;
    }
  }
}

/** How long a job that is renewed now is surely held. */
export function leaseFromNow(): number {
  return performance.now() + HEARTBEAT_SECONDS * 1_000;
}
