import { type ClaimedRow, TableClaims } from '../../../durable/table-claims.js';
import type { Database } from '../../../platform/database/database.js';
import type { InsertedVariable } from '../contents/inserted-variable.type.js';
import { CLAIMED_COLUMNS } from './scenario-run-leases.sql.js';

/** The pg-boss queue of scenario runs. The id of a job is the `billing_id` of its run. */
export const SCENARIO_RUN_QUEUE = 'scenario-run';

/** A run that this process executes: it may write as long as the token is the row's. */
export interface ClaimedScenarioRun extends ClaimedRow {
  /** How often a worker has begun this run; one handed back in good order does not count. */
  attempts: number;
  createdAt: Date;
  /** The trace that it was accepted in. */
  traceparent: string | null;
  sequence: number;
  /** The run of a workflow that started it. */
  parentRunId: string | null;
  /** That run has ended without it. */
  isOrphan: boolean;
  /** Milliseconds that workers have spent on it. */
  workedMs: number;
  insertedVariables: InsertedVariable[];
}

/** Who may execute a run of a scenario, and since when nobody does. */
export class ScenarioRunLeases extends TableClaims<ClaimedScenarioRun> {
  constructor(database: Database) {
    super(database, { table: 'scenario_run', columns: CLAIMED_COLUMNS });
  }
}
