import type { Sql } from '../../../platform/database/database.js';
import { lockProjects } from '../../projects/spending-limits.js';
import type { ClaimedRun } from '../execution/run-claims.js';
import { firstSequenceOf } from '../journal/run-journal.js';
import { chargeLockedRuns, lockChargedRuns } from './run-fees.sql.js';

/** The end of a run of a marketplace copy. */
interface PaidEnd {
  run: Pick<ClaimedRun, 'id' | 'token' | 'sequence' | 'projectId'>;
  events: readonly { sequence: number }[];
  /** US dollars that this report adds to the cost of the run. */
  costUsd: string;
  end: { state: string } | null;
}

/**
 * Charges the commission of marketplace copies in the transaction that ends their runs. The project of the user
 * pays and the project of the author is credited. The first runs of each user are free. Rows are locked in the same
 * order as by the report: runs, then projects.
 */
export async function chargeFees(sql: Sql, paidEnds: readonly PaidEnd[]): Promise<void> {
  if (paidEnds.length === 0) return;
  const ends = paidEnds
    .map(({ run, events, costUsd, end }) => ({
      runId: run.id,
      token: run.token,
      firstSequence: firstSequenceOf(run, events),
      endState: end!.state,
      costUsd,
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
