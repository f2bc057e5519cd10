import type { Queue } from '../../durable/queue.js';
import { countRunsAhead } from '../../durable/table-claims.js';
import type { Database, Sql } from '../../platform/database/database.js';
import { queryBuilder } from '../../platform/database/typed-queries.js';
import { useSnapshot } from '../../platform/sql/transaction-isolation.js';
import { failpoint } from '../../platform/testing/failpoint.js';
import { currentTraceparent } from '../../platform/tracing/work-context.js';
import { copyScenario } from '../scenarios/scenario-copies.js';
import { SCENARIO_RUN_QUEUE } from './execution/scenario-run-claims.js';
import type { ScenarioRunTables } from './scenario-run-tables.js';

/** Input for the creation of a run. */
export interface NewScenarioRun {
  /** UUID of the run for billing and its job. A repeated start has the same one. */
  billingId: string;
  projectId: number;
  /** The scenario; null if it was deleted. */
  scenarioId: number | null;
  /** The scenario to copy: the original, or the copy of another run. */
  sourceId: number;
  userId: number | null;
  parentRunId: string | null;
  webhookUrl: string;
  doRunDefault: boolean;
  /** JSON array of inserted variables. */
  insertedVariables: string;
}

/** Creates runs: the row, the copies and the job, in one transaction. */
export class ScenarioRunStarter {
  constructor(
    private readonly database: Database,
    private readonly queue: Queue,
  ) {}

  /**
   * Creates a run and returns its id. If a run with the same `billingId` exists, returns that run's id. `change` edits
   * the copies in the same transaction.
   */
  async start(run: NewScenarioRun, change: (sql: Sql, runId: number) => Promise<void>): Promise<number> {
    const id = await this.database.transaction(sql => this.#write(sql, run, change));
    failpoint('scenario-start.after-commit');
    return id;
  }

  async #write(sql: Sql, run: NewScenarioRun, change: (sql: Sql, runId: number) => Promise<void>): Promise<number> {
    // One snapshot, so that all copies are consistent with each other.
    await useSnapshot(sql);
    const tables = queryBuilder<ScenarioRunTables>(sql);
    const existing = await tables
      .selectFrom('scenario_run')
      .select('id')
      .where('billing_id', '=', run.billingId)
      .executeTakeFirst();
    if (existing) return existing.id;
    const row = await tables
      .insertInto('scenario_run')
      .values({
        ...{ billing_id: run.billingId, scenario_id: run.scenarioId, project_id: run.projectId, user_id: run.userId },
        ...{ parent_run_id: run.parentRunId, webhook_url: run.webhookUrl, do_run_default: run.doRunDefault },
        ...{ inserted_variables: run.insertedVariables, traceparent: currentTraceparent() ?? null },
      })
      .onConflict(conflict => conflict.column('billing_id').doNothing())
      .returning('id')
      .executeTakeFirst();
    // There is a row: in a snapshot, a concurrent insert of the same id is a serialization failure, and the transaction is repeated.
    await copyScenario(sql, row!.id, run.sourceId);
    await change(sql, row!.id);
    const runsAhead = await countRunsAhead(sql, 'scenario_run', run.projectId);
    await this.queue.accept(SCENARIO_RUN_QUEUE, [{ id: run.billingId, projectId: run.projectId, runsAhead }], sql);
    failpoint('scenario-start.before-commit');
    return row!.id;
  }
}
