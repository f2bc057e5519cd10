import type { Sql } from '../../platform/database/database.js';
import { expression, expressionBuilder, queryBuilder, rowCount } from '../../platform/database/typed-queries.js';
import { CLASS_RATIO } from './duration-classes.js';
import type { SummaryTables } from './summary-tables.js';

/** The time from `from`, included, to `to`, excluded. */
export interface TimeRange {
  from: Date;
  to: Date;
}

/**
 * Sums the ledger by hour, workflow, model, user and API key, for one project or for all. The lateral join reads the
 * index of each project instead of the whole ledger.
 */
export function spendingSums(sql: Sql, { from, to }: TimeRange, projectId?: number) {
  return projectsOf(sql, projectId)
    .innerJoinLateral(
      ({ selectFrom }) =>
        selectFrom('billing_transaction as t')
          .leftJoin('workflow_run as r', 'r.id', 't.run_id')
          .select([
            expression<Date>`date_trunc('hour', t.created_at, 'UTC')`.as('hour'),
            expression<number>`coalesce(r.workflow_id, 0)`.as('workflow_id'),
            expression<string>`coalesce(t.usage -> 0 ->> 'model', '')`.as('model'),
            expression<number>`coalesce(t.user_id, 0)`.as('user_id'),
            expression<number>`coalesce(t.api_key_id, 0)`.as('api_key_id'),
            expression<string>`sum(t.amount_usd)`.as('amount_usd'),
            rowCount().as('transactions'),
            tokens('promptTokens').as('prompt_tokens'),
            tokens('completionTokens').as('completion_tokens'),
          ])
          .whereRef('t.project_id', '=', 'p.id')
          .where('t.created_at', '>=', from)
          .where('t.created_at', '<', to)
          .groupBy(expression`1, 2, 3, 4, 5`)
          .as('sums'),
      join => join.onTrue(),
    )
    .select(['p.id as project_id', 'sums.hour', 'sums.workflow_id', 'sums.model', 'sums.user_id', 'sums.api_key_id'])
    .select(['sums.amount_usd', 'sums.transactions', 'sums.prompt_tokens', 'sums.completion_tokens']);
}

/** Counts ended runs by hour, workflow, state and duration class. An ended run was updated at its end or later. */
export function runSums(sql: Sql, { from, to }: TimeRange, projectId?: number) {
  return projectsOf(sql, projectId)
    .innerJoinLateral(
      ({ selectFrom }) =>
        selectFrom('workflow_run as r')
          .select([
            expression<Date>`date_trunc('hour', r.run_finished_at, 'UTC')`.as('hour'),
            expression<number>`coalesce(r.workflow_id, 0)`.as('workflow_id'),
            expression<'succeeded' | 'failed' | 'cancelled'>`r.state`.as('state'),
            expression<number>`${DURATION_CLASS}`.as('duration_class'),
            rowCount().as('runs'),
            expression<string>`sum(r.cost_usd)`.as('cost_usd'),
          ])
          .whereRef('r.project_id', '=', 'p.id')
          .where('r.updated_at', '>=', from)
          .where('r.run_finished_at', '>=', from)
          .where('r.run_finished_at', '<', to)
          .where('r.state', 'in', ['succeeded', 'failed', 'cancelled'])
          .groupBy(expression`1, 2, 3, 4`)
          .as('sums'),
      join => join.onTrue(),
    )
    .select(['p.id as project_id', 'sums.hour', 'sums.workflow_id', 'sums.state', 'sums.duration_class'])
    .select(['sums.runs', 'sums.cost_usd']);
}

/** From the first execution to the end. 0 for a run that was cancelled before it. */
const DURATION_MS = expression<number>`(extract(epoch from coalesce(r.run_finished_at - r.run_started_at, '0')) * 1000)`;
const DURATION_CLASS = expression<number>`floor(log(${expression.lit(CLASS_RATIO)}, greatest(${DURATION_MS}, 1)))::int`;

function projectsOf(sql: Sql, projectId: number | undefined) {
  return queryBuilder<SummaryTables>(sql)
    .selectFrom('project as p')
    .$if(projectId !== undefined, query => query.where('p.id', '=', projectId!));
}

/** A member of the model usage of a ledger row, summed over all attempts. */
function tokens(member: 'promptTokens' | 'completionTokens') {
  const attempts = expression<{ attempt: unknown }>`json_array_elements(t.usage)`.as<'attempt'>(expression`attempt`);
  const total = expressionBuilder<SummaryTables>()
    .selectFrom(attempts)
    .select(expression<number>`coalesce(sum((attempt ->> ${expression.lit(member)})::bigint), 0)`.as('total'));
  return expression<number>`sum(${total})::bigint`;
}
