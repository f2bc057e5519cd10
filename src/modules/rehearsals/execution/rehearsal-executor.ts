import { WORKER_LOST } from '../../../durable/dead-letters.js';
import type { ReplayRecord } from '../../../engine/workflow/history/replay-record.js';
import { derivedUuid } from '../../../platform/crypto/uuid.js';
import { type Sql, whenReachable } from '../../../platform/database/database.js';
import { isRetryableDatabaseError } from '../../../platform/database/database-errors.js';
import type { Log } from '../../../platform/logging/log.js';
import { recordRunEnd } from '../../../platform/tracing/work-context.js';
import type { ModelsOfRun } from '../../provider-keys/project-models.js';
import type { RecordedRun, RecordedRuns } from '../../workflow-runs/replay/recorded-runs.js';
import type { Revision, RevisionStore } from '../../workflows/revision-store.js';
import { readNumberedRevisions } from '../numbered-revisions.js';
import { RehearsalKind, RehearsalVerdict, RehearsedRunOutcome } from '../rehearsal.js';
import { Bisection, changesBetween, findingOf, recordAfter, revisionAfter } from './bisection.js';
import { endOf, isSameEnd } from './compare-runs.js';
import { RehearsalBudget } from './rehearsal-budget.js';
import { type ClaimedRehearsal, RehearsalLostError } from './rehearsal-claims.js';
import type { RehearsalRunRow } from './rehearsal-records.js';
import { withNodeChange } from './rehearsed-graph.js';
import { RunRehearsal, type RunRehearsalParts } from './run-rehearsal.js';
import { type RehearsedEnd, unavailableReport } from './run-report.js';

/** Maximum number of attempts before a rehearsal fails permanently. */
const MAX_ATTEMPTS = 5;
/** Maximum number of runs of one rehearsal that are executed concurrently. */
const PARALLEL_RUNS = 4;

interface ExecutorParts extends RunRehearsalParts {
  database: Sql;
  runs: RecordedRuns;
  revisions: RevisionStore;
  modelsOf: (projectId: number) => ModelsOfRun;
  log: Log;
}

/** A rehearsal that cannot be executed to its end. The message is shown to users. */
class RehearsalError extends Error {}

/** Executes claimed rehearsals. It resumes from the records of an earlier worker. */
export class RehearsalExecutor {
  constructor(private readonly parts: ExecutorParts) {}

  /** Resolves when the rehearsal has ended or its lease is lost. Throws an error that another attempt may resolve. */
  async execute(rehearsal: ClaimedRehearsal, signal: AbortSignal): Promise<undefined> {
    const { log } = this.parts;
    try {
      if (rehearsal.attempts > MAX_ATTEMPTS)
        return await this.#fail(rehearsal, WORKERS_LOST_MESSAGE, signal, WORKER_LOST);
      await new Execution(this.parts, rehearsal, signal).run();
      recordRunEnd({ outcome: 'succeeded' });
    } catch (error) {
      if (error instanceof RehearsalLostError || signal.aborted) return;
      if (error instanceof RehearsalError) return await this.#fail(rehearsal, error.message, signal);
      if (isRetryableDatabaseError(error)) throw error;
      log.error({ err: error, rehearsalId: rehearsal.id }, 'rehearsal failed');
      if (rehearsal.attempts < MAX_ATTEMPTS) throw error;
      return await this.#fail(rehearsal, 'The rehearsal failed for an internal reason.', signal);
    }
  }

  async #fail(
    rehearsal: ClaimedRehearsal,
    error: string,
    signal: AbortSignal,
    code = 'rehearsal_failed',
  ): Promise<undefined> {
    await whenReachable(() => this.parts.claims.fail(rehearsal, error), signal);
    recordRunEnd({ outcome: 'failed', error: code });
  }
}

const WORKERS_LOST_MESSAGE = `The workers of the rehearsal stopped responding ${MAX_ATTEMPTS} times.`;

/** One execution of one rehearsal by this worker. */
class Execution {
  readonly #models: ModelsOfRun;
  /** Aborts with the error of the first comparison that fails, so that no other one makes calls during the next attempt. */
  readonly #failure = new AbortController();
  readonly #signal: AbortSignal;

  constructor(
    private readonly parts: ExecutorParts,
    private readonly rehearsal: ClaimedRehearsal,
    signal: AbortSignal,
  ) {
    this.#signal = AbortSignal.any([signal, this.#failure.signal]);
    const { budgetUsd, spentUsd, projectId } = rehearsal;
    this.#models = new RehearsalBudget(budgetUsd, spentUsd).limit(parts.modelsOf(projectId));
  }

  run(): Promise<void> {
    return this.rehearsal.kind === RehearsalKind.BISECT ? this.#bisect() : this.#compareAll();
  }

  async #compareAll(): Promise<void> {
    const { records, claims } = this.parts;
    const rows = await this.#whenReachable(() => records.readRuns(this.rehearsal.id));
    const outcomes = rows.flatMap(({ outcome }) => (outcome === null ? [] : [outcome]));
    const open = rows.filter(({ outcome }) => outcome === null).values();
    // The parallel loops share one iterator, so that each row is compared once.
    const compareRows = async () => {
      try {
        for (const row of open) {
          this.#signal.throwIfAborted();
          outcomes.push(await this.#compare(row));
        }
      } catch (error) {
        this.#failure.abort(error);
      }
    };
    await Promise.all(Array.from({ length: PARALLEL_RUNS }, compareRows));
    this.#failure.signal.throwIfAborted();
    await this.#whenReachable(() => claims.finish(this.rehearsal, { verdict: verdictOf(outcomes), finding: null }));
  }

  async #compare(row: RehearsalRunRow): Promise<RehearsedRunOutcome> {
    const original = await this.#whenReachable(() => this.parts.runs.load(row.runId));
    const revision = original && (await this.#revisionOf(row, original));
    const { outcome, report } = revision
      ? await this.#rehearse(row, original, revision, [original.record])
      : {
          outcome: RehearsedRunOutcome.INCOMPLETE,
          report: unavailableReport(original ? 'The revision of the run does not have the node.' : EXPIRED),
        };
    await this.#whenReachable(() => this.parts.records.endRun(this.rehearsal, row.id, { outcome, report }));
    return outcome;
  }

  async #revisionOf({ revisionId }: RehearsalRunRow, original: RecordedRun): Promise<Revision | undefined> {
    const { change } = this.rehearsal.settings;
    if (change) return withNodeChange(original.revision, change);
    return this.#whenReachable(() => this.parts.revisions.get(revisionId!));
  }

  #rehearse(
    { id: rowId }: Pick<RehearsalRunRow, 'id'>,
    original: RecordedRun,
    revision: Revision,
    records: readonly ReplayRecord[],
  ): Promise<RehearsedEnd> {
    const target = { rowId, original, revision, records, models: this.#models };
    return new RunRehearsal(this.parts, this.rehearsal, target, this.#signal).execute();
  }

  async #bisect(): Promise<void> {
    const { claims, revisions, records, database } = this.parts;
    const { settings, id, workflowId } = this.rehearsal;
    const [good, bad] = await Promise.all([this.#load(settings.goodRunId!), this.#load(settings.badRunId!)]);
    const numbered = await this.#whenReachable(() => readNumberedRevisions(database, workflowId));
    const bisection = new Bisection(changesBetween(good, bad, numbered));
    const rows = await this.#whenReachable(() => records.readRuns(id));
    for (let next = bisection.next, position = 1; next !== undefined; next = bisection.next, position++) {
      const revisionId = revisionAfter(good, bisection.changes, next);
      const row = rows[position - 1] ?? (await this.#addReplay(position, { runId: bad.id, revisionId }));
      const record = recordAfter(good, bad, bisection.changes, next);
      const isBad = row.report?.isBad ?? (await this.#replay(row, bad, [record, good.record]));
      bisection.settle(next, isBad);
    }
    // The culprit is the change number `count`, from 1. Without changes, both revisions are that of the good run.
    const count = bisection.culprit ? bisection.changes.indexOf(bisection.culprit) + 1 : 1;
    const [before, after] = await Promise.all(
      [count - 1, count].map(each => revisions.get(revisionAfter(good, bisection.changes, each))),
    );
    const finding = findingOf(bisection, { before: before!, after: after! });
    await this.#whenReachable(() => claims.finish(this.rehearsal, { verdict: null, finding }));
  }

  async #load(runId: string): Promise<RecordedRun> {
    const run = await this.#whenReachable(() => this.parts.runs.load(runId));
    if (!run) throw new RehearsalError(`Run ${runId}: ${EXPIRED}`);
    return run;
  }

  async #addReplay(position: number, replay: { runId: string; revisionId: number }): Promise<RehearsalRunRow> {
    const { records } = this.parts;
    const row = { ...replay, id: derivedUuid(`${this.rehearsal.id}\n${position}`), position };
    await this.#whenReachable(() => records.addRun(this.rehearsal, row));
    return { ...row, outcome: null, report: null };
  }

  /** Replays the input of the bad run and returns true if its end is that of the bad run. */
  async #replay(row: RehearsalRunRow, bad: RecordedRun, records: readonly ReplayRecord[]): Promise<boolean> {
    const revision = await this.#whenReachable(() => this.parts.revisions.get(row.revisionId!));
    const { outcome, report, end } = await this.#rehearse(row, bad, revision, records);
    if (outcome === RehearsedRunOutcome.INCOMPLETE || !end)
      throw new RehearsalError(
        `The replay of revision ${revision.number} stopped before a call that is held back, that the budget does not cover, or that would send a secret of the run to another host. Allow the call, raise the budget or select another run.`,
      );
    const isBad = isSameEnd(endOf(bad.masked)!, end);
    await this.#whenReachable(() =>
      this.parts.records.endRun(this.rehearsal, row.id, { outcome, report: { ...report, isBad } }),
    );
    return isBad;
  }

  #whenReachable<T>(work: () => Promise<T>): Promise<T> {
    return whenReachable(work, this.#signal);
  }
}

const EXPIRED = 'The results of the run have expired or were deleted.';

/** Returns the verdict of the worst run. */
function verdictOf(outcomes: readonly RehearsedRunOutcome[]): RehearsalVerdict {
  if (outcomes.includes(RehearsedRunOutcome.FAILED)) return RehearsalVerdict.FAILED;
  if (outcomes.includes(RehearsedRunOutcome.INCOMPLETE)) return RehearsalVerdict.INCOMPLETE;
  const isUnchanged = outcomes.every(outcome => outcome === RehearsedRunOutcome.UNCHANGED);
  return isUnchanged ? RehearsalVerdict.UNCHANGED : RehearsalVerdict.CHANGED;
}
