import type { Database, Sql } from '../../platform/database/database.js';
import { anyText, anyUuid, queryBuilder } from '../../platform/database/typed-queries.js';
import { Bus } from '../../platform/messaging/bus.js';
import { readContents } from './contents/run-contents.js';
import { revokeClaim, UNFINISHED_STATUSES } from './execution/scenario-run-claims.js';
import { readJournal } from './execution/scenario-run-journal.js';
import type { ScenarioRunRecorder } from './execution/scenario-run-recorder.js';
import { ScenarioRunReport } from './execution/scenario-run-report.js';
import type { ScenarioRunTables } from './scenario-run-tables.js';

/**
 * Notification topic for the cancellation of a run. The worker that executes the run subscribes to it. `billingId` is the
 * `id` of a claimed run.
 */
export function cancelTopic(billingId: string): string {
  return `cancel-scenario:${billingId}`;
}

/**
 * Cancels runs. The caller's transaction writes the end of the run, whichever worker executes it. A notification
 * then makes that worker abort its calls in progress.
 */
export class ScenarioRunCanceller {
  constructor(
    private readonly database: Database,
    private readonly recorder: ScenarioRunRecorder,
  ) {}

  /** Cancels a run. Does nothing if the run has ended. */
  async cancel(runId: number): Promise<void> {
    await this.database.transaction(sql => this.cancelWithin(sql, runId));
  }

  /** Cancels the scenario runs that these workflow runs started. */
  async cancelStartedBy(sql: Sql, parentRunIds: readonly string[]): Promise<void> {
    const childRuns = await queryBuilder<ScenarioRunTables>(sql)
      .selectFrom('scenario_run')
      .select('id')
      .where('parent_run_id', '=', anyUuid(parentRunIds))
      .where('status', '=', anyText(UNFINISHED_STATUSES))
      .orderBy('id')
      .execute();
    for (const { id } of childRuns) await this.cancelWithin(sql, id);
  }

  /** Cancels a run in the transaction of the caller. Does nothing if the run has ended. */
  async cancelWithin(sql: Sql, runId: number): Promise<void> {
    const run = await revokeClaim(sql, runId);
    if (!run) return;
    const earlierEvents = (await readJournal(sql, runId))?.events ?? [];
    const report = new ScenarioRunReport(run, await readContents(sql, runId, run.insertedVariables), earlierEvents);
    report.fail({ code: 'cancelled', message: 'The run was cancelled.' }, 'cancelled');
    // No reservation is listed, because the end of a run releases all of them.
    await this.recorder.writeWithin(sql, report.takeRecord({ workedMs: 0, settle: () => [] }));
    await Bus.notify(sql, [cancelTopic(run.id)]);
  }
}
