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
import { type ApprovalRow, approvalsTopic } from '../execution/run-approvals.js';
import { type ClaimedRun, LeaseLostError, RUN_QUEUE, type RunClaims } from '../execution/run-claims.js';
import { type RecordRow, recordRuns, recordRunsSql } from './record-runs.sql.js';
import { firstSequenceOf, type JournalEvent } from './run-journal.js';
import type { LedgerRow } from './run-ledger.js';
import { toStored } from './stored-events.js';

/** What a run reports at once: events with their ledger rows, and perhaps its end. */
export interface RunRecord {
  run: Pick<ClaimedRun, 'id' | 'token' | 'sequence' | 'projectId' | 'parentRunId' | 'marketWorkflowId'>;
  /** Empty only where the journal has the run's end already and the row does not: then `end` comes without events. */
  events: JournalEvent[];
  sealedContents: string | null;
  ledger: LedgerRow[];
  costUsd: string;
  /** Reservations of calls that `ledger` charges, or that cost nothing. */
  settled: string[];
  /** Requests for approval among the events. */
  approvals: ApprovalRow[];
  /** Milliseconds that workers have spent on the run so far. */
  workedMs: number;
  /**
   * `isOfEvents`: the result is what the events of the journal make, so that its entries need not be stored. `finishedAt`:
   * when it ended elsewhere; absent or null: now.
   */
  end: {
    state: 'succeeded' | 'failed' | 'cancelled';
    result: RunResult;
    isOfEvents?: true;
    finishedAt?: Date | null;
  } | null;
}

const RETRY_MS = 200;

/** Of one statement: one that takes longer than its deadline would be refused at every try, with all the runs in it. */
const MAX_BATCH_CHARACTERS = 4_000_000;

/** Writes what runs report, many runs in one statement, and only for as long as their leases are ours. */
export class RunRecorder {
  readonly #batches: Batcher<RunRecord, boolean>;
  #text: string | undefined;

  constructor(
    private readonly database: Database,
    private readonly claims: RunClaims,
    private readonly queue: Queue,
    private readonly webhooks: Pick<WebhookOutbox, 'wakeSql'>,
    private readonly srPerUsd: string,
  ) {
    this.#batches = new Batcher(records => this.#write(records), {
      concurrency: 2,
      maxBatch: 100,
      weight: { max: MAX_BATCH_CHARACTERS, of: ({ events, end }, max) => textWeight([events, end], max) },
      isolate: error => !isRetryableDatabaseError(error),
    });
  }

  /** Resolves after the commit. Throws LeaseLostError when another worker has taken the run, or it has ended. */
  async record(record: RunRecord, signal: AbortSignal): Promise<void> {
    for (;;) {
      try {
        if (await this.#batches.add(record)) return;
        throw new LeaseLostError();
      } catch (error) {
        // While the database is away nothing can be decided; the lease runs out by its clock, not by ours.
        if (!isRetryableDatabaseError(error) || signal.aborted) throw error;
        await new Promise(resolve => setTimeout(resolve, RETRY_MS));
      }
    }
  }

  /** Who waits for a run that has ended hears of it in the transaction that ends it. */
  async #write(records: RunRecord[]): Promise<boolean[]> {
    failpoint('record.before');
    // Fees lock projects that are nobody's here: their ends are written apart from what others report.
    const parts = [records.filter(record => !owesFee(record)), records.filter(owesFee)].filter(part => part.length > 0);
    const written = new Map<RunRecord, boolean>();
    for (const part of parts) {
      const answers = part.some(needsTransaction)
        ? await this.database.transactionByKey(sql => this.writeWithin(sql, part))
        : await this.writeWithin(this.database, part);
      part.forEach((record, index) => {
        written.set(record, answers[index]!);
      });
    }
    failpoint('record.after');
    return records.map(record => written.get(record) ?? false);
  }

  /** The same within the caller's transaction; tells which records were written. */
  async writeWithin(sql: Sql, records: RunRecord[]): Promise<boolean[]> {
    await chargeFees(sql, records.filter(owesFee));
    const written = await this.#statement(sql, records);
    await addDeadLetters(this.queue, 'workflow', deadLettersOf(records.filter((_, index) => written[index])), sql);
    const parents = records.flatMap(({ run, end }, index) =>
      end && run.parentRunId && written[index] ? [run.parentRunId] : [],
    );
    if (parents.length > 0) {
      failpoint('record.before-parents');
      await this.claims.signal([...new Set(parents)], sql);
    }
    return written;
  }

  async #statement(sql: Sql, given: RunRecord[]): Promise<boolean[]> {
    // In the order of their ids: two batches that share rows never wait for each other in a circle.
    const records = given.toSorted((a, b) => (a.run.id < b.run.id ? -1 : 1));
    this.#text ??= recordRunsSql({
      jobs: this.queue.statements(RUN_QUEUE),
      woken: this.webhooks.wakeSql('deliveries'),
    });
    const rows = await recordRuns(sql, {
      text: this.#text,
      rows: records.map(rowOf),
      topics: Bus.payloads(records.flatMap(topicsOf)),
      srPerUsd: this.srPerUsd,
    });
    const written = new Map(rows.map(row => [row.id, row.written]));
    return given.map(record => written.get(record.run.id) ?? false);
  }
}

/** As it is written. */
function rowOf({ run, events, end, ...record }: RunRecord): RecordRow {
  const first = firstSequenceOf(run, events);
  return {
    run_id: run.id,
    token: run.token,
    first_sequence: first,
    last_sequence: events.at(-1)?.sequence ?? first,
    events: events.length > 0 ? toStored(events) : null,
    sealed_contents: record.sealedContents,
    end_state: end?.state ?? null,
    result: end ? storedResultOf(end) : null,
    cost_usd: record.costUsd,
    worked_ms: Math.round(record.workedMs),
    finished_at: end?.finishedAt ?? null,
    ledger: record.ledger,
    settled: record.settled,
    approvals: record.approvals,
  };
}

function storedResultOf({ result, isOfEvents }: NonNullable<RunRecord['end']>): object {
  const { data: _, ...rest } = result;
  return isOfEvents ? rest : toStoredResult(result);
}

/** The end of a run of a marketplace copy: whether it is free shows when it is charged. */
function owesFee({ run, end }: RunRecord): boolean {
  return end !== null && run.marketWorkflowId !== null;
}

/** The end of a sub-run wakes the run that waits for it; a run whose workers died leaves a dead letter. */
function needsTransaction(record: RunRecord): boolean {
  const { end, run } = record;
  return owesFee(record) || (end !== null && (run.parentRunId !== null || end.result.error?.code === WORKER_LOST));
}

function topicsOf({ run, approvals }: RunRecord): string[] {
  return [
    `run:${run.id}`,
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
