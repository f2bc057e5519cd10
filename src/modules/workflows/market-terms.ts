import { createHash } from 'node:crypto';
import { fingerprintOf } from '../../engine/workflow/graph/fingerprint.js';
import type { Sql } from '../../platform/database/database.js';
import { expression, expressionBuilder, queryBuilder } from '../../platform/database/typed-queries.js';
import type { WorkflowTables } from './workflow-tables.js';

/** The user who saves or runs a graph, and its project and workflow. */
export interface GraphOwner {
  userId: number;
  projectId: number;
  workflowId: number | null;
}

/**
 * SQL joins that add the market terms `t` and the author's workflow `m` to rows with the aliases `copy` (a workflow or null) and
 * `revision`. Within one project no fee applies, so `m` is null. `unwritten` is an expression for the terms of a revision
 * that the same statement inserts.
 */
export function marketTermsJoin(copy: string, revision: string, projectId: string, unwritten = 'null::int'): string {
  return `left join market_terms t on t.id = coalesce(${unwritten}, ${revision}.market_terms_id, ${copy}.market_terms_id)
      left join workflow m on m.id = t.workflow_id and m.project_id <> ${projectId}`;
}

/** A hash of the behaviour of a graph: equal for graphs that do the same; null when the graph is invalid. */
export function marketFingerprint(data: Record<string, unknown>): string | null {
  return fingerprintOf(data, text => createHash('sha256').update(text).digest('base64'));
}

/**
 * The id of the terms of a marketplace copy that this graph equals; null without one. It searches the copies of the user and of
 * the project. The terms of the workflow itself take precedence, then the newest ones.
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
  const terms = await queryBuilder<WorkflowTables>(sql)
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

/** The terms that apply to a run of a revision; undefined when its graph is not a copy of another project's workflow. */
export function readRunTerms(
  sql: Sql,
  { projectId, workflowId, revisionId }: { projectId: number; workflowId: number | null; revisionId: number },
): Promise<{ marketWorkflowId: number; runFee: number; freeRuns: number } | undefined> {
  return queryBuilder<WorkflowTables>(sql)
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
