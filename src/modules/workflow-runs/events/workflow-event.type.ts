import { Field, ObjectType } from 'type-graphql';
import { DateTime, UUID } from '../../../platform/json/scalars.js';

@ObjectType({ description: 'An event that was sent to the runs of a project.' })
export class WorkflowEvent {
  @Field(() => UUID, { description: 'Unique id of the event.' })
  id!: string;

  @Field(() => String, { description: 'Name of the event, 1-200 characters.' })
  name!: string;

  @Field(() => String, {
    description: 'Text that selects the waits, at most 500 characters. Empty: waits without a correlation key.',
  })
  correlationKey!: string;

  @Field(() => DateTime, { description: 'Time at which it was sent.' })
  sentAt!: Date;
}
