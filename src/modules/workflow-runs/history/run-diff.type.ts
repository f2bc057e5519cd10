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
    description: 'Its value in the first run, masked when secret; null: none.',
  })
  left!: unknown;

  @Field(() => JSONValue, {
    nullable: true,
    description: 'Its value in the second run, masked when secret; null: none.',
  })
  right!: unknown;
}

@ObjectType({ description: 'A node whose outcome differs between two runs.' })
export class WorkflowRunNodeDiff {
  @Field(() => String, { description: 'The node’s id in the graph.' })
  nodeId!: string;

  @Field(() => String, { description: 'Label of the node.' })
  label!: string;

  @Field(() => WorkflowRunNode, {
    nullable: true,
    description: 'The node in the first run; null: it did not run there.',
  })
  left!: WorkflowRunNode | null;

  @Field(() => WorkflowRunNode, {
    nullable: true,
    description: 'The node in the second run; null: it did not run there.',
  })
  right!: WorkflowRunNode | null;

  @Field(() => Money, { description: 'What the node was charged in the first run, its rounds included.' })
  leftCost!: Money;

  @Field(() => Money, { description: 'What the node was charged in the second run, its rounds included.' })
  rightCost!: Money;
}

@ObjectType({ description: 'What two runs have in common and where they part.' })
export class WorkflowRunDiff {
  @Field(() => WorkflowRun, { description: 'The first run.' })
  left!: WorkflowRun;

  @Field(() => WorkflowRun, { description: 'The second run.' })
  right!: WorkflowRun;

  @Field(() => Boolean, { description: 'Both used the same revision of the same graph.' })
  sameGraph!: boolean;

  @Field(() => [WorkflowRunInputDiff], {
    description: 'Members of the input that differ, by name; no more than the two inputs have.',
  })
  inputs!: WorkflowRunInputDiff[];

  @Field(() => WorkflowRunNodeDiff, {
    nullable: true,
    description: 'The first node, in the order of the graph, whose status, content or error differs; null: none does.',
  })
  first!: WorkflowRunNodeDiff | null;

  @Field(() => [WorkflowRunNodeDiff], {
    description: 'Every node that differs, in the order of the graph; no more than that has.',
  })
  nodes!: WorkflowRunNodeDiff[];

  @Field(() => JSONValue, { nullable: true, description: 'Output of the first run.' })
  leftOutput!: unknown;

  @Field(() => JSONValue, { nullable: true, description: 'Output of the second run.' })
  rightOutput!: unknown;

  @Field(() => RunCost, { description: 'What the first run cost.' })
  leftCost!: RunCost;

  @Field(() => RunCost, { description: 'What the second run cost.' })
  rightCost!: RunCost;
}
