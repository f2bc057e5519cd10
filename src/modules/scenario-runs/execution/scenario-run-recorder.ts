import { addDeadLetters, WORKER_LOST } from '../../../durable/dead-letters.js';
import type { Queue } from '../../../durable/queue.js';
import type { ScenarioResult } from '../../../engine/scenario/events/progress.js';
import { type Database, type Sql, whenReachable } from '../../../platform/database/database.js';
import { anyText, expression, NOW, queryBuilder } from '../../../platform/database/typed-queries.js';
import { Bus } from '../../../platform/messaging/bus.js';
import { failpoint } from '../../../platform/testing/failpoint.js';
import { chargeRun, type RunCharge } from '../../billing/charge-run.sql.js';
import { ScenarioRunStatus } from '../scenario-run.js';
import type { ScenarioRunTables } from '../scenario-run-tables.js';
import { type ClaimedScenarioRun, SCENARIO_RUN_QUEUE } from './scenario-run-claims.js';
import type { JournalEvent } from './scenario-run-journal.js';

/** The end of a run, as passed to listeners. */
export interface ScenarioRunEnd {
  runId: number;
  projectId: number;
  status: 'finished' | 'error' | 'cancelled';
  /** The workflow run that waits for this run. */
  parentRunId: string | null;
}

/** Called in the transaction that ends a run, so its writes are committed if and only if the run ends. */
export type ScenarioRunEndListener = (end: ScenarioRunEnd, sql: Sql) => Promise<void>;

/** A batch of events that is written in one transaction, with its charges and optionally the end of the run. */
export interface ScenarioRunRecord {
  run: Pick<ClaimedScenarioRun, 'id' | 'runId' | 'token' | 'projectId' | 'parentRunId'>;
  events: JournalEvent[];
  ledger: RunCharge[];
  /** Usage of `events`, which is added to that of the run. */
  promptTokens: number;
  completionTokens: number;
  /** Exact decimal text in US dollars. */
  costUsd: string;
  /** Ids of the reservations to settle: those of the calls in `ledger` and those of calls without cost. */
  settled: string[];
  /** Milliseconds that workers have spent on the run so far. */
  workedMs: number;
  end: { status: ScenarioRunEnd['status']; result: ScenarioResult } | null;
}

/** Thrown if this worker no longer holds the lease of the run. Nothing is written. */
export class ScenarioRunLostError extends Error {
  constructor() {
    super('the lease of the scenario run was lost');
    this.name = 'ScenarioRunLostError';
  }
}

/** Notification topic for new journal events of a run. */
export function scenarioRunTopic(runId: number): string {
  return `scenario-run:${runId}`;
}

/** Writes the records of runs. The fencing token of the claim guards every write. */
export class ScenarioRunRecorder {
  constructor(
    private readonly database: Database,
    private readonly queue: Queue,
    /** For example webhooks, and workflow runs that wait for the end of a scenario run. */
    private readonly endListeners: readonly ScenarioRunEndListener[],
  ) {}

  /** Writes a record and resolves after the commit. Throws a `ScenarioRunLostError` without a lease. */
  async record(record: ScenarioRunRecord, signal: AbortSignal): Promise<void> {
    // Only the database can decide whether the lease still holds.
    await whenReachable(async () => {
      failpoint('scenario-record.before');
      const isWritten = await this.database.transaction(sql => this.writeWithin(sql, record));
      failpoint('scenario-record.after');
      if (!isWritten) throw new ScenarioRunLostError();
    }, signal);
  }

  /** Writes a record in the caller's transaction. Returns true if it is stored, now or by an earlier attempt. */
  async writeWithin(sql: Sql, record: ScenarioRunRecord): Promise<boolean> {
    const { run, end } = record;
    const { isNew, isDuplicate, userId } = await appendRecord(sql, record);
    if (!isNew) return isDuplicate;
    const { projectId, runId, parentRunId } = run;
    await chargeRun(sql, {
      ...{ id: run.id, projectId, userId, operation: 'scenario-message' },
      ...{ charges: record.ledger, settled: record.settled, isEnded: end !== null },
    });
    await Bus.notify(sql, [scenarioRunTopic(runId)]);
    if (end) {
      await this.queue.remove(SCENARIO_RUN_QUEUE, [run.id], sql);
      const { error } = end.result;
      if (error?.code === WORKER_LOST)
        await addDeadLetters(
          this.queue,
          'scenario',
          [{ id: run.id, projectId, subjectId: runId, error: error.message }],
          sql,
        );
      for (const listener of this.endListeners)
        await listener({ runId, projectId, status: end.status, parentRunId }, sql);
    }
    return true;
  }
}

interface AppendedEvents {
  isNew: boolean;
  /** Whether an earlier attempt has committed this record and only the response was lost. */
  isDuplicate: boolean;
  userId: number | null;
}

/**
 * Writes the status and the journal. The CTE `held` requires the current fencing token, and a record that directly
 * continues the journal. It thus rejects duplicates, and gaps after a failover to a replica that lags behind.
 */
function appendRecord(sql: Sql, record: ScenarioRunRecord): Promise<AppendedEvents> {
  const { run, events } = record;
  const [first, last] = [events[0]!.sequence, events.at(-1)!.sequence];
  const text = JSON.stringify(events);
  return queryBuilder<ScenarioRunTables>(sql)
    .with('held', tables =>
      tables
        .updateTable('scenario_run as r')
        .set({ sequence: last, ...usageColumns(record), ...endColumns(record) })
        .where('r.id', '=', run.runId)
        .where('r.lease_token', '=', run.token)
        .where('r.sequence', '=', first - 1)
        .where('r.status', '=', anyText(record.end?.status === 'cancelled' ? CANCELLABLE_STATUSES : EXECUTING_STATUSES))
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
      ).as('isDuplicate'),
      selectFrom('held').select('held.user_id').as('userId'),
    ])
    .$castTo<AppendedEvents>()
    .executeTakeFirstOrThrow();
}

/** Statuses in which a run accepts records: of its execution, and of its cancellation. */
const EXECUTING_STATUSES = [ScenarioRunStatus.RUNNING];
const CANCELLABLE_STATUSES = [ScenarioRunStatus.RUNNING, ScenarioRunStatus.QUEUED];

function usageColumns({ costUsd, promptTokens, completionTokens, workedMs }: ScenarioRunRecord) {
  return {
    cost_usd: expression<string>`r.cost_usd + ${costUsd}::numeric`,
    prompt_tokens: expression<number>`r.prompt_tokens + ${promptTokens}::bigint`,
    completion_tokens: expression<number>`r.completion_tokens + ${completionTokens}::bigint`,
    worked_ms: Math.round(workedMs),
    updated_at: NOW,
  };
}

function endColumns({ end }: ScenarioRunRecord) {
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
