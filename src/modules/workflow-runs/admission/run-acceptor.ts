import type { RunSlots } from '../../../durable/assignment/run-slots.js';
import type { Queue } from '../../../durable/queue.js';
import { leaseFromNow } from '../../../durable/queue.js';
import { toStoredResult } from '../../../engine/workflow/run/stored-result.js';
import type { Database } from '../../../platform/database/database.js';
import { isDataFault } from '../../../platform/database/database-errors.js';
import { UnavailableError } from '../../../platform/errors/errors.js';
import { Bus } from '../../../platform/messaging/bus.js';
import { LabeledCounter } from '../../../platform/metrics/labeled-counter.js';
import { Batcher } from '../../../platform/sql/batcher.js';
import { textWeight } from '../../../platform/sql/text-weight.js';
import { failpoint } from '../../../platform/testing/failpoint.js';
import { currentTraceparent } from '../../../platform/tracing/work-context.js';
import { activityTopic } from '../../projects/activity-topic.js';
import type { WebhookOutbox } from '../../webhooks/webhook-outbox.js';
import { isEarlyStart, type Prefix } from '../execution/prefix.js';
import { type ClaimedRun, FIRST_CLAIM, RUN_QUEUE } from '../execution/run-claims.js';
import { toStored } from '../journal/stored-events.js';
import {
  type InsertedParts,
  type InsertedRun,
  insertionName,
  insertRuns,
  insertRunsSql,
  type RunRow,
} from './insert-runs.sql.js';

/** The maximum number of runs that wait for their commit in this process. Further runs are refused. */
const MAX_WAITING = 5_000;
/** Maximum number of runs in one statement. */
const MAX_BATCH = 200;
/** Maximum size of the payloads in one statement. */
const MAX_BATCH_CHARACTERS = 4_000_000;

/** A run to insert. */
export interface NewRun
  extends Pick<
    RunRow,
    | 'id'
    | 'projectId'
    | 'workflowId'
    | 'revisionId'
    | 'userId'
    | 'parentRunId'
    | 'scenarioRunId'
    | 'ancestry'
    | 'forkedFromId'
    | 'sealedInput'
    | 'result'
    | 'runsAhead'
    | 'environment'
    | 'traceparent'
    | 'viewerIsAdmin'
  > {
  /** `failed`: the run is refused, already has its result and never starts. */
  state: 'queued' | 'draft' | 'failed';
  /** Secret fields contain the mask. */
  input: Record<string, unknown>;
  prefix?: Prefix;
  /**
   * The revision of a run without a workflow, inserted with the run. `digest` is the hexadecimal digest of its
   * request.
   */
  graph?: {
    data: Record<string, unknown>;
    sealedSecrets: string | null;
    digest: string;
    marketTermsId: number | null;
  };
}

/**
 * Inserts runs. Concurrent runs share one statement for rows and jobs. A run that starts with its insertion has no job. Each caller
 * gets its response after the commit of its own row.
 */
export class RunAcceptor {
  /** Accepted runs by their start, for a metric. */
  readonly accepted = new LabeledCounter(['start']);
  readonly #batches: Batcher<NewRun, boolean>;
  /** The statements by name. */
  readonly #texts: Record<string, string> = {};
  #slots: SlotProvider | undefined;

  constructor(
    private readonly database: Database,
    private readonly queue: Queue,
    private readonly webhooks: Pick<WebhookOutbox, 'wakeSql'>,
    private readonly srPerUsd: string,
  ) {
    this.#batches = new Batcher(runs => this.#write(runs), {
      // With two statements at once, batches are smaller: webhooks cost PostgreSQL 8% more.
      concurrency: 1,
      maxBatch: MAX_BATCH,
      isHalved: true,
      // A statement that exceeds its deadline fails all of its runs.
      weight: { max: MAX_BATCH_CHARACTERS, of: (run, max) => textWeight(payloadsOf(run), max) },
      isolate: isDataFault,
      admit: runs => this.#admit(runs),
    });
  }

  /** Makes runs start with their insertion while `slots` has free ones. */
  reserveFrom(slots: SlotProvider): void {
    this.#slots = slots;
  }

  /** Whether a run that is accepted now is likely to start immediately. */
  get startsImmediately(): boolean {
    return this.#slots?.startsSoon === true;
  }

  /**
   * Inserts a run. Returns false when the id exists; the existing run remains unchanged. Also returns false when the workflow of a
   * run with `viewerIsAdmin` is no longer as remembered. Throws UnavailableError
   * when too many runs wait for their commit.
   */
  async accept(run: NewRun): Promise<boolean> {
    if (this.#batches.waiting >= MAX_WAITING)
      throw new UnavailableError('This process is accepting too many runs at once. Try again.', 1);
    const traceparent = currentTraceparent();
    return this.#batches.add(traceparent === undefined ? run : { ...run, traceparent });
  }

  /** Waits for slots of the worker if that pays. Returns how many of the runs, in this order, are written now. */
  async #admit(runs: readonly NewRun[]): Promise<number> {
    const claimable = runs.filter(isClaimable).length;
    if (claimable === 0 || !this.#slots?.admit) return runs.length;
    let admitted = await this.#slots.admit(claimable);
    const end = runs.findIndex(run => isClaimable(run) && admitted-- === 0);
    return end === -1 ? runs.length : end;
  }

  async #write(runs: NewRun[]): Promise<boolean[]> {
    const first = new Map<string, NewRun>();
    for (const run of runs) if (!first.has(run.id)) first.set(run.id, run);
    const unique = [...first.values()];
    const claimable = unique.filter(isClaimable);
    const slots = claimable.length > 0 ? this.#slots?.reserveSlots(claimable.length) : undefined;
    const claimed = new Set(claimable.slice(0, slots?.count ?? 0));
    this.#slots?.countQueued?.(unique.filter(isQueued).length - claimed.size);
    // Taken before the insertion, so that the lease ends before another process can take the run over.
    const leaseExpiresAt = leaseFromNow();
    const inserted = await this.#insertWithSlots(unique, claimed, slots).catch(error => {
      slots?.release?.();
      throw error;
    });
    failpoint('accept.after-commit');
    const rows = new Map(inserted.map(row => [row.id, row]));
    for (const run of unique) if (rows.has(run.id)) this.#count(run, claimed.has(run), slots);
    slots?.start?.(
      [...claimed].flatMap(run => (rows.has(run.id) ? [claimOf(run, rows.get(run.id)!, leaseExpiresAt)] : [])),
    );
    return runs.map(run => first.get(run.id) === run && rows.has(run.id));
  }

  #count(run: NewRun, isClaimed: boolean, slots: RunSlots<ClaimedRun> | undefined): void {
    if (run.prefix?.end) this.accepted.count(['complete']);
    else if (isClaimed) this.accepted.count([slots?.offer ? 'assigned' : 'local']);
    else if (run.state === 'queued') this.accepted.count(['queued']);
  }

  /** Inserts the runs. If the worker to which `claimed` are assigned accepts no more runs, they are queued. */
  async #insertWithSlots(
    runs: readonly NewRun[],
    claimed: Set<NewRun>,
    slots: RunSlots<ClaimedRun> | undefined,
  ): Promise<InsertedRun[]> {
    const offer = claimed.size > 0 ? slots?.offer : undefined;
    const inserted = await this.#insert(runs, claimed, offer);
    if (inserted.length > 0 || !offer) return inserted;
    // All ids may exist. Then the second statement inserts nothing either.
    slots?.discardOffer?.();
    claimed.clear();
    return this.#insert(runs, claimed);
  }

  #insert(
    runs: readonly NewRun[],
    claimed: ReadonlySet<NewRun>,
    offer?: RunSlots<ClaimedRun>['offer'],
  ): Promise<InsertedRun[]> {
    const parts = {
      hasJobs: runs.some(run => isQueued(run) && !claimed.has(run)),
      hasEnds: runs.some(run => run.prefix?.end !== undefined),
      isAssigned: offer !== undefined,
    };
    failpoint('accept.before-commit');
    return insertRuns(this.database, {
      parts,
      text: this.#statement(parts),
      rows: runs.map(run => rowOf(run, claimed.has(run))),
      offer,
      topics: Bus.payloads(runs.map(run => activityTopic(run.projectId))),
      srPerUsd: this.srPerUsd,
    });
  }

  #statement(parts: InsertedParts): string {
    const name = insertionName(parts);
    this.#texts[name] ??= insertRunsSql(
      { jobs: this.queue.statements(RUN_QUEUE), webhookJobs: this.webhooks.wakeSql('deliveries') },
      parts,
    );
    return this.#texts[name];
  }
}

/** Reserves slots for accepted runs: of the worker of this process (`RunWorker`), or of others (`RemoteSlots`). */
interface SlotProvider {
  readonly startsSoon: boolean;
  /** Absent: runs are inserted at once. */
  admit?(count: number): Promise<number>;
  countQueued?(count: number): void;
  reserveSlots(limit: number): RunSlots<ClaimedRun> | undefined;
}

/** Whether the run still has to be executed. */
function isQueued({ state, prefix }: NewRun): boolean {
  return state === 'queued' && !prefix?.end;
}

/** Whether a worker may execute the run without fetching its job. */
function isClaimable(run: NewRun): boolean {
  return isQueued(run) && !run.parentRunId;
}

/** Returns the parts of a run that may be large. */
function payloadsOf({ input, result, prefix, graph }: NewRun): unknown[] {
  return [input, prefix?.end?.result ?? result, prefix?.events, graph?.data];
}

/** Converts a run into a row of the statement. */
function rowOf({ prefix, ...run }: NewRun, isClaimed: boolean): RunRow {
  // Only the process that executes the run at once continues its early start. A queued run is executed from the beginning.
  const written = isEarlyStart(prefix) && !isClaimed ? undefined : prefix;
  const end = written?.end;
  return {
    ...run,
    state: end?.state ?? (isClaimed ? 'running' : run.state),
    isExecuted: end !== undefined,
    result: end ? toStoredResult(end.result) : run.result,
    ...(written
      ? { events: toStored(written.events, run.id), sealedContents: written.sealedContents, ledger: written.ledger }
      : {}),
  };
}

/** Builds the claimed run, equivalent to the result of its first claim. */
function claimOf(
  run: NewRun,
  { token, createdAt, marketWorkflowId, runFee }: InsertedRun,
  leaseExpiresAt: number,
): ClaimedRun {
  const { id, projectId, revisionId, workflowId, userId, input, sealedInput, prefix } = run;
  return {
    ...{ leaseExpiresAt, id, token, projectId, revisionId, createdAt, workflowId, userId, marketWorkflowId, runFee },
    ...{ ...FIRST_CLAIM, input, sealedInput },
    sequence: prefix?.events.length ?? 0,
    ...{ ancestry: [...(run.ancestry ?? [])], scenarioRunId: run.scenarioRunId ?? null },
    traceparent: run.traceparent ?? null,
    environment: run.environment ?? null,
    ...(isEarlyStart(prefix) ? { earlyStart: prefix } : {}),
  };
}
