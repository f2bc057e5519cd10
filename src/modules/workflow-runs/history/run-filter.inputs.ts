import { Field, InputType, Int } from 'type-graphql';
import { type Expression, expression } from '../../../platform/database/typed-queries.js';
import { InvalidInputError } from '../../../platform/errors/errors.js';
import { TimeFilter, timeWithin } from '../../../platform/lists/time-filter.input.js';
import { WorkflowRunState } from './workflow-run.js';

@InputType({ description: 'Which runs to list. All that is given must hold.' })
export class RunFilter extends TimeFilter {
  @Field(() => [WorkflowRunState], { nullable: true, description: 'Those in any of these states; empty: in none.' })
  states?: WorkflowRunState[] | null;
}

@InputType({ description: 'Which runs to list. All that is given must hold.' })
export class WorkflowRunFilter extends RunFilter {
  @Field(() => Int, {
    nullable: true,
    description: 'Those of this project, by whichever workflow. Needed where no workflow is named.',
  })
  project?: number | null;
}

/** Conditions on the row `r` of a run. */
export function runConditions(filter: RunFilter): Expression<boolean>[] {
  const conditions = timeWithin(filter, 'r.created_at');
  const { states } = filter;
  if (!states) return conditions;
  if (states.length > 100) throw new InvalidInputError({ states: ['Ensure this list has no more than 100 items.'] });
  // Literals, not values: by them the planner knows which of the partial indexes hold all that is asked for.
  const literals = [...new Set(states)].map(state => expression.lit(state));
  const isAsked =
    literals.length > 0 ? expression<boolean>`r.state in (${expression.join(literals)})` : expression<boolean>`false`;
  return [...conditions, isAsked];
}
