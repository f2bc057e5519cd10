import { type Expression, expression } from '../../../platform/database/typed-queries.js';
import { DEFAULT_ENVIRONMENT } from '../../project-variables/environments/environment-name.js';
import { costSql } from './workflow-run.js';

/**
 * Selects the columns of the run row `r` under their member names. `ttlDays` is RUN_RESULT_TTL_DAYS. The recorder of
 * events sets only `recorded_at`, other writes `updated_at`.
 */
export function runColumns(ttlDays: number | Expression<number>) {
  return [
    'r.id',
    'r.project_id as projectId',
    'r.workflow_id as workflowId',
    'r.revision_id as revisionId',
    'r.state',
    'r.parent_run_id as parentRunId',
    'r.scenario_run_id as scenarioRunId',
    'r.forked_from_id as forkedFromId',
    'r.sequence',
    'r.commission_usd as commissionUsd',
    'r.is_api_run as isApiRun',
    'r.created_at as createdAt',
    'r.use_in_marketplace_example as useInMarketplaceExample',
    'r.use_as_marketplace_template as useAsMarketplaceTemplate',
    'r.run_started_at as runStartedAt',
    'r.run_finished_at as runFinishedAt',
    expression<string>`coalesce(r.environment, ${DEFAULT_ENVIRONMENT})`.as('environment'),
    expression<string>`${expression.raw(costSql('r'))}`.as('costUsd'),
    expression<Date>`greatest(r.updated_at, r.recorded_at)`.as('updatedAt'),
    isExpired(ttlDays).as('isExpired'),
  ] as const;
}

/**
 * SQL condition: the result of the run `r` has expired. Unfinished runs, API runs, examples and templates keep
 * their results. RUN_RESULT_TTL_DAYS stands between the two parts.
 */
const EXPIRED = [
  '(coalesce(r.run_finished_at < now() - make_interval(days => ',
  '::int), false) and not (r.is_api_run or r.use_in_marketplace_example or r.use_as_marketplace_template))',
] as const;

/** Returns the condition that the result of the run `r` has expired. `ttlDays` is RUN_RESULT_TTL_DAYS. */
export function isExpired(ttlDays: number | Expression<number>) {
  const [start, end] = EXPIRED;
  return expression<boolean>`${expression.raw(start)}${ttlDays}${expression.raw(end)}`;
}

/** Returns the SQL of `isExpired`. `ttl` is the placeholder of RUN_RESULT_TTL_DAYS. */
export function expiredSql(ttl: string): string {
  return EXPIRED.join(ttl);
}
