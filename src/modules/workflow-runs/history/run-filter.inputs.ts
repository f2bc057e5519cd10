import { Field, InputType, Int } from 'type-graphql';
import { InvalidInputError } from '../../../platform/errors/errors.js';
import { TimeFilter, timeConditions } from '../../../platform/lists/time-filter.input.js';
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

/** SQL conditions on the row `r` of a run; the values are appended to `values`, whose places are those of the statement. */
export function runConditions(filter: RunFilter, values: unknown[]): string[] {
  const conditions = timeConditions(filter, 'r.created_at', values);
  const { states } = filter;
  if (!states) return conditions;
  if (states.length > 100) throw new InvalidInputError({ states: ['Ensure this list has no more than 100 items.'] });
  // Literals, not values: by them the planner knows which of the partial indexes hold all that is asked for.
  const literals = [...new Set(states)].map(state => `'${state}'`).join(', ');
  return [...conditions, `r.state in (${literals || 'null'})`];
}
