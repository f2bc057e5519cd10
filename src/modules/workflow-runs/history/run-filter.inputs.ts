import { Field, InputType, Int } from 'type-graphql';
import { type Expression, expression } from '../../../platform/database/typed-queries.js';
import { InvalidInputError } from '../../../platform/errors/errors.js';
import { TimeFilter, timeWithin } from '../../../platform/lists/time-filter.input.js';
import { WorkflowRunState } from './workflow-run.js';

@InputType({ description: 'Filter for runs. All given conditions must match.' })
export class RunFilter extends TimeFilter {
  @Field(() => [WorkflowRunState], {
    nullable: true,
    description: 'Runs in any of these states, at most 100. An empty list matches no run.',
  })
  states?: WorkflowRunState[] | null;
}

@InputType({ description: 'Filter for runs. All given conditions must match.' })
export class WorkflowRunFilter extends RunFilter {
  @Field(() => Int, {
    nullable: true,
    description: 'Id of the project of the runs. Required when no workflow is given.',
  })
  projectId?: number | null;
}

/** Builds conditions on the run row `r`. */
export function runConditions(filter: RunFilter): Expression<boolean>[] {
  const conditions = timeWithin(filter, 'r.created_at');
  const { states } = filter;
  if (!states) return conditions;
  if (states.length > 100) throw new InvalidInputError({ states: ['Ensure this list has no more than 100 items.'] });
  // Literals instead of parameters let the planner choose a matching partial index.
  const literals = [...new Set(states)].map(state => expression.lit(state));
  const matchesState =
    literals.length > 0 ? expression<boolean>`r.state in (${expression.join(literals)})` : expression<boolean>`false`;
  return [...conditions, matchesState];
}
