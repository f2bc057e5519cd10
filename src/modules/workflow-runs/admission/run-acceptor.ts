import type { Queue } from '../../../durable/queue.js';
import { leaseFromNow, type RunSlots } from '../../../durable/run-worker.js';
import { toStoredResult } from '../../../engine/workflow/run/stored-result.js';
import type { Database } from '../../../platform/database/database.js';
import { isDataFault } from '../../../platform/database/database-errors.js';
import { UnavailableError } from '../../../platform/errors/errors.js';
import { Bus } from '../../../platform/messaging/bus.js';
import { Batcher } from '../../../platform/sql/batcher.js';
import { textWeight } from '../../../platform/sql/text-weight.js';
import { failpoint } from '../../../platform/testing/failpoint.js';
import { currentTraceparent } from '../../../platform/tracing/work-context.js';
import { activityTopic } from '../../projects/activity-topic.js';
import type { WebhookOutbox } from '../../webhooks/webhook-outbox.js';
import { isHead, type Prefix } from '../execution/prefix.js';
import { type ClaimedRun, RUN_QUEUE } from '../execution/run-claims.js';
import { toStored } from '../journal/stored-events.js';
import { type InsertedRun, insertRuns, insertRunsSql, type RunRow } from './insert-runs.sql.js';

/** Runs that may wait for their commit in this process; beyond, callers are told to come again. */
const MAX_WAITING = 5_000;
const MAX_BATCH_CHARACTERS = 4_000_000;

/** A run about to be recorded. */
export interface NewRun
  extends Pick<
    RunRow,
    | 'id'
    | 'projectId'
    | 'workflowId'
    | 'revisionId'
    | 'userId'
    | 'parentRunId'
    | 'ancestry'
    | 'forkedFromId'
    | 'sealedInput'
    | 'result'
    | 'turn'
    | 'traceparent'
  > {
  /** `failed`: it is refused, has its result and never starts. */
  state: 'queued' | 'draft' | 'failed';
  /** Secret fields hold the mask. */
  input: Record<string, unknown>;
  prefix?: Prefix;
  /** Of a run without a workflow: its revision, written with it, and what its request was, in hexadecimals. */
  graph?: {
    data: Record<string, unknown>;
    sealedSecrets: string | null;
    digest: string;
    marketTermsId: number | null;
  };
}

/**
 * Takes runs in. Those that arrive together are written by one statement, rows and jobs alike; each caller is
 * answered after the commit that holds its own row.
 */
export class RunAcceptor {
  readonly #batches: Batcher<NewRun, boolean>;
  readonly #texts: { withEnds?: string; withoutEnds?: string } = {};
  #worker: RunWorker | undefined;

  constructor(
    private readonly database: Database,
    private readonly queue: Queue,
    private readonly webhooks: Pick<WebhookOutbox, 'wakeSql'>,
    private readonly srPerUsd: string,
  ) {
    this.#batches = new Batcher(runs => this.#write(runs), {
      concurrency: 2,
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
    const traceparent = currentTraceparent();
    return this.#batches.add(traceparent === undefined ? run : { ...run, traceparent });
  }

  async #write(runs: NewRun[]): Promise<boolean[]> {
    const first = new Map<string, NewRun>();
    for (const run of runs) if (!first.has(run.id)) first.set(run.id, run);
    const given = [...first.values()];
    const claimable = given.filter(run => isQueued(run) && !run.parentRunId);
    const places = claimable.length > 0 ? this.#worker?.keepPlaces(claimable.length) : undefined;
    const claimed = new Set(claimable.slice(0, places?.count ?? 0));
    const heldUntil = leaseFromNow();
    const inserted = await this.#insert(given, claimed).catch(error => {
      places?.release();
      throw error;
    });
    failpoint('accept.after-commit');
    const rows = new Map(inserted.map(row => [row.id, row]));
    places?.begin([...claimed].flatMap(run => (rows.has(run.id) ? [claimOf(run, rows.get(run.id)!, heldUntil)] : [])));
    return runs.map(run => first.get(run.id) === run && rows.has(run.id));
  }

  #insert(runs: readonly NewRun[], claimed: ReadonlySet<NewRun>): Promise<InsertedRun[]> {
    const withEnds = runs.some(run => run.prefix?.end);
    failpoint('accept.before-commit');
    return insertRuns(this.database, {
      text: this.#statement(withEnds),
      rows: runs.map(run => rowOf(run, claimed.has(run))),
      topics: Bus.payloads(runs.map(run => activityTopic(run.projectId))),
      ...(withEnds ? { srPerUsd: this.srPerUsd } : {}),
    });
  }

  #statement(withEnds: boolean): string {
    const how = withEnds ? 'withEnds' : 'withoutEnds';
    this.#texts[how] ??= insertRunsSql(
      { jobs: this.queue.statements(RUN_QUEUE), woken: this.webhooks.wakeSql('deliveries') },
      withEnds,
    );
    return this.#texts[how];
  }
}

/** The worker of this process, when there is one. */
interface RunWorker {
  readonly hasPlaces: boolean;
  keepPlaces(most: number): RunSlots<ClaimedRun>;
}

/** Whether something of it is left to execute. */
function isQueued({ state, prefix }: NewRun): boolean {
  return state === 'queued' && !prefix?.end;
}

/** What may be large of it. */
function payloadsOf({ input, result, prefix, graph }: NewRun): unknown[] {
  return [input, prefix?.end?.result ?? result, prefix?.events, graph?.data];
}

/** As it is written. */
function rowOf({ prefix, ...run }: NewRun, isClaimed: boolean): RunRow {
  const written = isHead(prefix) && !isClaimed ? undefined : prefix;
  const end = written?.end;
  return {
    ...run,
    state: end?.state ?? (isClaimed ? 'running' : run.state),
    isExecuted: end !== undefined,
    result: end ? toStoredResult(end.result) : run.result,
    ...(written
      ? { events: toStored(written.events), sealedContents: written.sealedContents, ledger: written.ledger }
      : {}),
  };
}

/** A run as its first claim finds it. */
function claimOf(
  run: NewRun,
  { token, createdAt, marketWorkflowId, runFee }: InsertedRun,
  heldUntil: number,
): ClaimedRun {
  const { id, projectId, revisionId, workflowId, userId, input, sealedInput, prefix } = run;
  return {
    ...{ heldUntil, id, token, projectId, revisionId, createdAt, workflowId, userId, marketWorkflowId, runFee },
    ...{ input, sealedInput, attempts: 1, parentRunId: null, signals: 0, workedMs: 0, isOrphan: false, costUsd: '0' },
    sequence: prefix?.events.length ?? 0,
    ancestry: [...(run.ancestry ?? [])],
    traceparent: run.traceparent ?? null,
    ...(isHead(prefix) ? { head: prefix } : {}),
  };
}
