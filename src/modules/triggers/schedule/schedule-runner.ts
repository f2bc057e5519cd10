import type { Worker } from '../../../durable/worker.js';
import { isTerminal } from '../../../engine/status.js';
import { derivedUuid } from '../../../platform/crypto/uuid.js';
import type { Database, Sql } from '../../../platform/database/database.js';
import { expression, queryBuilder } from '../../../platform/database/typed-queries.js';
import { DomainError, NotFoundError } from '../../../platform/errors/errors.js';
import type { Log } from '../../../platform/logging/log.js';
import { failpoint } from '../../../platform/testing/failpoint.js';
import type { WorkflowRunService } from '../../workflow-runs/history/workflow-run.service.js';
import { type StoredTrigger, selectTriggers, toSchedule } from '../stored-trigger.js';
import type { ScheduleSettings } from '../trigger-settings.js';
import type { Firing, TriggerStarts } from '../trigger-starts.js';
import type { TriggerTables } from '../trigger-tables.js';
import { TriggerOverlap } from '../workflow-trigger.type.js';
import { selectOccurrences } from './occurrence-policy.js';
import { dueOccurrences, nextOccurrence, startTime } from './schedule.js';

/** The longest time between two looks for due schedules, in milliseconds. */
const POLLING_MS = 1_000;
/** Time until an occurrence that could not start is tried again. Schedules of other projects continue meanwhile. */
const RETRY_MS = 5_000;
/** Schedules that one pass starts. The rest follow at once in the next pass. */
const MAX_PER_PASS = 50;
/** Occurrences of one schedule that one pass handles; older ones are missed without an entry in the log. */
const MAX_OCCURRENCES = 200;

/**
 * Starts the runs of schedules. The row of a schedule is locked while its due occurrences are started, so one process handles
 * it at a time. The id of a run is derived from the schedule and the occurrence: if the process ends before its transaction
 * commits, the repeated start has no effect.
 */
export class ScheduleRunner {
  readonly kind = 'schedule';
  #timer: NodeJS.Timeout | undefined;
  #pass: Promise<void> | undefined;
  #isStopped = false;

  constructor(
    private readonly database: Database,
    private readonly starts: TriggerStarts,
    private readonly runs: WorkflowRunService,
    private readonly log: Log,
    /** The time of the database, which all processes share. */
    private readonly now: () => Promise<Date> = () => databaseTime(database),
  ) {}

  start(): void {
    this.#schedulePass(0);
  }

  async stop(): ReturnType<Worker['stop']> {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    await this.#pass;
  }

  #schedulePass(ms: number): void {
    this.#timer = setTimeout(() => {
      this.#pass = this.#runPass();
    }, ms);
  }

  async #runPass(): Promise<void> {
    let pause = POLLING_MS;
    try {
      pause = await this.runDue();
    } catch (error) {
      this.log.warn({ err: error }, 'starting scheduled runs failed; trying again');
    }
    if (!this.#isStopped) this.#schedulePass(pause);
  }

  /** Starts the due schedules. Returns the milliseconds until the next pass. */
  async runDue(): Promise<number> {
    const now = await this.now();
    for (let handled = 0; handled < MAX_PER_PASS; handled++) {
      const isHandled = await this.database.transaction(sql => this.#runNext(sql, now));
      if (!isHandled) return this.#untilNext(now);
    }
    return 0;
  }

  /**
   * Handles the schedule that has been due longest, else an occurrence that waits for the end of its previous run. Returns false
   * when there is neither, apart from those that other processes handle.
   */
  async #runNext(sql: Sql, now: Date): Promise<boolean> {
    const trigger = await selectTriggers(sql)
      .where('t.is_enabled', '=', true)
      .where('w.archived_at', 'is', null)
      .where('t.start_at', '<=', now)
      .orderBy('t.start_at')
      .limit(1)
      .forUpdate('t')
      .skipLocked()
      .executeTakeFirst();
    if (trigger) {
      await this.#runOccurrences(sql, trigger, now);
      return true;
    }
    return this.#runWaiting(sql);
  }

  async #runOccurrences(sql: Sql, trigger: StoredTrigger, now: Date): Promise<void> {
    const settings = trigger.settings as unknown as ScheduleSettings;
    const schedule = toSchedule(settings);
    const startOf = (occurrence: Date) => startTime(trigger.id, occurrence, settings.jitterSeconds);
    const passed = dueOccurrences(schedule, trigger.nextAt!, now, MAX_OCCURRENCES);
    // With jitter, occurrences that have passed may start later.
    const later = passed.findIndex(occurrence => startOf(occurrence) > now);
    const due = later < 0 ? passed : passed.slice(0, later);
    const selection = selectOccurrences(due, now, startOf, settings.missed, settings.maxMissed);
    const state: TriggerState = {
      ...{ lastRunId: trigger.lastRunId, waitingAt: trigger.waitingAt },
      firings: selection.skip.map(dueAt => ({ dueAt, outcome: 'skipped', reason: 'It was missed.' })),
    };
    const delayed = await this.#runAll(trigger, settings, selection.start, state);
    const next = delayed ?? (later < 0 ? nextOccurrence(schedule, due.at(-1) ?? trigger.nextAt!) : passed[later]!);
    failpoint('schedule.before-commit');
    const startAt = delayed ? new Date(now.getTime() + RETRY_MS) : next && startOf(next);
    await this.#save(sql, trigger, state, { next_at: next, start_at: startAt });
  }

  /** Starts occurrences until one cannot start now, for example because the queue of its project is full. Returns that one. */
  async #runAll(
    trigger: StoredTrigger,
    settings: ScheduleSettings,
    occurrences: readonly Date[],
    state: TriggerState,
  ): Promise<Date | undefined> {
    for (const dueAt of occurrences) {
      try {
        await this.#runOccurrence(trigger, settings, dueAt, state);
      } catch (error) {
        if (!(error instanceof DomainError)) throw error;
        this.log.warn({ err: error, triggerId: trigger.id }, 'a scheduled run could not start; trying again');
        return dueAt;
      }
    }
    return undefined;
  }

  /** Applies the policy for a previous run that has not ended, then starts the run. */
  async #runOccurrence(
    trigger: StoredTrigger,
    { overlap }: ScheduleSettings,
    dueAt: Date,
    state: TriggerState,
  ): Promise<void> {
    const isBusy =
      overlap !== TriggerOverlap.ALLOW &&
      (state.waitingAt !== null || (await this.#isUnfinished(trigger, state.lastRunId)));
    if (isBusy && overlap === TriggerOverlap.QUEUE && state.waitingAt === null) {
      state.waitingAt = dueAt;
      state.firings.push({ dueAt, outcome: 'waiting' });
    } else if (isBusy && overlap !== TriggerOverlap.CANCEL_PREVIOUS) {
      state.firings.push({ dueAt, outcome: 'skipped', reason: 'The previous run has not ended.' });
    } else {
      if (isBusy) await this.#cancel(trigger, state.lastRunId!);
      await this.#startRun(trigger, dueAt, state);
    }
  }

  async #startRun(trigger: StoredTrigger, dueAt: Date, state: TriggerState): Promise<void> {
    const start = await this.starts.start(trigger, {}, derivedUuid(`trigger ${trigger.id} ${dueAt.toISOString()}`));
    failpoint('schedule.after-start');
    state.firings.push({ dueAt, ...start });
    if (start.outcome === 'started') state.lastRunId = start.runId;
  }

  /** Starts one waiting occurrence whose previous run has ended. Returns false when there is none. */
  async #runWaiting(sql: Sql): Promise<boolean> {
    const waiting = await selectTriggers(sql)
      .where('t.is_enabled', '=', true)
      .where('w.archived_at', 'is', null)
      .where('t.waiting_at', 'is not', null)
      .where(
        't.last_run_id',
        'not in',
        // Unfinished runs for which a schedule waits.
        queryBuilder<TriggerTables>(sql)
          .selectFrom('workflow_run')
          .innerJoin('workflow_trigger as schedule', 'schedule.last_run_id', 'workflow_run.id')
          .select('workflow_run.id')
          .where('schedule.waiting_at', 'is not', null)
          .where('workflow_run.state', 'in', ['queued', 'running', 'waiting']),
      )
      // In any order, so that a project whose queue is full does not hold up the others.
      .orderBy(expression`random()`)
      .limit(1)
      .forUpdate('t')
      .skipLocked()
      .executeTakeFirst();
    if (!waiting) return false;
    const state: TriggerState = { lastRunId: waiting.lastRunId, waitingAt: null, firings: [] };
    await this.#startRun(waiting, waiting.waitingAt!, state);
    await this.#save(sql, waiting, state, {});
    return true;
  }

  async #save(
    sql: Sql,
    { id }: StoredTrigger,
    { lastRunId, waitingAt, firings }: TriggerState,
    next: { next_at?: Date | null; start_at?: Date | null },
  ): Promise<void> {
    await queryBuilder<TriggerTables>(sql)
      .updateTable('workflow_trigger')
      .set({ last_run_id: lastRunId, waiting_at: waitingAt, ...next })
      .where('id', '=', id)
      .execute();
    await this.starts.insertFirings(
      sql,
      firings.map(firing => ({ triggerId: id, ...firing })),
    );
  }

  async #isUnfinished(trigger: StoredTrigger, runId: string | null): Promise<boolean> {
    if (runId === null) return false;
    const viewer = await this.starts.viewerOf(trigger);
    if (!viewer) return false;
    try {
      return !isTerminal((await this.runs.get(viewer, runId)).state);
    } catch (error) {
      // A deleted run has ended.
      if (error instanceof NotFoundError) return false;
      throw error;
    }
  }

  async #cancel(trigger: StoredTrigger, runId: string): Promise<void> {
    const viewer = await this.starts.viewerOf(trigger);
    if (viewer) await this.runs.cancel(viewer, runId, trigger.workflowId);
  }

  async #untilNext(now: Date): Promise<number> {
    const row = await queryBuilder<TriggerTables>(this.database)
      .selectFrom('workflow_trigger')
      .select('start_at as startAt')
      .where('is_enabled', '=', true)
      .where('start_at', '>', now)
      .orderBy('start_at')
      .limit(1)
      .executeTakeFirst();
    const wait = row?.startAt ? row.startAt.getTime() - now.getTime() : POLLING_MS;
    return Math.min(Math.max(wait, 1), POLLING_MS);
  }
}

async function databaseTime(database: Database): Promise<Date> {
  const { now } = await queryBuilder<object>(database)
    .selectNoFrom(expression<Date>`now()`.as('now'))
    .executeTakeFirstOrThrow();
  return now;
}

/** The changes that occurrences make to their schedule. */
interface TriggerState {
  lastRunId: string | null;
  waitingAt: Date | null;
  firings: Omit<Firing, 'triggerId'>[];
}
