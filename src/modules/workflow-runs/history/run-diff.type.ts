import { Field, ObjectType } from 'type-graphql';
import { JSONValue } from '../../../platform/json/scalars.js';
import { Money } from '../../../platform/money/money.type.js';
import { RunCost } from '../../billing/run-cost.type.js';
import { WorkflowRun } from './workflow-run.js';
import { WorkflowRunNode } from './workflow-run-node.type.js';

@ObjectType({ description: 'A member of the input that differs between two runs.' })
export class WorkflowRunInputDiff {
  @Field(() => String, { description: 'Name of the member.' })
  field!: string;

  @Field(() => JSONValue, {
    nullable: true,
    description: 'Value in the first run; secrets are masked. Null when it is absent there.',
  })
  left!: unknown;

  @Field(() => JSONValue, {
    nullable: true,
    description: 'Value in the second run; secrets are masked. Null when it is absent there.',
  })
  right!: unknown;
}

@ObjectType({ description: 'A node whose outcome differs between two runs.' })
export class WorkflowRunNodeDiff {
  @Field(() => String, { description: 'Id of the node in the graph.' })
  nodeId!: string;

  @Field(() => String, { description: 'Label of the node.' })
  label!: string;

  @Field(() => WorkflowRunNode, {
    nullable: true,
    description: 'The node in the first run. Null when it was not executed there.',
  })
  left!: WorkflowRunNode | null;

  @Field(() => WorkflowRunNode, {
    nullable: true,
    description: 'The node in the second run. Null when it was not executed there.',
  })
  right!: WorkflowRunNode | null;

  @Field(() => Money, { description: 'Charges for the node in the first run, including all iterations.' })
  leftCost!: Money;

  @Field(() => Money, { description: 'Charges for the node in the second run, including all iterations.' })
  rightCost!: Money;
}

@ObjectType({ description: 'Comparison of two runs.' })
export class WorkflowRunDiff {
  @Field(() => WorkflowRun, { description: 'The first run.' })
  left!: WorkflowRun;

  @Field(() => WorkflowRun, { description: 'The second run.' })
  right!: WorkflowRun;

  @Field(() => Boolean, { description: 'Whether the graphs of both runs are equal.' })
  sameGraph!: boolean;

  @Field(() => [WorkflowRunInputDiff], {
    description: 'Input members that differ, sorted by name. Not paginated. No more than the two inputs have.',
  })
  inputs!: WorkflowRunInputDiff[];

  @Field(() => WorkflowRunNodeDiff, {
    nullable: true,
    description: 'The first node in graph order whose status, content or error differs. Null when no node differs.',
  })
  first!: WorkflowRunNodeDiff | null;

  @Field(() => [WorkflowRunNodeDiff], {
    description: 'All nodes that differ, in graph order. Not paginated. No more than the two graphs have.',
  })
  nodes!: WorkflowRunNodeDiff[];

  @Field(() => JSONValue, {
    nullable: true,
    description: 'Output of the first run. Null when there is none or when it has expired.',
  })
  leftOutput!: unknown;

  @Field(() => JSONValue, {
    nullable: true,
    description: 'Output of the second run. Null when there is none or when it has expired.',
  })
  rightOutput!: unknown;

  @Field(() => RunCost, { description: 'Cost of the first run.' })
  leftCost!: RunCost;

  @Field(() => RunCost, { description: 'Cost of the second run.' })
  rightCost!: RunCost;
}
