import { Field, InputType, Int } from 'type-graphql';
import { InvalidInputError } from '../../base/errors.js';
import { DateTime } from '../../base/scalars.js';
import { WorkflowRunState } from './workflow-run.js';

@InputType({ description: 'Which runs to list. All that is given must hold.' })
export class RunFilter {
  @Field(() => [WorkflowRunState], { nullable: true, description: 'Those in any of these states; empty: in none.' })
  states?: WorkflowRunState[] | null;

  @Field(() => DateTime, { nullable: true, description: 'Accepted at this moment or later.' })
  createdAfter?: Date | null;

  @Field(() => DateTime, { nullable: true, description: 'Accepted before this moment.' })
  createdBefore?: Date | null;
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
export function runConditions({ states, createdAfter, createdBefore }: RunFilter, values: unknown[]): string[] {
  const conditions: string[] = [];
  if (states) {
    if (states.length > 100) throw new InvalidInputError({ states: ['Ensure this list has no more than 100 items.'] });
    // Literals, not values: by them the planner knows which of the partial indexes hold all that is asked for.
    conditions.push(`r.state in (${[...new Set(states)].map(state => `'${state}'`).join(', ') || 'null'})`);
  }
  if (createdAfter) conditions.push(`r.created_at >= $${values.push(createdAfter)}`);
  if (createdBefore) conditions.push(`r.created_at < $${values.push(createdBefore)}`);
  return conditions;
}
