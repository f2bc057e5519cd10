import { Field, InputType, Int } from 'type-graphql';
import { JSONValue } from '../../../platform/json/scalars.js';

@InputType({ description: 'The events that start runs.' })
export class TriggerEventInput {
  @Field(() => String, { description: 'Name of the events, 1-200 characters.' })
  name!: string;

  @Field(() => String, {
    nullable: true,
    description: 'Only events with this correlation key, at most 500 characters. Default: events with any key.',
  })
  correlationKey?: string | null;

  @Field(() => JSONValue, {
    nullable: true,
    description:
      'Input of the run as JSON object with placeholders, see `TriggerEvent.mapping`. Default: the whole event.',
  })
  mapping?: unknown;
}

@InputType({ description: 'The failures of runs that start runs.' })
export class TriggerFailureInput {
  @Field(() => [Int], {
    nullable: true,
    description: 'Only failed runs of these workflows of the project, at most 100. Default: all other workflows.',
  })
  workflowIds?: number[] | null;
}
