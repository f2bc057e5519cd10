import { Field, Int, ObjectType } from 'type-graphql';
import { DateTime, JSONValue, UUID } from '../../../platform/json/scalars.js';
import { ModelUsage } from '../../billing/model-usage.type.js';

@ObjectType({ description: 'One step of a node: a model call or tool call of an agent, or a sub-run.' })
export class WorkflowRunStep {
  @Field(() => String, { description: 'Name of the step, unique within one attempt of the node.' })
  name!: string;

  @Field(() => String, { nullable: true, description: 'Name of the called tool. Null when the step calls no tool.' })
  tool!: string | null;

  @Field(() => JSONValue, { nullable: true, description: 'Arguments of the tool call; secrets are masked.' })
  arguments!: unknown;

  @Field(() => String, { nullable: true, description: 'Result of the step. Null until the step has finished.' })
  content!: string | null;
}

@ObjectType({ description: 'The wait of a node.' })
export class WorkflowRunWait {
  @Field(() => String, { description: 'Kind of the wait: `timer`, `approval`, `run` or `scenario`.' })
  kind!: string;

  @Field(() => DateTime, { nullable: true, description: 'Latest end of the wait. Null when it has no time limit.' })
  until!: Date | null;

  @Field(() => UUID, { nullable: true, description: 'Id of the approval request, when `kind` is `approval`.' })
  requestId!: string | null;

  @Field(() => UUID, { nullable: true, description: 'Id of the sub-run, when `kind` is `run`.' })
  runId!: string | null;

  @Field(() => Int, { nullable: true, description: 'Id of the scenario run, when `kind` is `scenario`.' })
  scenarioRunId!: number | null;
}

@ObjectType({ description: 'Current state of a node of a run.' })
export class WorkflowRunNode {
  @Field(() => String, { description: 'Id of the node in the graph.' })
  id!: string;

  @Field(() => String, { description: 'Status: `in progress`, `succeed`, `failed` or `skipped`.' })
  status!: string;

  @Field(() => String, { nullable: true, description: 'Result of the node. Null until it has succeeded.' })
  content!: string | null;

  @Field(() => JSONValue, {
    nullable: true,
    description: 'Error of the node as `{code, message}`. Null when it has not failed.',
  })
  error!: unknown;

  @Field(() => String, {
    nullable: true,
    description:
      'Iteration of the loop that contains the node, from 0, for example `3`. Nested loops are joined by dots, outermost first, for example `3.0`. The prefix `2~` marks the second attempt of the loop. Null outside loops.',
  })
  iteration!: string | null;

  @Field(() => WorkflowRunStep, {
    nullable: true,
    description: 'The step that changed. Null when the change does not concern a step.',
  })
  step!: WorkflowRunStep | null;

  @Field(() => WorkflowRunWait, {
    nullable: true,
    description: 'The current wait of the node. Null when it does not wait.',
  })
  wait!: WorkflowRunWait | null;

  @Field(() => ModelUsage, {
    nullable: true,
    description: 'Model usage so far, over all attempts and steps. Null when the node called no model.',
  })
  usage!: ModelUsage | null;

  @Field(() => Int, {
    nullable: true,
    description:
      'Milliseconds spent waiting for a free script thread or provider slot, over all attempts and steps. This time does not count against `timeout_seconds`. Null when the node did not wait.',
  })
  waitedMs!: number | null;
}
