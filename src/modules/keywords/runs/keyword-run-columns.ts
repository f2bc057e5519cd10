import { type ExpressionBuilder, rowCount } from '../../../platform/database/typed-queries.js';
import type { KeywordTables } from '../keyword-tables.js';

/** Selects the columns of `keyword_run` under the member names of `KeywordRun`. */
export function keywordRunColumns({ selectFrom }: ExpressionBuilder<KeywordTables, 'keyword_run'>) {
  const keywords = selectFrom('keyword').whereRef('keyword.keywordrun_id', '=', 'keyword_run.id');
  return [
    'keyword_run.id' as const,
    'keyword_run.project_id as projectId' as const,
    'keyword_run.topic' as const,
    'keyword_run.url' as const,
    'keyword_run.connection_id as connectionId' as const,
    'keyword_run.preset' as const,
    'keyword_run.do_clusterize as doClusterize' as const,
    'keyword_run.status' as const,
    'keyword_run.error' as const,
    keywords.select(rowCount().as('count')).$asScalar().$notNull().as('keywordsCount'),
    'keyword_run.cost_usd as costUsd' as const,
    'keyword_run.created_at as createdAt' as const,
    'keyword_run.updated_at as updatedAt' as const,
  ];
}
