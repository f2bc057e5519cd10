import { Field, Int, ObjectType } from 'type-graphql';
import { JSONValue } from '../../../platform/json/scalars.js';

@ObjectType({ description: 'Selects the events that start a run, and maps them to its input.' })
export class TriggerEvent {
  @Field(() => String, { description: 'Name of the events, 1-200 characters.' })
  name!: string;

  @Field(() => String, {
    nullable: true,
    description: 'Correlation key of the events, at most 500 characters. Null: events with any key.',
  })
  correlationKey!: string | null;

  @Field(() => JSONValue, {
    nullable: true,
    description:
      'Input of the run as JSON with placeholders `{{ input.payload… }}`, `{{ input.name }}`, `{{ input.correlation_key }}` and `{{ input.event_id }}`. Any members are permitted, because input fields belong to the workflow. Null: the input has these four members.',
  })
  mapping!: unknown;
}

@ObjectType({ description: 'Selects the failed runs that start a run of this workflow.' })
export class TriggerFailure {
  @Field(() => [Int], {
    description:
      'Ids of the workflows whose failed runs count, at most 100. Empty: all other workflows of the project.',
  })
  workflowIds!: number[];
}
