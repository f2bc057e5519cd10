import type { Sql } from '../../../platform/database/database.js';
import { lockProjects } from '../../projects/spending-limits.js';
import type { ClaimedRun } from '../execution/run-claims.js';
import { firstSequenceOf } from '../journal/run-journal.js';
import { chargeLockedRuns, lockChargedRuns } from './run-fees.sql.js';

/** The end of a run of a marketplace copy, as its report brings it. */
interface PaidEnd {
  run: Pick<ClaimedRun, 'id' | 'token' | 'sequence' | 'projectId'>;
  events: readonly { sequence: number }[];
  /** US dollars that come to the run's cost with this report. */
  costUsd: string;
  end: { state: string } | null;
}

/**
 * Charges the commission on runs of marketplace copies that are about to end, in the transaction that ends them: the
 * user's project pays, the author's is credited. Each of the user's first runs is free. Rows are locked in the order in
 * which the report itself takes them: runs, then projects.
 */
export async function chargeFees(sql: Sql, given: readonly PaidEnd[]): Promise<void> {
  if (given.length === 0) return;
  const ends = given
    .map(({ run, events, costUsd, end }) => ({
      ...{
        runId: run.id,
        token: run.token,
        firstSequence: firstSequenceOf(run, events),
        endState: end!.state,
        costUsd,
      },
      projectId: run.projectId,
    }))
    .toSorted((a, b) => (a.runId < b.runId ? -1 : 1));
  const due = await lockChargedRuns(sql, ends);
  if (due.length === 0) return;
  const isDue = new Set(due.map(({ id }) => id));
  await lockProjects(sql, [...ends.map(({ projectId }) => projectId), ...due.map(row => row.authorsProjectId)]);
  await chargeLockedRuns(
    sql,
    ends.filter(({ runId }) => isDue.has(runId)),
  );
}
