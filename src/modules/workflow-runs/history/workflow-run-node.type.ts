import { Field, Int, ObjectType } from 'type-graphql';
import { DateTime, JSONValue, UUID } from '../../../platform/json/scalars.js';
import { ModelUsage } from '../../billing/model-usage.type.js';

@ObjectType({ description: 'A step of a node that works in several.' })
export class WorkflowRunStep {
  @Field(() => String, { description: 'Name of the step, unique within one try of the node.' })
  name!: string;

  @Field(() => String, { nullable: true, description: 'The tool that is called; null for a step that calls none.' })
  tool!: string | null;

  @Field(() => JSONValue, { nullable: true, description: 'What the tool is called with, secrets masked.' })
  arguments!: unknown;

  @Field(() => String, { nullable: true, description: 'What the step answered, once it is done.' })
  content!: string | null;
}

@ObjectType({ description: 'What a node waits for.' })
export class WorkflowRunWait {
  @Field(() => String, { description: '`timer`, `approval`, `run` or `scenario`.' })
  kind!: string;

  @Field(() => DateTime, { nullable: true, description: 'When the wait ends at the latest; null: at no time.' })
  until!: Date | null;

  @Field(() => UUID, { nullable: true, description: 'Of an approval: the request to approve or reject.' })
  requestId!: string | null;

  @Field(() => UUID, { nullable: true, description: 'Of a sub-run: the run.' })
  runId!: string | null;

  @Field(() => Int, { nullable: true, description: 'Of a scenario: its run.' })
  scenarioRunId!: number | null;
}

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

  @Field(() => String, {
    nullable: true,
    description:
      'Of a node in a loop’s body: the index of its round, of loops within loops joined by dots, outermost first; `2~` stands before it when the loop is tried a second time. Null outside of loops.',
  })
  iteration!: string | null;

  @Field(() => WorkflowRunStep, { nullable: true, description: 'The step that the change is about.' })
  step!: WorkflowRunStep | null;

  @Field(() => WorkflowRunWait, { nullable: true, description: 'What the node waits for.' })
  wait!: WorkflowRunWait | null;

  @Field(() => ModelUsage, {
    nullable: true,
    description:
      'What the models that the node asked have used so far, over all its tries and steps; null when it asked none.',
  })
  usage!: ModelUsage | null;

  @Field(() => Int, {
    nullable: true,
    description:
      'Milliseconds for which the node has waited for its turn so far (a thread for a script, a slot of a model’s provider), over all its tries and steps; they count against no `timeout_seconds`. Null when it did not wait.',
  })
  waitedMs!: number | null;
}
