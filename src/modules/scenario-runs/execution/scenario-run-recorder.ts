import { setTimeout } from 'node:timers/promises';
import { addDeadLetters, WORKER_LOST } from '../../../durable/dead-letters.js';
import type { Queue } from '../../../durable/queue.js';
import type { ScenarioResult } from '../../../engine/scenario/events/progress.js';
import type { Database, Sql } from '../../../platform/database/database.js';
import { isRetryableDatabaseError } from '../../../platform/database/database-errors.js';
import { anyText, expression, NOW, queries } from '../../../platform/database/typed-queries.js';
import { Bus } from '../../../platform/messaging/bus.js';
import { failpoint } from '../../../platform/testing/failpoint.js';
import { chargeRun, type RunCharge } from '../../billing/charge-run.sql.js';
import { ScenarioRunStatus } from '../scenario-run.js';
import type { ScenarioRunTables } from '../scenario-run-tables.js';
import { type ClaimedScenarioRun, SCENARIO_RUN_QUEUE } from './scenario-run-claims.js';
import type { JournalEvent } from './scenario-run-journal.js';

/** How a run ended, for whoever has to hear of it. */
export interface ScenarioRunEnd {
  runId: number;
  projectId: number;
  status: 'finished' | 'error' | 'cancelled';
  /** The run of a workflow that waits for it. */
  parentRunId: string | null;
}

/** Called in the transaction that ends a run: what it enqueues is sent if and only if the run has ended. */
export type ScenarioRunEndListener = (end: ScenarioRunEnd, sql: Sql) => Promise<void>;

/** What a run reports at once: events with their ledger rows, and perhaps its end. */
export interface ScenarioRunRecord {
  run: Pick<ClaimedScenarioRun, 'id' | 'runId' | 'token' | 'projectId' | 'parentRunId'>;
  events: JournalEvent[];
  ledger: RunCharge[];
  promptTokens: number;
  completionTokens: number;
  costUsd: string;
  /** Reservations of calls that `ledger` charges, or that cost nothing. */
  settled: string[];
  workedMs: number;
  end: { status: ScenarioRunEnd['status']; result: ScenarioResult } | null;
}

/** The run is no longer this worker's: whatever it still wants to write is refused. */
export class ScenarioRunLostError extends Error {
  constructor() {
    super('the lease of the scenario run was lost');
    this.name = 'ScenarioRunLostError';
  }
}

/** The topic on which watchers hear that something was recorded. */
export function scenarioRunTopic(runId: number): string {
  return `scenario-run:${runId}`;
}

const RETRY_MS = 200;

/** Writes what runs report, and only for as long as their leases are ours. */
export class ScenarioRunRecorder {
  constructor(
    private readonly database: Database,
    private readonly queue: Queue,
    /** Whoever is to hear of ends: webhooks, runs of workflows that wait. */
    private readonly whenEnded: readonly ScenarioRunEndListener[],
  ) {}

  /** Resolves after the commit. Throws ScenarioRunLostError when another worker has taken the run, or it has ended. */
  async record(record: ScenarioRunRecord, signal: AbortSignal): Promise<void> {
    for (;;) {
      try {
        failpoint('scenario-record.before');
        const isOurs = await this.database.transaction(sql => this.writeWithin(sql, record));
        failpoint('scenario-record.after');
        if (isOurs) return;
        throw new ScenarioRunLostError();
      } catch (error) {
        // While the database is away nothing can be decided; the lease runs out by its clock, not by ours.
        if (!isRetryableDatabaseError(error) || signal.aborted) throw error;
        await setTimeout(RETRY_MS);
      }
    }
  }

  /** The same within the caller's transaction; returns whether the record is written, now or before. */
  async writeWithin(sql: Sql, record: ScenarioRunRecord): Promise<boolean> {
    const { run, end } = record;
    const { isNew, isKnown, userId } = await appendRecord(sql, record);
    if (!isNew) return isKnown;
    const { projectId, runId, parentRunId } = run;
    await chargeRun(sql, {
      ...{ id: run.id, projectId, userId, operation: 'scenario-message' },
      ...{ charges: record.ledger, settled: record.settled, isEnded: end !== null },
    });
    await Bus.notify(sql, [scenarioRunTopic(runId)]);
    if (end) {
      await this.queue.complete(SCENARIO_RUN_QUEUE, [run.id], sql);
      const { error } = end.result;
      if (error?.code === WORKER_LOST)
        await addDeadLetters(
          this.queue,
          'scenario',
          [{ id: run.id, projectId, subjectId: runId, error: error.message }],
          sql,
        );
      for (const listener of this.whenEnded) await listener({ runId, projectId, status: end.status, parentRunId }, sql);
    }
    return true;
  }
}

interface Appended {
  isNew: boolean;
  /** The record was written before, and the answer to its commit was lost. */
  isKnown: boolean;
  userId: number | null;
}

/**
 * Writes the status and the journal. `held` demands the fencing token, and that the record continues where the journal stops:
 * it was not written before, and nothing before it was lost (by a fail-over to a replica that lags behind).
 */
function appendRecord(sql: Sql, record: ScenarioRunRecord): Promise<Appended> {
  const { run, events } = record;
  const [first, last] = [events[0]!.sequence, events.at(-1)!.sequence];
  const text = JSON.stringify(events);
  return queries<ScenarioRunTables>(sql)
    .with('held', tables =>
      tables
        .updateTable('scenario_run as r')
        .set({ sequence: last, ...usedBy(record), ...endedBy(record) })
        .where('r.id', '=', run.runId)
        .where('r.lease_token', '=', run.token)
        .where('r.sequence', '=', first - 1)
        .where('r.status', '=', anyText(record.end?.status === 'cancelled' ? CANCELLABLE : EXECUTED))
        .returning(['r.id', 'r.user_id']),
    )
    .with('journal', tables =>
      tables
        .insertInto('scenario_run_journal')
        .columns(['run_id', 'first_sequence', 'last_sequence', 'events'])
        .expression(({ selectFrom }) =>
          selectFrom('held').select(({ cast, val }) => [
            'held.id',
            cast(val(first), 'integer').as('first'),
            cast(val(last), 'integer').as('last'),
            cast(val(text), 'json').as('events'),
          ]),
        ),
    )
    .selectNoFrom(({ exists, selectFrom }) => [
      exists(selectFrom('held').select('held.id')).as('isNew'),
      exists(
        selectFrom('scenario_run as r')
          .select('r.id')
          .where('r.id', '=', run.runId)
          .where('r.lease_token', '=', run.token)
          .where('r.sequence', '>=', last),
      ).as('isKnown'),
      selectFrom('held').select('held.user_id').as('userId'),
    ])
    .$castTo<Appended>()
    .executeTakeFirstOrThrow();
}

/** States in which a run takes records of its execution, and the one of its cancellation. */
const EXECUTED = [ScenarioRunStatus.IN_PROGRESS];
const CANCELLABLE = [ScenarioRunStatus.IN_PROGRESS, ScenarioRunStatus.CREATED];

function usedBy({ costUsd, promptTokens, completionTokens, workedMs }: ScenarioRunRecord) {
  return {
    cost_usd: expression<string>`r.cost_usd + ${costUsd}::numeric`,
    prompt_tokens: expression<number>`r.prompt_tokens + ${promptTokens}::bigint`,
    completion_tokens: expression<number>`r.completion_tokens + ${completionTokens}::bigint`,
    worked_ms: Math.round(workedMs),
    updated_at: NOW,
  };
}

function endedBy({ end }: ScenarioRunRecord) {
  if (!end) return {};
  const { finalResult, localVariables, processedMessages, error } = end.result;
  return {
    status: end.status as ScenarioRunStatus,
    final_result: finalResult,
    local_variables: JSON.stringify(localVariables),
    processed_messages: JSON.stringify(processedMessages),
    error: error ? JSON.stringify(error) : null,
    finished_at: NOW,
  };
}
