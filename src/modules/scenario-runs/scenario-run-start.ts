import type { Queue } from '../../durable/queue.js';
import { turnIn } from '../../durable/table-claims.js';
import type { Database, Sql } from '../../platform/database/database.js';
import { queries } from '../../platform/database/typed-queries.js';
import { readAsOfOneMoment } from '../../platform/sql/transaction-isolation.js';
import { failpoint } from '../../platform/testing/failpoint.js';
import { presentTraceparent } from '../../platform/tracing/scope.js';
import { copyScenario } from '../scenarios/scenario-copies.js';
import { SCENARIO_RUN_QUEUE } from './execution/scenario-run-claims.js';
import type { ScenarioRunTables } from './scenario-run-tables.js';

/** A run about to be made. */
export interface NewScenarioRun {
  /** The same for a start that is repeated. */
  billingId: string;
  projectId: number;
  /** What it is a run of; null when that is gone. */
  scenarioId: number | null;
  /** What is copied: the scenario, or another run's copy of it. */
  sourceId: number;
  userId: number | null;
  parentRunId: string | null;
  webhookUrl: string;
  doRunDefault: boolean;
  /** A JSON text. */
  insertedVariables: string;
}

/** Makes runs: the copy of the scenario, the row and the job come into being together. */
export class ScenarioRunStarter {
  constructor(
    private readonly database: Database,
    private readonly queue: Queue,
  ) {}

  /**
   * Answers the run's id; of a run that was made before with the same `billingId`, that run's. `change` is applied to the
   * copy before anybody can see it.
   */
  async start(run: NewScenarioRun, change: (sql: Sql, runId: number) => Promise<void>): Promise<number> {
    const id = await this.database.transaction(sql => this.#write(sql, run, change));
    failpoint('scenario-start.after-commit');
    return id;
  }

  async #write(sql: Sql, run: NewScenarioRun, change: (sql: Sql, runId: number) => Promise<void>): Promise<number> {
    // Everything that is copied is as it was at one moment.
    await readAsOfOneMoment(sql);
    const tables = queries<ScenarioRunTables>(sql);
    const before = await tables
      .selectFrom('scenario_run')
      .select('id')
      .where('billing_id', '=', run.billingId)
      .executeTakeFirst();
    if (before) return before.id;
    const made = await tables
      .insertInto('scenario_run')
      .values({
        ...{ billing_id: run.billingId, scenario_id: run.scenarioId, project_id: run.projectId, user_id: run.userId },
        ...{ parent_run_id: run.parentRunId, webhook_url: run.webhookUrl, do_run_default: run.doRunDefault },
        ...{ inserted_variables: run.insertedVariables, traceparent: presentTraceparent() ?? null },
      })
      .onConflict(conflict => conflict.column('billing_id').doNothing())
      .returning('id')
      .executeTakeFirst();
    await copyScenario(sql, made!.id, run.sourceId);
    await change(sql, made!.id);
    const turn = await turnIn(sql, 'scenario_run', run.projectId);
    await this.queue.accept(SCENARIO_RUN_QUEUE, [{ id: run.billingId, projectId: run.projectId, turn }], sql);
    failpoint('scenario-start.before-commit');
    return made!.id;
  }
}
