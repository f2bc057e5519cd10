import { nextTokenSql } from '../../durable/lease-token.js';
import type { Sql } from '../../platform/database/database.js';
import type { ClaimedScenarioRun } from './execution/scenario-run-leases.js';
import { CLAIMED_COLUMNS } from './execution/scenario-run-leases.sql.js';

// The new token refuses later writes of the worker that executes the run.
const TAKE_OVER = `
  update scenario_run r set lease_token = ${nextTokenSql('r.lease_token')}
   where r.id = $1 and r.status in ('created', 'in_progress')
  returning ${CLAIMED_COLUMNS}`;

/** Takes a run that has not ended from the worker that may execute it; undefined when it has ended. */
export async function takeOver(sql: Sql, runId: number): Promise<ClaimedScenarioRun | undefined> {
  const [run] = await sql.query<ClaimedScenarioRun>(TAKE_OVER, [runId]);
  return run;
}
