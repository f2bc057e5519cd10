import type { Sql } from '../../platform/database/database.js';
import { anyUuid, expression, queryBuilder } from '../../platform/database/typed-queries.js';
import type { Currencies } from '../../platform/money/money.js';
import type { WorkflowTables } from '../workflows/workflow-tables.js';
import type { Rehearsal, RehearsedRun, RunReport } from './rehearsal.js';
import type { RehearsalTables } from './rehearsal-tables.js';

interface Tables extends RehearsalTables, WorkflowTables {}

/** Selects rehearsals `r` with the numbers of their revisions. */
export function selectRehearsals(sql: Sql) {
  return queryBuilder<Tables>(sql)
    .selectFrom('rehearsal as r')
    .leftJoin('workflow_revision as v', 'v.id', 'r.revision_id')
    .select(['r.id', 'r.workflow_id as workflowId', 'r.kind', 'r.state', 'v.number as revisionNumber', 'r.verdict'])
    .select(['r.finding', 'r.error', 'r.runs_count as runsCount', 'r.ended_count as endedCount'])
    .select(['r.budget_usd as budgetUsd', 'r.spent_usd as spentUsd'])
    .select(['r.created_at as createdAt', 'r.finished_at as finishedAt'])
    .$castTo<Rehearsal>();
}

/** A run of a rehearsal as it is stored. */
export type StoredRehearsedRun = Pick<RehearsedRun, 'id' | 'runId' | 'revisionNumber' | 'outcome'> & {
  report: RunReport | null;
};

/** Selects the runs of a rehearsal by position. */
export function selectRehearsedRuns(sql: Sql, rehearsalId: string) {
  return queryBuilder<Tables>(sql)
    .selectFrom('rehearsal_run as x')
    .leftJoin('workflow_revision as v', 'v.id', 'x.revision_id')
    .select(['x.id', 'x.run_id as runId', 'v.number as revisionNumber', 'x.outcome', 'x.report'])
    .where('x.rehearsal_id', '=', rehearsalId)
    .orderBy('x.position')
    .$castTo<StoredRehearsedRun>();
}

/** Costs of the runs of a rehearsal that have ended, in US dollars. */
export interface RehearsalCosts {
  beforeUsd: string;
  afterUsd: string;
}

/** Sums the costs of the ended runs of each rehearsal, in the order of `ids`. */
export async function readCosts(sql: Sql, ids: readonly string[]): Promise<RehearsalCosts[]> {
  const rows = await queryBuilder<RehearsalTables>(sql)
    .selectFrom('rehearsal_run')
    .select('rehearsal_id as id')
    .select(expression<string>`coalesce(sum((report->>'costBeforeUsd')::numeric), 0)::text`.as('beforeUsd'))
    .select(expression<string>`coalesce(sum((report->>'costAfterUsd')::numeric), 0)::text`.as('afterUsd'))
    .where('rehearsal_id', '=', anyUuid(ids))
    .groupBy('rehearsal_id')
    .execute();
  const costs = new Map(rows.map(({ id, ...row }) => [id, row]));
  return ids.map(id => costs.get(id) ?? { beforeUsd: '0', afterUsd: '0' });
}

const UNFINISHED: Omit<RehearsedRun, keyof StoredRehearsedRun> = {
  ...{ firstChange: null, changes: [], outputBefore: null, outputAfter: null, errorBefore: null, errorAfter: null },
  ...{ costBefore: null, costAfter: null, durationBeforeMs: null, durationAfterMs: null },
  ...{ executedCount: 0, reusedCount: 0, assumedNodeIds: [], heldNodeIds: [], isBad: null },
};

/** Combines a stored run with its report. The results of an unfinished run are null or empty. */
export function toRehearsedRun({ report, ...run }: StoredRehearsedRun, currencies: Currencies): RehearsedRun {
  if (!report) return { ...run, ...UNFINISHED };
  const { costBeforeUsd, costAfterUsd, isBad = null, ...shown } = report;
  return {
    ...run,
    ...shown,
    isBad,
    firstChange: report.changes[0] ?? null,
    costBefore: currencies.of(costBeforeUsd),
    costAfter: currencies.of(costAfterUsd),
  };
}
