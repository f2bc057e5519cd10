import type { Queue } from '../../durable/queue.js';
import { turnIn } from '../../durable/table-claims.js';
import type { Database, Sql } from '../../platform/database/database.js';
import { failpoint } from '../../platform/testing/failpoint.js';
import { presentTraceparent } from '../../platform/tracing/scope.js';
import { copyScenario } from './contents/run-copy.js';
import { SCENARIO_RUN_QUEUE } from './execution/scenario-run-leases.js';

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

const INSERT = `
  insert into scenario_run
    (billing_id, scenario_id, project_id, user_id, parent_run_id, webhook_url, do_run_default, inserted_variables, traceparent)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
  on conflict (billing_id) do nothing returning id`;

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
    await sql.query('set transaction isolation level repeatable read');
    const known = 'select id from scenario_run where billing_id = $1';
    const [before] = await sql.query<{ id: number }>(known, [run.billingId]);
    if (before) return before.id;
    const [made] = await sql.query<{ id: number }>(INSERT, [
      run.billingId,
      run.scenarioId,
      run.projectId,
      run.userId,
      run.parentRunId,
      run.webhookUrl,
      run.doRunDefault,
      run.insertedVariables,
      presentTraceparent() ?? null,
    ]);
    await copyScenario(sql, made!.id, run.sourceId);
    await change(sql, made!.id);
    const turn = await turnIn(sql, 'scenario_run', run.projectId);
    await this.queue.accept(SCENARIO_RUN_QUEUE, [{ id: run.billingId, projectId: run.projectId, turn }], sql);
    failpoint('scenario-start.before-commit');
    return made!.id;
  }
}
