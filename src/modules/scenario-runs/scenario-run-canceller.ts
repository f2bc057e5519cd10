import { nextTokenSql } from '../../durable/lease-token.js';
import type { Database, Sql } from '../../platform/database/database.js';
import { Bus } from '../../platform/messaging/bus.js';
import { readContents } from './contents/run-contents.js';
import { readJournal } from './execution/scenario-run-journal.js';
import { CLAIMED_COLUMNS, type ClaimedScenarioRun } from './execution/scenario-run-leases.js';
import type { ScenarioRunRecorder } from './execution/scenario-run-recorder.js';
import { ScenarioRunReport } from './execution/scenario-run-report.js';

/** The topic on which the worker that executes a run hears that it was cancelled. */
export function cancelTopic(billingId: string): string {
  return `cancel-scenario:${billingId}`;
}

// The new token refuses whatever the worker that executes the run still wants to write.
const TAKE = `
  update scenario_run r set lease_token = ${nextTokenSql('r.lease_token')}
   where r.id = $1 and r.status in ('created', 'in_progress')
  returning ${CLAIMED_COLUMNS}`;

const STARTED_BY = `
  select id from scenario_run where parent_run_id = any($1::uuid[]) and status in ('created', 'in_progress') order by id`;

/**
 * Ends runs on request. The end is written here, at once, whoever executes the run; the notification makes that worker
 * abort the calls in flight.
 */
export class ScenarioRunCanceller {
  constructor(
    private readonly database: Database,
    private readonly recorder: ScenarioRunRecorder,
  ) {}

  /** Does nothing to a run that has ended: cancelling twice, or too late, is harmless. */
  async cancel(runId: number): Promise<void> {
    await this.database.transaction(sql => this.cancelWithin(sql, runId));
  }

  /** Ends what these runs of workflows have started. */
  async cancelStartedBy(sql: Sql, parentRunIds: readonly string[]): Promise<void> {
    for (const { id } of await sql.query<{ id: number }>(STARTED_BY, [parentRunIds])) await this.cancelWithin(sql, id);
  }

  async cancelWithin(sql: Sql, runId: number): Promise<void> {
    const [run] = await sql.query<ClaimedScenarioRun>(TAKE, [runId]);
    if (!run) return;
    const earlier = (await readJournal(sql, runId))?.events ?? [];
    const report = new ScenarioRunReport(run, await readContents(sql, runId, run.insertedVariables), earlier);
    report.fail({ code: 'cancelled', message: 'The run was cancelled.' }, 'cancelled');
    await this.recorder.writeWithin(sql, report.take({ workedMs: 0, settle: () => [] }));
    await Bus.notify(sql, [cancelTopic(run.id)]);
  }
}
