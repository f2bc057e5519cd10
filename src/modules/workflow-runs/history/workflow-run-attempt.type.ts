import { Field, Int, ObjectType } from 'type-graphql';
import { DateTime } from '../../../platform/json/scalars.js';

@ObjectType({ description: 'Reason why a run, a node or an attempt of a node failed or was refused.' })
export class WorkflowRunError {
  @Field(() => String, {
    description: 'Machine-readable code, for example `timeout` or `invalid_settings`. The set is open.',
  })
  code!: string;

  @Field(() => String, { description: 'Description of the failure in one sentence. Contains no secrets.' })
  message!: string;
}

@ObjectType({ description: 'One attempt of a node.' })
export class WorkflowRunAttempt {
  @Field(() => Int, { description: 'Number of the attempt within the node, from 1.' })
  number!: number;

  @Field(() => DateTime, { description: 'Time at which the attempt started.' })
  startedAt!: Date;

  @Field(() => DateTime, { nullable: true, description: 'Time at which the attempt ended. Null while it runs.' })
  endedAt!: Date | null;

  @Field(() => WorkflowRunError, {
    nullable: true,
    description: 'Error of the attempt. Null unless it failed. The code is `interrupted` when its process stopped.',
  })
  error!: WorkflowRunError | null;
}
