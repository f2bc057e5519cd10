import { Field, ObjectType } from 'type-graphql';
import { JSONValue } from '../../base/scalars.js';
import { ModelUsage } from '../billing/model-usage.type.js';

@ObjectType({ description: 'A node of a run as it stands.' })
export class WorkflowRunNode {
  @Field(() => String, { description: 'The node’s id in the graph.' })
  id!: string;

  @Field(() => String, { description: '`in progress`, `succeed`, `failed` or `skipped`.' })
  status!: string;

  @Field(() => String, { nullable: true, description: 'What the node made, once it has succeeded.' })
  content!: string | null;

  @Field(() => JSONValue, { nullable: true, description: 'Why the node failed: `{code, message}`.' })
  error!: unknown;

  @Field(() => ModelUsage, {
    nullable: true,
    description: 'What the models that the node asked have used so far, over all its tries; null when it asked none.',
  })
  usage!: ModelUsage | null;
}
