import { addDeadLetters, type NewDeadLetter, WORKER_LOST } from '../../../durable/dead-letters.js';
import type { Queue } from '../../../durable/queue.js';
import type { RunResult } from '../../../engine/workflow/run/progress.js';
import { toStoredResult } from '../../../engine/workflow/run/stored-result.js';
import type { Database, Sql } from '../../../platform/database/database.js';
import { isRetryableDatabaseError } from '../../../platform/database/database-errors.js';
import { Bus } from '../../../platform/messaging/bus.js';
import { Batcher } from '../../../platform/sql/batcher.js';
import { textWeight } from '../../../platform/sql/text-weight.js';
import { failpoint } from '../../../platform/testing/failpoint.js';
import { activityTopic } from '../../projects/activity-topic.js';
import type { WebhookOutbox } from '../../webhooks/webhook-outbox.js';
import { chargeFees } from '../admission/run-fees.js';
import { type ApprovalRow, approvalsTopic } from '../approvals/run-approvals.js';
import { FailureListeners } from '../execution/failure-listeners.js';
import { type ClaimedRun, LeaseLostError, RUN_QUEUE, type RunClaims } from '../execution/run-claims.js';
import { type RecordRow, recordRuns, recordRunsSql } from './record-runs.sql.js';
import { firstSequenceOf, type JournalEvent, runTopic } from './run-journal.js';
import type { LedgerRow } from './run-ledger.js';
import { toStored } from './stored-events.js';

/** The queue of failed runs whose workflow names an error workflow or whose failure listeners handle. The id of a job is the id of its run. */
export const ERROR_HANDLER_QUEUE = 'workflow-error-handler';

/** One report of a run: events with their ledger rows, and possibly the end of the run. */
export interface RunRecord {
  run: Pick<ClaimedRun, 'id' | 'token' | 'sequence' | 'projectId' | 'parentRunId' | 'marketWorkflowId'>;
  /**
   * Empty only when the journal already contains the end of the run but the row does not. In that case `end` comes
   * without events.
   */
  events: JournalEvent[];
  sealedContents: string | null;
  ledger: LedgerRow[];
  costUsd: string;
  /** Ids of reservations of calls that `ledger` charges or that cost nothing. */
  settled: string[];
  /** Approval requests among the events. */
  approvals: ApprovalRow[];
  /** Milliseconds that workers have spent on the run so far. */
  workedMs: number;
  /**
   * `isDerivedFromEvents`: the result follows from the events, the last of which contains the output, so it is not stored.
   * `finishedAt`: when the run ended elsewhere. Default: now.
   */
  end: {
    state: 'succeeded' | 'failed' | 'cancelled';
    result: RunResult;
    isDerivedFromEvents?: true;
    /** Other workflows may be started because of the failure. */
    hasErrorHandler?: true;
    finishedAt?: Date | null;
  } | null;
}

const RETRY_MS = 200;
/** A statement that takes longer, for example because it waits for a lock, does not delay the reports of other runs any more. */
const SLOW_MS = 50;

/** Limit per statement. A statement that exceeds its deadline fails on every attempt, together with all of its runs. */
const MAX_BATCH_CHARACTERS = 4_000_000;

/** Writes the reports of runs, many runs per statement, and only while this process holds their leases. */
export class RunRecorder {
  readonly #batches: Batcher<RunRecord, boolean>;
  #text: string | undefined;

  constructor(
    private readonly database: Database,
    private readonly claims: RunClaims,
    private readonly queue: Queue,
    private readonly webhooks: Pick<WebhookOutbox, 'wakeSql'>,
    private readonly srPerUsd: string,
    private readonly failures = new FailureListeners(),
  ) {
    this.#batches = new Batcher(records => this.#write(records), {
      concurrency: 2,
      overlapAfterMs: SLOW_MS,
      maxBatch: 100,
      weight: { max: MAX_BATCH_CHARACTERS, of: ({ events, end }, max) => textWeight([events, end], max) },
      isolate: error => !isRetryableDatabaseError(error),
    });
  }

  /**
   * Writes a report and resolves after the commit. Throws LeaseLostError when the run has ended or belongs to
   * another worker.
   */
  async record(record: RunRecord, signal: AbortSignal): Promise<void> {
    for (;;) {
      try {
        if (await this.#batches.add(record)) return;
        throw new LeaseLostError();
      } catch (error) {
        // While the database is unavailable the lease cannot be checked. It expires by the clock of the database,
        // not of this process.
        if (!isRetryableDatabaseError(error) || signal.aborted) throw error;
        await new Promise(resolve => setTimeout(resolve, RETRY_MS));
      }
    }
  }

  /** Writes a batch of reports. The transaction that ends a run also notifies the run that waits for it. */
  async #write(reported: RunRecord[]): Promise<boolean[]> {
    failpoint('record.before');
    const records = await this.#withListeners(this.database, reported);
    // Fees lock the projects of authors. Runs with fees are therefore written separately from all others.
    const parts = [records.filter(record => !owesFee(record)), records.filter(owesFee)].filter(part => part.length > 0);
    const written = new Map<RunRecord, boolean>();
    for (const part of parts) {
      const results = part.some(needsTransaction)
        ? await this.database.transactionByKey(sql => this.#writeAll(sql, part))
        : await this.#writeAll(this.database, part);
      part.forEach((record, index) => {
        written.set(record, results[index]!);
      });
    }
    failpoint('record.after');
    return records.map(record => written.get(record) ?? false);
  }

  /** Writes reports within the caller's transaction. Returns for each report whether it was written. */
  async writeWithin(sql: Sql, records: RunRecord[]): Promise<boolean[]> {
    return this.#writeAll(sql, await this.#withListeners(sql, records));
  }

  /** Marks failures that listeners handle. Costs a query only for batches with failures. */
  async #withListeners(sql: Sql, records: RunRecord[]): Promise<RunRecord[]> {
    const isRootFailure = ({ run, end }: RunRecord) => end?.state === 'failed' && run.parentRunId === null;
    const projectIds = new Set(records.filter(isRootFailure).map(({ run }) => run.projectId));
    const watched = await this.failures.filterWatched(sql, [...projectIds]);
    return records.map(record =>
      record.end && isRootFailure(record) && watched.has(record.run.projectId)
        ? { ...record, end: { ...record.end, hasErrorHandler: true } }
        : record,
    );
  }

  async #writeAll(sql: Sql, records: RunRecord[]): Promise<boolean[]> {
    const parents = records.flatMap(({ run, end }) => (end && run.parentRunId ? [run.parentRunId] : []));
    if (parents.length > 0) {
      // Parents are locked before their sub-runs, as in a cancellation, so that the two cannot deadlock. A parent whose sub-run is
      // then not written checks its waits once more.
      await this.claims.signal([...new Set(parents)], sql);
      failpoint('record.after-parents');
    }
    await chargeFees(sql, records.filter(owesFee));
    const written = await this.#execute(sql, records);
    await addDeadLetters(this.queue, 'workflow', deadLettersOf(records.filter((_, index) => written[index])), sql);
    const failed = records.filter(({ end }, index) => end?.hasErrorHandler && written[index]);
    const jobs = failed.map(({ run: { id, projectId } }) => ({ id, group: { id: String(projectId) } }));
    if (jobs.length > 0) await this.queue.send(ERROR_HANDLER_QUEUE, jobs, sql);
    return written;
  }

  async #execute(sql: Sql, unsorted: RunRecord[]): Promise<boolean[]> {
    // Reports are sorted by run id, so that two batches with common rows cannot deadlock.
    const records = unsorted.toSorted((a, b) => (a.run.id < b.run.id ? -1 : 1));
    this.#text ??= recordRunsSql({
      jobs: this.queue.statements(RUN_QUEUE),
      webhookJobs: this.webhooks.wakeSql('deliveries'),
    });
    const rows = await recordRuns(sql, {
      text: this.#text,
      rows: records.map(rowOf),
      topics: Bus.payloads(records.flatMap(topicsOf)),
      srPerUsd: this.srPerUsd,
    });
    const written = new Map(rows.map(row => [row.id, row.written]));
    return unsorted.map(record => written.get(record.run.id) ?? false);
  }
}

/** Converts a report into a row of the statement. */
function rowOf({ run, events, end, ...record }: RunRecord): RecordRow {
  const first = firstSequenceOf(run, events);
  return {
    run_id: run.id,
    token: run.token,
    first_sequence: first,
    last_sequence: events.at(-1)?.sequence ?? first,
    events: events.length > 0 ? toStored(events, run.id) : null,
    sealed_contents: record.sealedContents,
    end_state: end?.state ?? null,
    result: end === null || end.isDerivedFromEvents ? null : toStoredResult(end.result),
    cost_usd: record.costUsd,
    worked_ms: Math.round(record.workedMs),
    finished_at: end?.finishedAt ?? null,
    ledger: record.ledger,
    settled: record.settled,
    approvals: record.approvals,
  };
}

/** Whether the report ends a run of a marketplace copy. Charging its fee decides whether the run was one of the free ones. */
function owesFee({ run, end }: RunRecord): boolean {
  return end !== null && run.marketWorkflowId !== null;
}

/**
 * Whether a report needs a transaction: the end of a sub-run wakes its parent, lost workers leave a dead letter, and
 * a failure may start another workflow.
 */
function needsTransaction(record: RunRecord): boolean {
  const { end, run } = record;
  if (end?.hasErrorHandler) return true;
  return owesFee(record) || (end !== null && (run.parentRunId !== null || end.result.error?.code === WORKER_LOST));
}

function topicsOf({ run, approvals }: RunRecord): string[] {
  return [
    runTopic(run.id),
    activityTopic(run.projectId),
    ...(approvals.length > 0 ? [approvalsTopic(run.projectId)] : []),
  ];
}

function deadLettersOf(records: readonly RunRecord[]): NewDeadLetter[] {
  return records.flatMap(({ run: { id, projectId }, end }) => {
    const error = end?.result.error;
    return error?.code === WORKER_LOST ? [{ id, projectId, subjectId: id, error: error.message }] : [];
  });
}
