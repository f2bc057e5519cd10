import { nextToken } from '../../../durable/lease-token.js';
import { CLAIMED, type ClaimedRow, TableClaims } from '../../../durable/table-claims.js';
import type { Database, Sql } from '../../../platform/database/database.js';
import { keyedQuery } from '../../../platform/database/prepared-queries.js';
import { anyUuid, type ExpressionBuilder, queryBuilder } from '../../../platform/database/typed-queries.js';
import type { InsertedVariable } from '../contents/inserted-variable.type.js';
import { ScenarioRunStatus } from '../scenario-run.js';
import type { ScenarioRunTables } from '../scenario-run-tables.js';

/** Name of the pg-boss queue of scenario runs. The id of a job is the `billing_id` of its run. */
export const SCENARIO_RUN_QUEUE = 'scenario-run';

/** A run that this process has claimed. Writes are accepted as long as the row has the same fencing token. */
export interface ClaimedScenarioRun extends ClaimedRow {
  /** Number of claims of this run. An orderly shutdown that returns the run to the queue does not count. */
  attempts: number;
  createdAt: Date;
  /** W3C trace context of the request that created the run. */
  traceparent: string | null;
  sequence: number;
  userId: number | null;
  /** The workflow run that started this run. */
  parentRunId: string | null;
  /** Whether the parent workflow run has already ended. */
  isOrphan: boolean;
  /** Working time of all earlier executions, in milliseconds. */
  workedMs: number;
  insertedVariables: InsertedVariable[];
}

/** Statuses of runs that have not ended. */
export const UNFINISHED_STATUSES = [ScenarioRunStatus.QUEUED, ScenarioRunStatus.RUNNING];

type ClaimTables = ScenarioRunTables & { r: ScenarioRunTables['scenario_run'] };

/** Selects the members of a `ClaimedScenarioRun`. */
function claimedColumns({ exists, selectFrom }: ExpressionBuilder<ClaimTables, 'r'>) {
  const endedParent = selectFrom('workflow_run as w')
    .select('w.id')
    .whereRef('w.id', '=', 'r.parent_run_id')
    .where('w.run_finished_at', 'is not', null);
  return [
    ...(['r.billing_id as id', 'r.id as runId', 'r.lease_token as token', 'r.attempts'] as const),
    ...(['r.created_at as createdAt', 'r.traceparent', 'r.sequence', 'r.project_id as projectId'] as const),
    ...(['r.parent_run_id as parentRunId', 'r.worked_ms as workedMs'] as const),
    ...(['r.inserted_variables as insertedVariables', 'r.user_id as userId'] as const),
    exists(endedParent).as('isOrphan'),
  ];
}

const claim = keyedQuery<ScenarioRunTables, { ids: string[] }, ClaimedScenarioRun>(
  'claim-scenario_run',
  (tables, value) =>
    tables
      .updateTable('scenario_run as r')
      .set(CLAIMED)
      .where('r.billing_id', '=', anyUuid(value('ids')))
      .where('r.status', 'in', UNFINISHED_STATUSES)
      .returning(claimedColumns)
      .$castTo<ClaimedScenarioRun>(),
);

/** Claims and leases of scenario runs. */
export class ScenarioRunClaims extends TableClaims<ClaimedScenarioRun> {
  constructor(database: Database) {
    super(database, { table: 'scenario_run', claim });
  }
}

/**
 * Takes an unfinished run away from its worker: the new fencing token rejects later writes of that worker. Returns
 * undefined if the run has ended.
 */
export function revokeClaim(sql: Sql, runId: number): Promise<ClaimedScenarioRun | undefined> {
  return queryBuilder<ScenarioRunTables>(sql)
    .updateTable('scenario_run as r')
    .set({ lease_token: nextToken('r.lease_token') })
    .where('r.id', '=', runId)
    .where('r.status', 'in', UNFINISHED_STATUSES)
    .returning(claimedColumns)
    .$castTo<ClaimedScenarioRun>()
    .executeTakeFirst();
}
