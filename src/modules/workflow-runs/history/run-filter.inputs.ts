import { Field, InputType, Int } from 'type-graphql';
import { type Expression, expression } from '../../../platform/database/typed-queries.js';
import { Faults } from '../../../platform/errors/fields.js';
import { Decimal } from '../../../platform/json/scalars.js';
import { TimeFilter, timeWithin } from '../../../platform/lists/time-filter.input.js';
import { tagNames } from '../tags/run-tag-names.js';
import { costSql, WorkflowRunState } from './workflow-run.js';

@InputType({ description: 'Filter for runs. All given conditions must match.' })
export class RunFilter extends TimeFilter {
  @Field(() => [WorkflowRunState], {
    nullable: true,
    description: 'Runs in any of these states, at most 100. An empty list matches no run.',
  })
  states?: WorkflowRunState[] | null;

  @Field(() => Decimal, {
    nullable: true,
    description: 'Only runs that cost at least this many US dollars, 0 or more.',
  })
  minCost?: string | null;

  @Field(() => Decimal, {
    nullable: true,
    description: 'Only runs that cost at most this many US dollars, 0 or more.',
  })
  maxCost?: string | null;

  @Field(() => [String], {
    nullable: true,
    description: 'Only runs that have all of these tags, at most 20.',
  })
  tags?: string[] | null;
}

@InputType({ description: 'Filter for runs. All given conditions must match.' })
export class WorkflowRunFilter extends RunFilter {
  @Field(() => Int, {
    nullable: true,
    description: 'Id of the project of the runs. Required when no workflow is given.',
  })
  projectId?: number | null;

  @Field(() => String, {
    nullable: true,
    description:
      'Only runs whose input (secrets masked) or result contains this text of 2-200 characters, ignoring case, or whose id starts or ends with it. Expired inputs and results are not searched. Searches the newest 10,000 runs that match the other conditions.',
  })
  text?: string | null;
}

/** Range and precision of a cost in US dollars. */
const COST_RANGE = { max: '1000000000', places: 12 };
const COST = expression<string>`${expression.raw(costSql('r'))}`;

const hasTag = (name: string) =>
  expression<boolean>`exists (
    select from workflow_run_tag t where t.project_id = r.project_id and t.tag = ${name} and t.run_id = r.id)`;

/** Builds conditions on the run row `r`. */
export function runConditions(filter: RunFilter): Expression<boolean>[] {
  const conditions = timeWithin(filter, 'r.created_at');
  const { states, minCost, maxCost, tags } = filter;
  const faults = new Faults();
  if ((states?.length ?? 0) > 100) faults.add('states', 'Ensure this list has no more than 100 items.');
  if (minCost != null) faults.amount('minCost', minCost, COST_RANGE);
  if (maxCost != null) faults.amount('maxCost', maxCost, COST_RANGE);
  const names = tags ? tagNames(faults, 'tags', tags) : [];
  faults.throwIfAny();
  for (const name of names) conditions.push(hasTag(name));
  if (minCost != null) conditions.push(expression<boolean>`${COST} >= ${minCost}::numeric`);
  if (maxCost != null) conditions.push(expression<boolean>`${COST} <= ${maxCost}::numeric`);
  if (!states) return conditions;
  // Literals instead of parameters let the planner choose a matching partial index.
  const literals = [...new Set(states)].map(state => expression.lit(state));
  const matchesState =
    literals.length > 0 ? expression<boolean>`r.state in (${expression.join(literals)})` : expression<boolean>`false`;
  return [...conditions, matchesState];
}
