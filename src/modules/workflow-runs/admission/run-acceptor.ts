import type { Queue } from '../../../durable/queue.js';
import { heldFromNow, type KeptPlaces } from '../../../durable/run-worker.js';
import type { RunResult } from '../../../engine/workflow/run/progress.js';
import { toStoredResult } from '../../../engine/workflow/run/stored-result.js';
import type { Database, Sql } from '../../../platform/database/database.js';
import { isDataFault } from '../../../platform/database/database-errors.js';
import { UnavailableError } from '../../../platform/errors/errors.js';
import type { Log } from '../../../platform/logging/log.js';
import { Bus } from '../../../platform/messaging/bus.js';
import { Batcher } from '../../../platform/sql/batcher.js';
import { textWeight } from '../../../platform/sql/text-weight.js';
import { failpoint } from '../../../platform/testing/failpoint.js';
import { presentTraceparent } from '../../../platform/tracing/scope.js';
import { activityTopic } from '../../projects/activity-topic.js';
import type { WebhookOutbox } from '../../webhooks/webhook-outbox.js';
import { type ClaimedRun, RUN_QUEUE, type RunHead } from '../execution/run-claims.js';
import type { JournalEvent } from '../journal/run-journal.js';
import type { LedgerRow } from '../journal/run-ledger.js';
import { toStored } from '../journal/stored-events.js';
import { INSERT_ENDED_RUNS, INSERT_RUNS, type InsertedRun } from './insert-runs.js';

/** Runs that may wait for their commit in this process; beyond, callers are told to come again. */
const MAX_WAITING = 5_000;
const MAX_BATCH_CHARACTERS = 4_000_000;

/**
 * A run about to be recorded. `failed` without a ledger is one that was refused: it has its result at once and never starts.
 */
export interface NewRun {
  id: string;
  projectId: number;
  workflowId: number | null;
  revisionId: number;
  userId: number | null;
  parentRunId?: string | null;
  ancestry?: readonly number[];
  forkedFromId?: string | null;
  state: 'queued' | 'draft' | 'failed' | 'succeeded';
  /** Secret fields hold the mask. */
  input: Record<string, unknown>;
  sealedInput: string | null;
  result: unknown;
  /** Of a run that was executed before it is recorded: its nodes, which cost nothing. */
  ledger?: LedgerRow[];
  /** Its first events: what a fork takes over, or all of them. */
  journal?: { events: JournalEvent[]; sealedContents: string | null };
  /** About how many runs of its project it comes after; absent: none. */
  turn?: number;
  /** The trace that it is accepted in; set by the acceptor. */
  traceparent?: string | undefined;
  /** Of a run without a workflow: its revision, written with it, and what its request was, in hexadecimals. */
  /** What was executed before it is recorded: written if the worker of this process begins it at once. */
  head?: RunHead;
  graph?: {
    data: Record<string, unknown>;
    sealedSecrets: string | null;
    digest: string;
    marketTermsId: number | null;
  };
}

/**
 * Takes runs in. Those that arrive together are written by one transaction, rows and jobs alike; each caller
 * is answered after the commit that holds its own row.
 */
export class RunAcceptor {
  readonly #batches: Batcher<NewRun, boolean>;
  #worker: RunWorker | undefined;

  constructor(
    private readonly database: Database,
    private readonly queue: Queue,
    private readonly webhooks: WebhookOutbox,
    private readonly srPerUsd: string,
    private readonly log: Log,
  ) {
    this.#batches = new Batcher(runs => this.#write(runs), {
      lanes: 2,
      maxBatch: 200,
      // A statement that takes longer than its deadline fails every run in it.
      weight: { max: MAX_BATCH_CHARACTERS, of: (run, max) => textWeight(payloadsOf(run), max) },
      isolate: isDataFault,
    });
  }

  /** From here on this process executes what it accepts, as long as it has places. */
  executeWith(worker: RunWorker): void {
    this.#worker = worker;
  }

  /** Whether a run that is accepted now is likely to begin at once. */
  get beginsAtOnce(): boolean {
    return this.#worker?.hasPlaces === true;
  }

  /** False when there is a run of this id already, which stays as it is. */
  async accept(run: NewRun): Promise<boolean> {
    if (this.#batches.waiting >= MAX_WAITING)
      throw new UnavailableError('Too many runs are being accepted at once.', 1);
    const traceparent = presentTraceparent();
    return this.#batches.add(traceparent === undefined ? run : { ...run, traceparent });
  }

  async #write(runs: NewRun[]): Promise<boolean[]> {
    const first = new Map<string, NewRun>();
    for (const run of runs) if (!first.has(run.id)) first.set(run.id, run);
    const given = [...first.values()];
    const claimable = given.filter(run => run.state === 'queued' && !run.parentRunId);
    const places = claimable.length > 0 ? this.#worker?.keepPlaces(claimable.length) : undefined;
    const claimed = new Set(claimable.slice(0, places?.count ?? 0));
    const heldUntil = heldFromNow();
    const inserted = await this.#insert(given, claimed).catch(error => {
      places?.release();
      throw error;
    });
    failpoint('accept.after-commit');
    const rows = new Map(inserted.map(row => [row.id, row]));
    places?.begin([...claimed].flatMap(run => (rows.has(run.id) ? [claimOf(run, rows.get(run.id)!, heldUntil)] : [])));
    return runs.map(run => first.get(run.id) === run && rows.has(run.id));
  }

  /** Runs that have ended already need no job: one statement is all. */
  async #insert(runs: readonly NewRun[], claimed: ReadonlySet<NewRun>): Promise<InsertedRun[]> {
    const rows = runs.map(run => rowOf(run, claimed.has(run)));
    const topics = Bus.payloads(runs.map(run => activityTopic(run.projectId)));
    const values = [JSON.stringify(rows), topics];
    const insert = (sql: Sql) =>
      runs.some(run => run.ledger)
        ? sql.byKey<InsertedRun>('insert-ended-runs', INSERT_ENDED_RUNS, [...values, this.srPerUsd])
        : sql.byKey<InsertedRun>('insert-runs', INSERT_RUNS, values);
    const unfinished = runs.filter(run => run.state === 'queued');
    if (unfinished.length > 0)
      return this.database.transaction(async sql => {
        const inserted = await insert(sql);
        const isInserted = new Set(inserted.map(({ id }) => id));
        const jobs = unfinished.filter(run => isInserted.has(run.id));
        await this.queue.acceptHeld(
          RUN_QUEUE,
          jobs.filter(run => claimed.has(run)),
          sql,
        );
        await this.queue.accept(
          RUN_QUEUE,
          jobs.filter(run => !claimed.has(run)),
          sql,
        );
        await this.webhooks.wake(inserted[0]?.toWake ?? [], sql);
        failpoint('accept.before-commit');
        return inserted;
      });
    failpoint('accept.before-commit');
    const inserted = await insert(this.database);
    // The runs are there, whatever becomes of this: deliveries that nobody was woken for are found by the sweep.
    await this.webhooks
      .wake(inserted[0]?.toWake ?? [], this.database)
      .catch(error => this.log.warn({ err: error }, 'waking webhooks failed; their sweep will find them'));
    return inserted;
  }
}

/** The worker of this process, when there is one. */
interface RunWorker {
  readonly hasPlaces: boolean;
  keepPlaces(most: number): KeptPlaces<ClaimedRun>;
}

/** What may be large of it. */
function payloadsOf({ input, result, journal, head, graph }: NewRun): unknown[] {
  return [input, result, (head ?? journal)?.events, graph?.data];
}

/** As it is written. Somebody else begins at the beginning. */
function rowOf({ head, ...run }: NewRun, isClaimed: boolean): object {
  const journal = isClaimed && head ? head : run.journal;
  return {
    ...run,
    ...(journal ? { journal: { events: toStored(journal.events), sealedContents: journal.sealedContents } } : {}),
    ...(run.ledger ? { result: toStoredResult(run.result as RunResult) } : {}),
    ...(isClaimed ? { state: 'running' } : {}),
    ...(isClaimed && head ? { ledger: head.ledger } : {}),
  };
}

/** A run as its first claim finds it. */
function claimOf(
  run: NewRun,
  { token, createdAt, marketWorkflowId, runFee }: InsertedRun,
  heldUntil: number,
): ClaimedRun {
  return {
    heldUntil,
    id: run.id,
    token,
    attempts: 1,
    sequence: (run.head ?? run.journal)?.events.length ?? 0,
    projectId: run.projectId,
    revisionId: run.revisionId,
    createdAt,
    workflowId: run.workflowId,
    userId: run.userId,
    parentRunId: null,
    ancestry: [...(run.ancestry ?? [])],
    signals: 0,
    workedMs: 0,
    isOrphan: false,
    marketWorkflowId,
    runFee,
    costUsd: '0',
    input: run.input,
    sealedInput: run.sealedInput,
    traceparent: run.traceparent ?? null,
    ...(run.head ? { head: run.head } : {}),
  };
}
