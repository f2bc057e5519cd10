import { type Database, LEASE_STATEMENT, onceReachable, type Sql } from '../platform/database/database.js';
import { isRetryableDatabaseError } from '../platform/database/database-errors.js';
import type { Log } from '../platform/logging/log.js';
import { Bell } from '../platform/messaging/bell.js';
import type { Bus } from '../platform/messaging/bus.js';
import type { RunKind } from '../platform/metrics/metrics.js';
import { failpoint } from '../platform/testing/failpoint.js';
import { forNobody } from '../platform/tracing/scope.js';
import type { Telemetry } from '../platform/tracing/telemetry.js';
import type { Queue } from './queue.js';
import type { TurnRequest } from './turns.js';
import { type ToldRun, watchRun } from './watch-runs.js';

/** How long a lease lasts without being renewed: a dead worker's run goes on elsewhere after that. */
export const LEASE_SECONDS = 10;

/**
 * SQL condition: a lease has lapsed. A database that comes back after longer than leases last gives their holders time to
 * renew them: they are at work, and nothing of theirs is to be done again.
 */
export const LAPSED_SQL = `(lease_until < now() and pg_postmaster_start_time() < now() - interval '5 seconds')`;
/**
 * A process that met a database that refused (read-only, timing out, locked, away) takes over no run for so long after:
 * the holders of leases that lapsed meanwhile are at work, and renew first.
 */
const HOLDERS_FIRST_MS = 5_000;
const REAP_MS = 2_000;
/** Whoever waits is looked for this often even when nothing rang: a lost notification costs no more than this. */
const BACKSTOP_MS = 1_000;
const RENEW_MS = (LEASE_SECONDS * 1_000) / 4;
/** After a renewal that failed. */
const RENEW_AGAIN_MS = 500;
const MAX_CLAIM = 100;
const MAX_SPENT = 500;

/** A run that waits is to be executed again after this; `dueInMs` null: at nobody's time. */
export interface Suspension {
  dueInMs: number | null;
}

/** Leases of one kind of runs, by the database's clock. */
export interface Leases<Run> {
  /** Takes runs that wait for a worker, or whose worker has died, by turns of their projects. */
  claim(request: TurnRequest): Promise<Run[]>;
  /** Prolongs the leases; the answer holds the ids that are still ours. */
  renew(runs: Run[]): Promise<Set<string>>;
  /** Gives runs back to the queue; the answer holds the ids that were still ours to give. */
  handBack(runs: Run[], sql: Sql): Promise<string[]>;
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
  /** Whether a run has a job of its id as its wake-up, which its claim deletes. */
  hasJobs: boolean;
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
 * Executes runs: claims as many as there are free places under leases in one statement, by turns of their projects. The
 * lease carries the run; a wake-up says no more than that there is something to claim.
 */
export class LeasedRuns<Run extends ToldRun & { projectId: number }> {
  readonly #active = new Map<string, ActiveRun<Run>>();
  #stopping = false;
  /** The project that had the last turn. */
  #lastTurn = 0;
  /** Whether the queue had nothing more to give when it was last looked at, and nothing has arrived since. */
  #isIdle = false;
  #hasArrivals = false;
  /** Places kept for runs that are being written. */
  #kept = 0;
  #whenNoneKept: () => void = () => {};
  readonly #bell = new Bell();
  /** When the database last refused a statement of leases, by `performance.now()`. */
  #refusedAt = Number.NEGATIVE_INFINITY;
  #renewing: NodeJS.Timeout | undefined;
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
    this.#renewIn(RENEW_MS);
    this.#timers = [setInterval(() => void this.#guarded('reaping', () => this.#reap()), REAP_MS)];
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
  keepPlaces(most: number): KeptPlaces<Run> {
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
        forNobody(() => {
          for (const run of runs) this.#begin(run);
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
    clearTimeout(this.#renewing);
    this.#renewing = undefined;
    for (const each of this.#timers) clearInterval(each);
    for (const alarm of this.#alarms.values()) clearTimeout(alarm);
  }

  async #work(): Promise<void> {
    while (!this.#stopping) {
      this.#bell.listen();
      this.#hasArrivals = false;
      const room = Math.min(this.#free, MAX_CLAIM);
      const left = room > 0 ? await this.#guarded('claiming runs', () => this.#take(room)) : undefined;
      this.#isIdle = left === 'nothing' && !this.#hasArrivals;
      if (left !== 'more' || this.#free <= 0) await this.#bell.rest(BACKSTOP_MS);
    }
  }

  /** Says what may be left to claim: more at once, more of a project that has its share, or nothing. */
  async #take(room: number): Promise<'more' | 'when one ends' | 'nothing'> {
    const { queue, queueName, hasJobs, leases, concurrency } = this.parts;
    const share = shareOf(concurrency);
    failpoint('claim.before');
    const held = [...this.#active.keys()];
    // As the claim sees them: what ends meanwhile has not made room for it.
    const busy = this.#busy();
    const takesOver = performance.now() - this.#refusedAt > HOLDERS_FIRST_MS;
    const claimed = await leases.claim({ room, after: this.#lastTurn, busy, share, held, takesOver });
    for (const { projectId } of claimed) busy.set(projectId, (busy.get(projectId) ?? 0) + 1);
    const left = Math.max(0, ...busy.values()) >= share ? 'when one ends' : 'nothing';
    if (claimed.length === 0) return left;
    failpoint('claim.after');
    for (const run of claimed) this.#begin(run);
    const projects = new Set(claimed.map(run => run.projectId));
    this.#lastTurn = lastOf([...projects], this.#lastTurn);
    if (hasJobs)
      await queue.boss.deleteJob(
        queueName,
        claimed.map(run => run.id),
      );
    failpoint('claim.acknowledged');
    // One project alone gives all that it has, or all of its share.
    return claimed.length === room || projects.size > 1 ? 'more' : left;
  }

  /** Runs under way, by project. */
  #busy(): Map<number, number> {
    const busy = new Map<number, number>();
    for (const { run } of this.#active.values()) busy.set(run.projectId, (busy.get(run.projectId) ?? 0) + 1);
    return busy;
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
      .catch(error => this.#givenUp(run, error, abort.signal))
      .finally(() => {
        unsubscribe();
        if (this.#active.get(run.id)?.run === run) this.#active.delete(run.id);
        if (!this.#isIdle) this.#bell.ring();
      });
    this.#active.set(run.id, { run, abort, done });
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
    const { log, database, leases, wake } = this.parts;
    if (signal.aborted) return;
    if (!isRetryableDatabaseError(error)) return log.error({ err: error, runId: run.id }, 'a run was given up');
    log.warn({ err: error, runId: run.id }, 'the database refused; a run goes back to the queue');
    const handBack = () =>
      database.transaction(async sql => {
        const ids = await leases.handBack([run], sql);
        if (ids.length > 0) await wake(ids, sql);
      }, LEASE_STATEMENT);
    await onceReachable(handBack, signal).catch(failure => {
      if (!signal.aborted) log.error({ err: failure, runId: run.id }, 'a run was given up');
    });
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
    const { leases, queue, queueName } = this.parts;
    for (const { id, dueInMs } of (await leases.due?.(REAP_MS)) ?? []) this.#wakeIn(id, dueInMs);
    if (this.#active.size >= this.parts.concurrency) return;
    // Wake-ups of runs that were cancelled, or claimed without them, are spent.
    const spent = await queue.boss.fetch(queueName, { batchSize: MAX_SPENT });
    if (spent.length === 0) return;
    await queue.boss.deleteJob(
      queueName,
      spent.map(job => job.id),
    );
    this.#bell.ring();
  }

  /** Looks for a waiting run at its time when that comes before the next look at all of them. */
  #wakeIn(id: string, dueInMs: number | null): void {
    if (dueInMs === null || dueInMs > REAP_MS || this.#alarms.has(id) || this.#stopping) return;
    const ring = () => {
      this.#alarms.delete(id);
      failpoint('wake.due');
      this.#bell.ring();
    };
    // A little late rather than early: one that is looked for before its time is not claimed.
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
    }, LEASE_STATEMENT);
  }

  /** A fault of one round (the database is away) must not end the loop: the next round tries again. */
  async #guarded<T>(what: string, work: () => Promise<T>): Promise<T | undefined> {
    try {
      return await work();
    } catch (error) {
      if (isRetryableDatabaseError(error)) this.#refusedAt = performance.now();
      this.parts.log.warn({ err: error }, `${what} failed; trying again`);
      return undefined;
    }
  }
}

/** The most of a worker's places that one project has: some are left for another's run, however long the first ones take. */
function shareOf(places: number): number {
  return places - Math.floor(places / 10);
}

/** The last one in the round that begins after `previous`. */
function lastOf(projects: readonly number[], previous: number): number {
  const around = projects.filter(project => project <= previous);
  return Math.max(...(around.length > 0 ? around : projects));
}
