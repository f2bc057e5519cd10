import { createHash } from 'node:crypto';
import { fingerprintOf } from '../../engine/workflow/graph/fingerprint.js';
import type { Sql } from '../../platform/database/database.js';
import { expression, expressionBuilder, queries } from '../../platform/database/typed-queries.js';
import type { WorkflowTables } from './workflow-tables.js';

/** Whose graph is saved or run, and where. */
export interface GraphOwner {
  userId: number;
  projectId: number;
  workflowId: number | null;
}

/**
 * SQL joins behind rows `copy` (a workflow, which may be missing) and `revision` (of it, or of none): the terms `t` of a
 * graph that was copied, and the author's workflow `m`. Inside one project there is no customer: `m` is null there.
 * `unwritten` is an expression for the terms of a revision that the same statement writes.
 */
export function marketTermsJoin(copy: string, revision: string, projectId: string, unwritten = 'null::int'): string {
  return `left join market_terms t on t.id = coalesce(${unwritten}, ${revision}.market_terms_id, ${copy}.market_terms_id)
      left join workflow m on m.id = t.workflow_id and m.project_id <> ${projectId}`;
}

/** What the graph does as a short text, the same for all that do the same; null: it is broken and cannot run. */
export function marketFingerprint(data: Record<string, unknown>): string | null {
  return fingerprintOf(data, text => createHash('sha256').update(text).digest('base64'));
}

/**
 * The terms of the marketplace copy that this graph equals, among the copies made by the user or into the project; null:
 * it equals none. Of several the workflow's own are taken first, then the latest.
 */
export async function findMarketTerms(
  sql: Sql,
  data: Record<string, unknown>,
  { userId, projectId, workflowId }: GraphOwner,
): Promise<number | null> {
  const fingerprint = marketFingerprint(data);
  if (fingerprint === null) return null;
  const own = expressionBuilder<WorkflowTables>()
    .selectFrom('workflow as w')
    .select('w.market_terms_id')
    .where('w.id', '=', workflowId ?? 0);
  const terms = await queries<WorkflowTables>(sql)
    .selectFrom('market_terms as t')
    .select('t.id')
    .where('t.fingerprint', '=', fingerprint)
    .where(({ or, eb }) => or([eb('t.user_id', '=', userId), eb('t.project_id', '=', projectId)]))
    .orderBy(expression`t.id = ${own}`, order => order.desc().nullsLast())
    .orderBy('t.id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return terms?.id ?? null;
}

/** The terms that a run of a revision is charged by; undefined: its graph is no customer's copy. */
export function readRunTerms(
  sql: Sql,
  { projectId, workflowId, revisionId }: { projectId: number; workflowId: number | null; revisionId: number },
): Promise<{ marketWorkflowId: number; runFee: number; freeRuns: number } | undefined> {
  return queries<WorkflowTables>(sql)
    .selectFrom('workflow_revision as v')
    .leftJoin('workflow as w', join => join.on('w.id', '=', workflowId))
    .innerJoin('market_terms as t', join =>
      join.on('t.id', '=', ({ fn }) => fn.coalesce('v.market_terms_id', 'w.market_terms_id')),
    )
    .innerJoin('workflow as m', join => join.onRef('m.id', '=', 't.workflow_id').on('m.project_id', '<>', projectId))
    .select(['m.id as marketWorkflowId', 't.run_fee as runFee', 't.free_runs as freeRuns'])
    .where('v.id', '=', revisionId)
    .executeTakeFirst();
}
