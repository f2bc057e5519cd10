import { Bell } from './bell.js';
import type { Bus } from './bus.js';
import type { Database, Sql } from './database.js';
import { failpoint } from './failpoint.js';
import type { Log } from './log.js';
import type { RunKind } from './metrics.js';
import type { Queue } from './queue.js';
import { forNobody } from './scope.js';
import type { Telemetry } from './telemetry.js';
import { type ToldRun, watchRun } from './watch-runs.js';

/** How long a lease lasts without being renewed: a dead worker's run goes on elsewhere after that. */
export const LEASE_SECONDS = 10;

/**
 * SQL condition: a lease has lapsed. A database that comes back after longer than leases last gives their holders time to
 * renew them: they are at work, and nothing of theirs is to be done again.
 */
export const LAPSED_SQL = `(lease_until < now() and pg_postmaster_start_time() < now() - interval '5 seconds')`;

/** A wake-up that nobody took within this time is sent again. */
const STRANDED_SECONDS = 15;
const REAP_MS = 2_000;
/** The queue is looked at this often even when nothing rang: a lost notification costs no more than this. */
const BACKSTOP_MS = 1_000;
const RENEW_MS = (LEASE_SECONDS * 1_000) / 4;
const MAX_FETCH = 100;

/** A run that waits is to be executed again after this; `dueInMs` null: at nobody's time. */
export interface Suspension {
  dueInMs: number | null;
}

/** Leases of one kind of runs, by the database's clock. A job's id is the id of the run it is for. */
export interface Leases<Run> {
  /** Takes the runs of `ids` that are free. */
  claim(ids: string[]): Promise<Run[]>;
  /** Prolongs the leases; the answer holds the ids that are still ours. */
  renew(runs: Run[]): Promise<Set<string>>;
  /** Gives runs back to the queue; the answer holds the ids that were still ours to give. */
  handBack(runs: Run[], sql: Sql): Promise<string[]>;
  /** Runs whose worker died, and those whose wake-up was sent so long ago that it must be lost. */
  stranded(queuedForSeconds: number): Promise<string[]>;
  /** Waiting runs whose time comes within `ms`; absent: runs of this kind never wait. */
  due?(ms: number): Promise<{ id: string; dueInMs: number }[]>;
}

export interface LeasedRunsParts<Run> {
  queue: Queue;
  database: Database;
  bus: Bus;
  log: Log;
  telemetry: Telemetry;
  kind: RunKind;
  /** Runs that this process executes at the same time. */
  concurrency: number;
  queueName: string;
  leases: Leases<Run>;
  /** Sends wake-ups in the transaction of `sql`. */
  wake(ids: string[], sql: Sql): Promise<void>;
  /** Resolves when the run has ended, waits or is no longer ours; `signal` aborts it without an end. */
  execute(run: Run, signal: AbortSignal): Promise<Suspension | undefined>;
  /** The topic on which the worker hears that the run was cancelled. */
  cancelTopic(id: string): string;
}

/** Places kept for runs that are about to be written as claimed by this process. One of the two ends it. */
export interface KeptPlaces<Run> {
  count: number;
  /** Executes the runs, which are written: at most `count`. */
  begin(runs: readonly Run[]): void;
  release(): void;
}

interface ActiveRun<Run> {
  run: Run;
  abort: AbortController;
  done: Promise<void>;
}

/**
 * Executes runs: fetches as many wake-ups as there are free places, claims their runs under leases in one statement and
 * acknowledges the jobs. From there the lease carries the run, not the job.
 */
export class LeasedRuns<Run extends ToldRun> {
  readonly #active = new Map<string, ActiveRun<Run>>();
  #stopping = false;
  /** Whether the queue had nothing more to give when it was last looked at, and nothing has arrived since. */
  #isIdle = false;
  #hasArrivals = false;
  /** Places kept for runs that are being written. */
  #kept = 0;
  #whenNoneKept: () => void = () => {};
  readonly #bell = new Bell();
  #loop: Promise<void> | undefined;
  #timers: NodeJS.Timeout[] = [];
  /** Waiting runs whose time comes soon. */
  readonly #alarms = new Map<string, NodeJS.Timeout>();
  #unsubscribe: () => void = () => {};

  constructor(private readonly parts: LeasedRunsParts<Run>) {}

  get kind(): RunKind {
    return this.parts.kind;
  }

  start(): void {
    this.#unsubscribe = this.parts.queue.onArrival(this.parts.queueName, () => {
      this.#isIdle = false;
      this.#hasArrivals = true;
      this.#bell.ring();
    });
    this.#loop = this.#work();
    this.#timers = [
      setInterval(() => void this.#guarded('renewing leases', () => this.#renew()), RENEW_MS),
      setInterval(() => void this.#guarded('reaping', () => this.#reap()), REAP_MS),
    ];
  }

  /** Runs under way now. */
  get active(): number {
    return this.#active.size;
  }

  /**
   * Keeps places for runs that this process is about to write: as many as are free while nobody waits in the queue, whom
   * they would overtake. A worker that is not there or stops keeps none.
   */
  keepPlaces(most: number): KeptPlaces<Run> {
    const count = this.#isIdle && !this.#stopping ? Math.max(0, Math.min(most, this.#free)) : 0;
    if (count < most) this.#isIdle = false;
    this.#kept += count;
    const release = () => {
      this.#kept -= count;
      if (this.#kept === 0) this.#whenNoneKept();
    };
    return {
      count,
      begin: runs => {
        forNobody(() => {
          for (const run of runs) this.#begin(run);
        });
        release();
      },
      release,
    };
  }

  get #free(): number {
    return this.parts.concurrency - this.#active.size - this.#kept;
  }

  /** Takes no more runs, lets those under way finish within `graceMs`, then hands the rest back to the queue. */
  async stop(graceMs: number): Promise<void> {
    this.#stopping = true;
    this.#unsubscribe();
    this.#bell.ring();
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
    for (const each of this.#timers) clearInterval(each);
    for (const alarm of this.#alarms.values()) clearTimeout(alarm);
  }

  async #work(): Promise<void> {
    while (!this.#stopping) {
      this.#bell.listen();
      this.#hasArrivals = false;
      const free = Math.min(this.#free, MAX_FETCH);
      const taken = free > 0 ? await this.#guarded('fetching runs', () => this.#take(free)) : undefined;
      // A full batch means that more may wait; otherwise rest until something rings.
      const isFull = taken === free && this.#free > 0;
      if (taken !== undefined && taken < free && !this.#hasArrivals) this.#isIdle = true;
      if (!isFull) await this.#bell.rest(BACKSTOP_MS);
    }
  }

  async #take(free: number): Promise<number> {
    const { queue, queueName, leases } = this.parts;
    const jobs = await queue.boss.fetch(queueName, { batchSize: free });
    if (jobs.length === 0) return 0;
    const ids = jobs.map(job => job.id);
    failpoint('claim.before');
    const claimed = await leases.claim(ids);
    failpoint('claim.after');
    for (const run of claimed) this.#begin(run);
    await queue.boss.deleteJob(queueName, ids);
    failpoint('claim.acknowledged');
    return jobs.length;
  }

  #begin(run: Run): void {
    // Claimed again by ourselves: the earlier execution outlived its lease and may write no more.
    this.#active.get(run.id)?.abort.abort(new Error('the lease of the run was lost'));
    const abort = new AbortController();
    const { bus, cancelTopic, telemetry, kind } = this.parts;
    const unsubscribe = bus.subscribe(cancelTopic(run.id), () => abort.abort(new Error('the run was cancelled')));
    const done = watchRun(telemetry, kind, run, () => this.parts.execute(run, abort.signal))
      .then(suspension => {
        if (suspension) this.#wakeIn(run.id, suspension.dueInMs);
      })
      .catch(error => {
        if (!abort.signal.aborted) this.parts.log.error({ err: error, runId: run.id }, 'a run was given up');
      })
      .finally(() => {
        unsubscribe();
        if (this.#active.get(run.id)?.run === run) this.#active.delete(run.id);
        if (!this.#isIdle) this.#bell.ring();
      });
    this.#active.set(run.id, { run, abort, done });
  }

  async #renew(): Promise<void> {
    const held = [...this.#active.values()];
    if (held.length === 0) return;
    const ours = await this.parts.leases.renew(held.map(active => active.run));
    // A run that ended while the statement ran is no longer in the map: only those still active have lost their lease.
    for (const { run, abort } of held) {
      if (ours.has(run.id) || this.#active.get(run.id)?.run !== run) continue;
      this.parts.telemetry.metrics.leaseLost(this.parts.kind);
      abort.abort(new Error('the lease of the run was lost'));
    }
  }

  async #reap(): Promise<void> {
    const { leases, wake, database } = this.parts;
    const stranded = (await leases.stranded(STRANDED_SECONDS)).filter(id => !this.#active.has(id));
    if (stranded.length > 0) {
      failpoint('reap.before');
      await wake(stranded, database);
    }
    for (const { id, dueInMs } of (await leases.due?.(REAP_MS)) ?? []) this.#wakeIn(id, dueInMs);
  }

  /** Wakes a waiting run at its time when that comes before the next look at all of them. */
  #wakeIn(id: string, dueInMs: number | null): void {
    if (dueInMs === null || dueInMs > REAP_MS || this.#alarms.has(id) || this.#stopping) return;
    const ring = () => {
      this.#alarms.delete(id);
      failpoint('wake.due');
      void this.#guarded('waking a run', () => this.parts.wake([id], this.parts.database));
    };
    // A little late rather than early: one that is woken before its time is not claimed.
    this.#alarms.set(id, setTimeout(ring, Math.max(0, dueInMs) + 1));
  }

  async #handBack(): Promise<void> {
    const rest = [...this.#active.values()];
    if (rest.length === 0) return;
    for (const { abort } of rest) abort.abort(new Error('the worker stops'));
    await Promise.all(rest.map(active => active.done));
    const { database, leases, wake } = this.parts;
    await database.transaction(async sql => {
      const ids = await leases.handBack(
        rest.map(active => active.run),
        sql,
      );
      if (ids.length > 0) await wake(ids, sql);
    });
  }

  /** A fault of one round (the database is away) must not end the loop: the next round tries again. */
  async #guarded<T>(what: string, work: () => Promise<T>): Promise<T | undefined> {
    try {
      return await work();
    } catch (error) {
      this.parts.log.warn({ err: error }, `${what} failed; trying again`);
      return undefined;
    }
  }
}
