import { Field, Int, ObjectType } from 'type-graphql';
import { JSONValue } from '../../platform/json/scalars.js';

@ObjectType({ description: 'An error or a warning about a graph.' })
export class WorkflowIssue {
  @Field(() => String, { description: 'Machine-readable kind of the issue, for example `invalid_setting`.' })
  code!: string;

  @Field(() => String, { description: '`error` prevents a run, `warning` does not.' })
  severity!: string;

  @Field(() => String, {
    nullable: true,
    description: 'Id of the affected node; null when the issue concerns no node.',
  })
  nodeId!: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'Id of the affected edge; null when the issue concerns no edge.',
  })
  edgeId!: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'Path in the `data` of the node, for example `condition.operator`; null without one.',
  })
  path!: string | null;

  @Field(() => String, { description: 'What is wrong and what is allowed. Contains no secret values.' })
  message!: string;
}

@ObjectType({ description: 'Validation result of a graph: the outcome that a run would have.' })
export class WorkflowCheck {
  @Field(() => Boolean, { description: 'Whether a run with valid input would be accepted.' })
  isValid!: boolean;

  @Field(() => Int, {
    description: 'Inner status: 200 valid, 422 a node is invalid, 400 the structure of the graph is invalid.',
  })
  status!: number;

  @Field(() => JSONValue, {
    nullable: true,
    description: 'Errors by node id, as in the response to a rejected run; null without errors.',
  })
  data!: unknown;

  @Field(() => [WorkflowIssue], { description: 'All errors and warnings. No more than the graph has faults.' })
  issues!: WorkflowIssue[];
}
