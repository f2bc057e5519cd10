import { Field, Int, ObjectType, registerEnumType } from 'type-graphql';
import { JSONValue, UUID } from '../../../platform/json/scalars.js';
import { pageOf } from '../../../platform/lists/page.type.js';
import { WorkflowRun } from './workflow-run.js';

export enum WorkflowRunOrder {
  CREATED_AT_ASC = 'created_at',
  CREATED_AT_DESC = '-created_at',
  COST_ASC = 'cost',
  COST_DESC = '-cost',
}
registerEnumType(WorkflowRunOrder, {
  name: 'WorkflowRunOrder',
  description: 'Orders of a run history.',
  valuesConfig: {
    CREATED_AT_ASC: { description: 'Oldest first.' },
    CREATED_AT_DESC: { description: 'Newest first.' },
    COST_ASC: { description: 'Cheapest first.' },
    COST_DESC: { description: 'Dearest first.' },
  },
});

@ObjectType({ description: 'One page of runs.' })
export class WorkflowRunPage extends pageOf(WorkflowRun) {}

@ObjectType({ description: 'What the execution service says of a run.' })
export class WorkflowRunResult {
  @Field(() => UUID, { description: 'The run.' })
  id!: string;

  @Field(() => String, {
    description:
      '`in queue`, `in progress`, `succeed`, `failed` or `not found` (the run exists, its result does not: not started, or expired). Only `succeed` and `failed` are final.',
  })
  status!: string;

  @Field(() => JSONValue, {
    nullable: true,
    description:
      'Entries by node id: `{id, status, result: {content}}`, or `{id, status, error}` for a failed node, with `usage {prompt_tokens, completion_tokens, total_tokens, cost_usd}` when a model was used. Skipped nodes have none. Of a refused run: `{id, status, result: [{path: message}]}`.',
  })
  data!: unknown;

  @Field(() => JSONValue, {
    nullable: true,
    description: 'The one output node’s content, an object by node id when several ran, null when none did.',
  })
  output!: unknown;

  @Field(() => JSONValue, { nullable: true, description: 'Why the run was refused or failed: `{code, message}`.' })
  error!: unknown;
}

@ObjectType({ description: 'A result on delivery.' })
export class WorkflowRunDelivery {
  @Field(() => Int, { description: '200 when delivered.' })
  status!: number;

  @Field(() => WorkflowRunResult, { description: 'The result as it stands.' })
  data!: WorkflowRunResult;
}

@ObjectType({ description: 'The answer to a run being asked for.' })
export class WorkflowRunReceipt {
  @Field(() => Int, {
    description:
      'Inner status: 201 accepted, 422 a node fails validation, 400 the graph or the input is malformed, 402 the spending limit of the project is reached.',
  })
  status!: number;

  @Field(() => WorkflowRunResult, { description: 'The run as it stands; it has an id also when it was refused.' })
  data!: WorkflowRunResult;

  /** Read by the field resolver `run`. */
  runId!: string;
}
