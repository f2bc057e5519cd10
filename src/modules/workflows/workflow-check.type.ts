import { Field, Int, ObjectType } from 'type-graphql';
import { JSONValue } from '../../platform/json/scalars.js';

@ObjectType({ description: 'One thing that is wrong, or looks wrong, with a graph.' })
export class WorkflowIssue {
  @Field(() => String, { description: 'What kind of fault it is, for machines.' })
  code!: string;

  @Field(() => String, { description: '`error` keeps a run from starting, `warning` does not.' })
  severity!: string;

  @Field(() => String, { nullable: true, description: 'The node it concerns.' })
  nodeId!: string | null;

  @Field(() => String, { nullable: true, description: 'The edge it concerns.' })
  edgeId!: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'Path inside the node’s data, for example `condition.operator`.',
  })
  path!: string | null;

  @Field(() => String, { description: 'What is wrong and what is allowed. Never echoes values.' })
  message!: string;
}

@ObjectType({ description: 'What a run of a graph would be told.' })
export class WorkflowCheck {
  @Field(() => Boolean, { description: 'Whether a run would be accepted (given the input it needs).' })
  isValid!: boolean;

  @Field(() => Int, {
    description:
      'The inner status a run would get: 200 fine, 422 a node fails validation, 400 the structure is broken.',
  })
  status!: number;

  @Field(() => JSONValue, {
    nullable: true,
    description: 'Errors by node id as in a refused run; null when there are none.',
  })
  data!: unknown;

  @Field(() => [WorkflowIssue], { description: 'Every error and warning: no more than the graph has faults.' })
  issues!: WorkflowIssue[];
}
